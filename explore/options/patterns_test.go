package options

import (
	"flag"
	"slices"
	"testing"
)

func TestPatternsAddUp(t *testing.T) {
	o := Default()
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	o.Register(fs)
	if err := fs.Parse([]string{"-trust", "a, b/...", "-trust=c,a", "-control", "d"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Trust, Patterns{"a", "b/...", "c"}) ||
		!slices.Equal(o.Control, Patterns{"d"}) {
		t.Errorf("trust %q, control %q", o.Trust, o.Control)
	}
}

func TestPatternsMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"net", "net", true},
		{"net", "net/http", false},
		{"net/...", "net", true},
		{"net/...", "net/http/httptest", true},
		{"net/...", "network", false},
		{"net...", "network", true},
		{"example.org/.../store", "example.org/a/b/store", true},
		{"example.org/x", "exampleXorg/x", false},
		{"...", "a/b", true},
	} {
		if _, got := (Patterns{"other", tt.pattern}).Match(tt.path); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.pattern, tt.path, got)
		}
	}
}
