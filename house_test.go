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
	mostMethods = 30  // of a type
	mostInFile  = 500 // lines
	// Types that have more than mostFields fields, and more methods than that. The bound is what
	// there were, and is to be made smaller.
	mostFields = 10
	mostWide   = 60
	// Pairs of files of one package that name declarations of each other: a reader of one needs the
	// other, whichever comes first. The bound is what there were, and is to be made smaller.
	mostPairs = 196
)

// room is a package as a reader meets it.
type room struct {
	lines, files int
	methods      map[string]int
	fields       map[string]int
	// by file: what it declares, methods aside, and what other files declare
	declared, named map[string][]string
}

func TestRooms(t *testing.T) {
	pairs, wide := 0, 0
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
			if n > mostMethods {
				t.Errorf("%s.%s has %d methods, want at most %d", dir, name, n, mostMethods)
			}
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
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		r := rooms[dir]
		if r == nil {
			r = &room{methods: map[string]int{}, fields: map[string]int{},
				declared: map[string][]string{}, named: map[string][]string{}}
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

// see counts a method, or the fields of a type.
func (r *room) see(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			r.methods[receiver(d.Recv.List[0].Type)]++
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok {
				if st, is := s.Type.(*ast.StructType); is {
					r.fields[s.Name.Name] = st.Fields.NumFields()
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
