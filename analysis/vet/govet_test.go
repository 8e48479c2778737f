package vet

import (
	"errors"
	"strings"
	"testing"
)

func TestComplaint(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, x := range []struct{ text, want string }{
		{"# a/b\n# [a/b]\nvet: b/b.go:3:14: undefined: x\n", "b/b.go:3:14: undefined: x"},
		{"# a/b\nb/b.go:3:14: undefined: x\nb/b.go:4:1: y\n",
			"b/b.go:3:14: undefined: x (and 1 line more: run go vet)"},
		{"go: downloading x v1\npattern ./x: no such directory\n",
			"pattern ./x: no such directory"},
		{"# a/b\npanic: oh\n\ngoroutine 1\n", "a/b: panic: oh (and 1 line more: run go vet)"},
		{"# [a/b]\npanic: oh\n", "a/b: panic: oh"},
		{"", "go vet: exit status 1"},
	} {
		if got := complaint(x.text, exit).Error(); got != x.want {
			t.Errorf("%q: got %q, want %q", x.text, got, x.want)
		}
	}
}

func TestDecode(t *testing.T) {
	const text = `{}
{"p [p.test]": {"x": [{"posn": "/p.go:3:4", "end": "/p.go:5:1", "message": "m",
	"suggested_fixes": [{"message": "f", "edits": [{"filename": "/p.go", "start": 1, "end": 2, "new": "n"}]}],
	"related": [{"posn": "C:/q.go:7", "end": "C:/q.go:7", "message": "r"}]}]}}
{"q": {"x": {"error": "it broke"}}}`
	found, err := decode([]byte(text))
	if err == nil || err.Error() != "check x on q: it broke" {
		t.Errorf("error %v", err)
	}
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	f := found[0]
	if f.Package != "p" || f.At != (Region{"/p.go", 3, 4, 5, 1}) ||
		f.Related[0].At != (Region{"C:/q.go", 7, 0, 7, 0}) ||
		f.Fixes[0].Edits[0] != (Edit{"/p.go", 1, 2, "n"}) {
		t.Errorf("got %+v", f)
	}
	if _, err := decode([]byte("{}\nx")); err == nil ||
		!strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("error %v", err)
	}
}
