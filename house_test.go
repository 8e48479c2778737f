package rehearse_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Bounds of a room, which is a package without its tests and fixtures.
const (
	mostLines   = 5000 // of a package
	mostFiles   = 25
	mostMethods = 30  // of a type, but for those of large
	mostInFile  = 500 // lines
	// Types that have more than mostFields fields, and more methods than that. The bound is what
	// there were, and is to be made smaller.
	mostFields = 10
	mostWide   = 62
	// Pairs of files of one package that name declarations of each other: a reader of one needs the
	// other, whichever comes first. The bound is what there were, and is to be made smaller.
	mostPairs = 196
)

// large has the types with more methods, and how many they may have. Each says in its comment why.
// The table is to become shorter: a type is split into parts that own their fields, and the numbers
// fall with it.
var large = map[string]int{
	"analysis/fanin.round":           35,
	"analysis/skeleton/machine.call": 36,
	"explore/depend.Cut":             36,
	"explore/drive.run":              36,
	"explore/pop.study":              37,
	"runtime/model/clock.Clock":      35,
	"runtime/model/races.World":      36,
	"runtime/model/syncs.World":      35,
	"runtime/model/tests.T":          35,
}

// room is a package as a reader meets it.
type room struct {
	lines, files int
	methods      map[string]int
	fields       map[string]int
	comments     map[string]string // of its types
	// by file: what it declares, methods aside, and what other files declare
	declared, named map[string][]string
}

func TestRooms(t *testing.T) {
	pairs, wide, seen := 0, 0, map[string]bool{}
	for dir, r := range rooms(t) {
		pairs += r.pairs()
		if r.lines > mostLines || r.files > mostFiles {
			t.Errorf("%s: %d lines in %d files, want at most %d in %d", dir, r.lines, r.files,
				mostLines, mostFiles)
		}
		for name, n := range r.methods {
			if r.fields[name] > mostFields && n > mostFields {
				wide++
			}
			if n <= mostMethods {
				continue
			}
			full := dir + "." + name
			seen[full] = true
			if n > large[full] {
				t.Errorf("%s has %d methods, want at most %d", full, n,
					max(mostMethods, large[full]))
			}
			if !strings.Contains(r.comments[name], "method") {
				t.Errorf("%s has %d methods, and its comment does not say why", full, n)
			}
		}
	}
	for name := range large {
		if !seen[name] {
			t.Errorf("%s has at most %d methods: take it out of the table", name, mostMethods)
		}
	}
	if wide > mostWide {
		t.Errorf("%d types have more than %d fields and methods, want at most %d", wide,
			mostFields, mostWide)
	}
	if pairs > mostPairs {
		t.Errorf("%d pairs of files name declarations of each other, want at most %d", pairs,
			mostPairs)
	}
}

// pairs counts the pairs of files that name declarations of each other.
func (r *room) pairs() (n int) {
	names := func(a, b string) bool {
		return slices.ContainsFunc(r.named[a], func(name string) bool {
			return slices.Contains(r.declared[b], name)
		})
	}
	for a := range r.declared {
		for b := range r.declared {
			if a < b && names(a, b) && names(b, a) {
				n++
			}
		}
	}
	return n
}

func rooms(t *testing.T) map[string]*room {
	rooms, set := map[string]*room{}, token.NewFileSet()
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		slashed := filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || e.Name() == "_added" ||
			slashed == "internal/lab" || len(name) > 1 && e.Name()[0] == '.'):
			return fs.SkipDir
		case e.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		r := rooms[dir]
		if r == nil {
			r = &room{methods: map[string]int{}, fields: map[string]int{},
				comments: map[string]string{}, declared: map[string][]string{},
				named: map[string][]string{}}
			rooms[dir] = r
		}
		lines := set.File(file.Pos()).LineCount()
		if lines > mostInFile {
			t.Errorf("%s: %d lines, want at most %d", name, lines, mostInFile)
		}
		r.files++
		r.lines += lines
		r.declared[name] = slices.Collect(maps.Keys(file.Scope.Objects))
		for _, id := range file.Unresolved {
			r.named[name] = append(r.named[name], id.Name)
		}
		for _, d := range file.Decls {
			r.see(d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}

// see counts a method, or notes the comment and the fields of a type.
func (r *room) see(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			r.methods[receiver(d.Recv.List[0].Type)]++
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok {
				name := s.Name.Name
				r.comments[name] = d.Doc.Text() + s.Doc.Text()
				if s, is := s.Type.(*ast.StructType); is {
					r.fields[name] = s.Fields.NumFields()
				}
			}
		}
	}
}

// receiver names the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
