package tests

import "testing"

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		run, skip string
		picked    string
		not       string
	}{
		{"", "", "TestA TestA/x", ""},
		{"A", "", "TestA TestA/x TestA/x/y TestBA", "TestB TestB/x"},
		{"^TestA$/x", "", "TestA TestA/x TestA/xx TestA/x/y", "TestA/y TestAB TestA/y/x"},
		{"A/x|B/y", "", "TestA TestB TestA/x TestB/y", "TestA/y TestB/x TestC"},
		{"A/(x|y)", "", "TestA/x TestA/y", "TestA/z TestB"},
		{"A/[/x]b", "", "TestA/xb", "TestA/yb"},
		{"A/^a b$", "", "TestA/a_b", "TestA/a_bc"},
		{"A//z", "", "TestA/x TestA/y/z", "TestA/y/x"},
		{"", "A", "TestB TestB/x", "TestA TestA/x"},
		{"", "A/x", "TestA TestA/y TestB/x", "TestA/x TestA/x/y"},
		{"A", "A/x|A/y", "TestA TestA/z", "TestA/x TestA/y TestB"},
	} {
		f, err := NewFilter(c.run, c.skip)
		if err != nil {
			t.Fatal(err)
		}
		for names, want := range map[string]bool{c.picked: true, c.not: false} {
			for _, name := range split(names, ' ') {
				if got := f.Picks(name); name != "" && got != want {
					t.Errorf("-run %q -skip %q: %s is picked: %v", c.run, c.skip, name, got)
				}
			}
		}
	}
	if _, err := NewFilter("A/(", ""); err == nil {
		t.Error("no error for a bracket that does not end")
	}
}
