package vet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBaseline writes the findings of one text and compares those of another with them.
func TestBaseline(t *testing.T) {
	name := filepath.Join(t.TempDir(), "baseline.json")
	if err := writeBaseline(name, report(t, before).Findings); err != nil {
		t.Fatal(err)
	}
	after := strings.Replace(before, "\tuse(MARK)\n", "", 1) // one of two is mended
	after = strings.Replace(after, "func F() {", "func F() {\n\tif MARK {\n\t}", 1)
	r := report(t, after)
	b, err := readBaseline(name)
	if err != nil {
		t.Fatal(err)
	}
	r.keep(func(f *Finding) bool { return !b.has(f.Fingerprint()) })
	equal(t, prints(r), []string{"F|if MARK {|1"})
	var stale []string
	for _, e := range b.entries {
		if !b.met[e.Fingerprint] {
			stale = append(stale, e.String())
		}
	}
	equal(t, stale, []string{"x in example.org/p, F: use ( MARK )"})
	if b.found() != 4 {
		t.Errorf("%d are found, want 4", b.found())
	}
}

func TestBadBaseline(t *testing.T) {
	name := filepath.Join(t.TempDir(), "baseline.json")
	for text, want := range map[string]string{
		"":                            "no such file",
		"x":                           "not a baseline",
		`{"version":9,"findings":[]}`: "version 9, want 1",
	} {
		if text != "" {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		_, err := readBaseline(name)
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
