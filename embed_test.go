package rehearse_test

import (
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

// TestSourcesStandAlone checks that the linked packages import the standard library and each other
// only.
func TestSourcesStandAlone(t *testing.T) {
	sources := rehearse.Sources()
	linked := map[string]bool{}
	for _, s := range sources {
		linked[path.Dir(s.Path)] = true
	}
	for _, s := range sources {
		for _, imported := range imports(t, s) {
			switch first, _, _ := strings.Cut(imported, "/"); {
			case first == rehearse.Linked && !linked[imported]:
				t.Errorf("%s imports %s, which is not linked", s.Path, imported)
			case strings.Contains(first, "."):
				t.Errorf("%s imports %s, which is not in the standard library", s.Path, imported)
			}
		}
	}
}

// TestSourcesAreWhole checks that the packages that generated code names are there, and nothing
// that go would not build.
func TestSourcesAreWhole(t *testing.T) {
	linked := map[string]bool{}
	for _, s := range rehearse.Sources() {
		linked[path.Dir(s.Path)] = true
		if strings.HasSuffix(s.Path, "_test.go") || strings.Contains(s.Path, "/testdata/") {
			t.Errorf("%s must not be linked", s.Path)
		}
	}
	for _, want := range []string{"rehearse/runtime/gate", "rehearse/runtime/trace",
		"rehearse/explore"} {
		if !linked[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

func imports(t *testing.T, s rehearse.Source) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), s.Path, s.Text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, imported)
	}
	return list
}
