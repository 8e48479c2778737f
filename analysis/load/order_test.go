package load

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa/ssautil"
)

// TestLibraryPositions: packages are checked concurrently, and their imports have the same
// positions in each Load.
func TestLibraryPositions(t *testing.T) {
	archive := "-- go.mod --\nmodule example.org/m\n\ngo 1.21\n"
	for i, path := range []string{"net/http", "encoding/json", "go/types", "text/template",
		"strings", "sort", "log", "bufio"} {
		archive += fmt.Sprintf("-- p%d/p.go --\npackage p\n\nimport _ %q\n", i, path)
	}
	dir := unpack(t, archive)
	first := libraryPositions(t, dir)
	for range 2 {
		if again := libraryPositions(t, dir); !slices.Equal(again, first) {
			t.Fatalf("%q, was %q", again, first)
		}
	}
}

// libraryPositions lists what the packages of dir import, and where the first thing in each import
// is.
func libraryPositions(t *testing.T, dir string) []string {
	t.Helper()
	r, err := Load(Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range r.Packages {
		for _, q := range p.Types.Imports() {
			names := q.Scope().Names()
			out = append(out, fmt.Sprint(p.Path, " ", q.Path(), " ",
				q.Scope().Lookup(names[0]).Pos()))
		}
	}
	return out
}

// TestInstances: an instance that several packages ask for by different names has the same name
// each time.
func TestInstances(t *testing.T) {
	archive := "-- go.mod --\nmodule example.org/m\n\ngo 1.21\n-- a/a.go --\npackage a\n\nfunc F[T any](x T) T { return x }\n"
	for i := range 8 {
		archive += fmt.Sprintf(
			"-- p%d/p.go --\npackage p\n\nimport \"example.org/m/a\"\n\ntype T = []int\n\nvar X = a.F[T](nil)\n",
			i)
	}
	r, err := Load(Config{Dir: unpack(t, archive), Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	first := instanceNames(r)
	if len(first) != 1 {
		t.Fatalf("%q, want one instance", first)
	}
	for range 200 {
		again := instanceNames(&Result{Fset: r.Fset, Targets: r.Targets, Packages: r.Packages})
		if !slices.Equal(again, first) {
			t.Fatalf("%q, was %q", again, first)
		}
	}
}

// instanceNames lists the instances of generic functions.
func instanceNames(r *Result) []string {
	var names []string
	for fn := range ssautil.AllFunctions(r.SSA()) {
		if fn.Origin() != nil && fn.Origin() != fn {
			names = append(names, fn.String())
		}
	}
	slices.Sort(names)
	return names
}
