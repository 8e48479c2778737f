package vet

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestParseDiff reads what git diff -U0 prints.
func TestParseDiff(t *testing.T) {
	diff := strings.Join([]string{
		"diff --git a/a.go b/a.go",
		"index 1..2 100644",
		"--- a/a.go",
		"+++ b/a.go",
		"@@ -3 +3 @@ func F() {",
		"-old",
		"+new",
		"@@ -10,0 +11,2 @@",
		"+++ b/not-a-name.go",
		"+@@ -1 +1 @@",
		"@@ -20,2 +22,0 @@",
		"-gone",
		"--- a/gone",
		`\ No newline at end of file`,
		"diff --git a/gone.go b/gone.go",
		"--- a/gone.go",
		"+++ /dev/null",
		"@@ -1,2 +0,0 @@",
		"-x",
		"-y",
		"--- /dev/null",
		"+++ b/a b/new.go\t",
		"@@ -0,0 +1,3 @@",
		"+1", "+2", "+3",
		"--- /dev/null",
		`+++ "b/quo\"te.go"`,
		"@@ -0,0 +1 @@",
		"+1",
		"",
	}, "\n")
	c := parseDiff("/top", diff)
	var got []string
	for _, file := range slices.Sorted(maps.Keys(c)) {
		got = append(got, fmt.Sprint(filepath.ToSlash(file), c[file]))
	}
	equal(t, got, []string{"/top/a b/new.go[{1 3}]", "/top/a.go[{3 3} {11 12}]",
		`/top/quo"te.go[{1 1}]`})
}

func TestTouch(t *testing.T) {
	c := changes{"/a.go": {{3, 3}, {11, 12}}, "/new.go": {whole}}
	for _, x := range []struct {
		file string
		line int
		want bool
	}{{"/a.go", 2, false}, {"/a.go", 3, true}, {"/a.go", 4, false}, {"/a.go", 12, true},
		{"/b.go", 3, false}, {"/new.go", 9999, true}} {
		if got := c.touch(Region{File: x.file, Line: x.line}); got != x.want {
			t.Errorf("%s:%d: %v", x.file, x.line, got)
		}
	}
}
