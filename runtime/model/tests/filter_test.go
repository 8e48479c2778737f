package tests

import (
	"bytes"
	"encoding/gob"
	"testing"
)

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

// TestFilterSent: a filter goes to another process, as part of a configuration.
func TestFilterSent(t *testing.T) {
	f, err := NewFilter("A/x|B", "C")
	if err != nil {
		t.Fatal(err)
	}
	type config struct{ Only *Filter }
	var sent bytes.Buffer
	var got config
	if err := gob.NewEncoder(&sent).Encode(config{f}); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&sent).Decode(&got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"A", "A/x", "A/y", "B", "C"} {
		if got.Only.Picks(name) != f.Picks(name) {
			t.Errorf("%s: %v, was %v", name, got.Only.Picks(name), f.Picks(name))
		}
	}
}
