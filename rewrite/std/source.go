package std

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pkg is the source of one package of the standard library, with the edits to make.
type pkg struct {
	path  string
	fset  *token.FileSet
	files []*file // by name
}

type file struct {
	name    string // absolute path
	src     []byte
	syntax  *ast.File
	base    int // of the file in its token.FileSet
	edits   []edit
	imports []string // to add
}

// edit replaces src[from:to] by text.
type edit struct {
	from, to int
	text     string
}

// load parses the files of package path that contain the text marker, except its tests.
func load(goroot, path, marker string) (*pkg, error) {
	return loadOver(goroot, path, marker, nil)
}

// loadOver is load with the texts of files that were edited before.
func loadOver(goroot, path, marker string, edited map[string][]byte) (*pkg, error) {
	dir := filepath.Join(goroot, "src", filepath.FromSlash(path))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &pkg{path: path, fset: token.NewFileSet()}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src := edited[name]
		if src == nil {
			if src, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		if !bytes.Contains(src, []byte(marker)) {
			continue
		}
		f, err := parse(p.fset, name, src)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("no source of package %s with %q in %s", path, marker, dir)
	}
	return p, nil
}

func parse(fset *token.FileSet, name string, src []byte) (*file, error) {
	syntax, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{name: name, src: src, syntax: syntax, base: fset.File(syntax.FileStart).Base()},
		nil
}

func (p *pkg) at(pos token.Pos) token.Position { return p.fset.Position(pos) }

// method finds the method name of recv or *recv; nil if there is none that has a body.
func (p *pkg) method(recv, name string) (*ast.FuncDecl, *file) {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Body != nil && fn.Name.Name == name && receiver(fn) == recv {
				return fn, f
			}
		}
	}
	return nil, nil
}

// receiver returns the name of fn's receiver type without its star, "" if fn is a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, _ := typ.(*ast.Ident)
	if id == nil {
		return "" // a generic type
	}
	return id.Name
}

// structType finds the declaration of a struct type.
func (p *pkg) structType(name string) (*ast.StructType, *file) {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Name == name {
					st, _ := ts.Type.(*ast.StructType)
					return st, f
				}
			}
		}
	}
	return nil, nil
}

// fieldType returns the type expression of a field as it is written, "" if there is no such field.
func (p *pkg) fieldType(structName, field string) string {
	st, f := p.structType(structName)
	if st == nil {
		return ""
	}
	for _, fl := range st.Fields.List {
		for _, id := range fl.Names {
			if id.Name == field {
				return f.text(fl.Type)
			}
		}
	}
	return ""
}

func (f *file) offset(pos token.Pos) int { return int(pos) - f.base }

func (f *file) text(n ast.Node) string { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }

func (f *file) insert(at token.Pos, text string) { f.replace(at, at, text) }

func (f *file) replace(from, to token.Pos, text string) {
	f.edits = append(f.edits, edit{f.offset(from), f.offset(to), text})
}

// use adds imports to f where they are missing.
func (f *file) use(paths ...string) {
	for _, path := range paths {
		if !f.has(path) {
			f.imports = append(f.imports, path)
		}
	}
}

func (f *file) has(path string) bool {
	for _, spec := range f.syntax.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == path && spec.Name == nil {
			return true
		}
	}
	return slices.Contains(f.imports, path)
}

// write stores the edited files of p in out.
func (p *pkg) write(out map[string][]byte) {
	for _, f := range p.files {
		if len(f.edits) > 0 {
			if out[f.name] != nil {
				panic("std: two groups of hooks edit " + f.name)
			}
			out[f.name] = f.edited()
		}
	}
}

// edited returns the source with all edits. They share the lines that they are on: no line moves.
func (f *file) edited() []byte {
	for _, path := range f.imports {
		f.insert(f.syntax.Name.End(), "; import "+strconv.Quote(path))
	}
	slices.SortStableFunc(f.edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	done := 0
	for _, e := range f.edits {
		if e.from < done {
			panic("std: edits overlap")
		}
		out.Write(f.src[done:e.from])
		out.WriteString(e.text)
		done = e.to
	}
	out.Write(f.src[done:])
	return out.Bytes()
}

// version returns the Go version of goroot for error messages.
func version(goroot string) string {
	text, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if err != nil {
		return "unknown Go version"
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return first
}
