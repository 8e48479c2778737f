package refining

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is a Go file of a package. All but some declarations of it can be made blank: what is left
// stays in its line, so errors name the places that the user knows.
type source struct {
	path string
	file *ast.File
	text []byte
}

// sourcesOf reads the Go files of a directory that a build with these tags takes.
func sourcesOf(dir, tags string) (list []*source, err error) {
	with := build.Default
	with.BuildTags = strings.Split(tags, ",")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ok, err := with.MatchFile(dir, e.Name()); err != nil || !ok ||
			!strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		s := &source{path: filepath.Join(dir, e.Name())}
		if s.text, err = os.ReadFile(s.path); err != nil {
			return nil, err
		}
		s.file, err = parser.ParseFile(token.NewFileSet(), s.path, s.text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// name is the file's name without its directory.
func (s *source) name() string { return filepath.Base(s.path) }

// isTest reports whether only tests have the file.
func (s *source) isTest() bool { return isTestFile(s.path) }

// isTestFile is isTest for a file that has not been read.
func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }

// part is what can be left in a file by itself: a function, a specification, or constants that
// count together.
type part struct {
	ast.Node
	doc   *ast.CommentGroup
	names []string // a method has that of its type
}

// parts lists the parts of a file, but its imports.
func (s *source) parts() (list []part) {
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			list = append(list, part{d, d.Doc, []string{declared(d)}})
		case *ast.GenDecl:
			list = append(list, specifications(d)...)
		}
	}
	return list
}

// specifications lists the parts of a declaration of types, variables or constants.
func specifications(d *ast.GenDecl) (list []part) {
	for _, spec := range d.Specs {
		p := part{Node: spec}
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			p.doc, p.names = spec.Doc, []string{spec.Name.Name}
		case *ast.ValueSpec:
			p.doc = spec.Doc
			for _, name := range spec.Names {
				p.names = append(p.names, name.Name)
			}
		default:
			continue
		}
		list = append(list, p)
	}
	if len(list) == 0 || d.Lparen.IsValid() && d.Tok != token.CONST {
		return list
	}
	whole := part{Node: d, doc: d.Doc}
	for _, p := range list {
		whole.names = append(whole.names, p.names...)
	}
	return []part{whole}
}

// declared is the name of a function, or of the type that a method belongs to.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// uses calls f for each name that a part may have from elsewhere, and perhaps for some of its own.
func (p part) uses(f func(name string)) {
	ast.Inspect(p.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			part{Node: n.X}.uses(f)
			return false
		case *ast.Ident:
			f(n.Name)
		}
		return true
	})
}

// only returns the text of the file with nothing but some parts, and the imports that these use:
// all else is blank. packages has the names of imported packages by their paths.
func (s *source) only(kept []part, packages map[string]string) []byte {
	text, used := slices.Clone(s.text), map[string]bool{"_": true, ".": true}
	for _, p := range kept {
		p.uses(func(name string) { used[name] = true })
	}
	blank := func(n ast.Node, doc *ast.CommentGroup) {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		for i := from - s.file.FileStart; i < n.End()-s.file.FileStart; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	for _, p := range s.parts() {
		if slices.ContainsFunc(kept, func(k part) bool { return k.Pos() == p.Pos() }) {
			continue
		}
		if d := s.around(p); d != nil {
			blank(d, d.Doc)
		}
		blank(p, p.doc)
	}
	for _, d := range s.file.Decls {
		g, is := d.(*ast.GenDecl)
		if !is || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			if i := spec.(*ast.ImportSpec); !used[nameOf(i, packages)] {
				blank(i, i.Doc)
				if !g.Lparen.IsValid() {
					blank(g, nil)
				}
			}
		}
	}
	return text
}

// around is the declaration without parentheses that has nothing but a part in it.
func (s *source) around(p part) *ast.GenDecl {
	for _, d := range s.file.Decls {
		if g, is := d.(*ast.GenDecl); is && !g.Lparen.IsValid() && g.Pos() <= p.Pos() &&
			p.End() <= g.End() {
			return g
		}
	}
	return nil
}

// nameOf is the name by which a file uses an import.
func nameOf(i *ast.ImportSpec, packages map[string]string) string {
	if i.Name != nil {
		return i.Name.Name
	}
	at, _ := strconv.Unquote(i.Path.Value)
	if name := packages[at]; name != "" {
		return name
	}
	return path.Base(at)
}

// packageNames asks the go command for the names of the packages that files import.
func packageNames(dir string, list []*source) map[string]string {
	args, names := []string{"list", "-e", "-find", "-f", "{{.ImportPath}} {{.Name}}", "--"},
		map[string]string{}
	for _, s := range list {
		for _, i := range s.file.Imports {
			at, err := strconv.Unquote(i.Path.Value)
			if err == nil && !slices.Contains(args, at) {
				args = append(args, at)
			}
		}
	}
	out, err := runIn(dir, "go", args...)
	if err != nil {
		return names // the last elements of the paths, then
	}
	for line := range strings.Lines(out) {
		at, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		names[at] = name
	}
	return names
}

// as gives a text of the file another package clause, and has it import new in the place of old.
func (s *source) as(text []byte, clause string, old, new imported) []byte {
	edit := func(n ast.Node, by string) {
		from := int(n.Pos() - s.file.FileStart)
		text = slices.Concat(text[:from], []byte(by), text[from+int(n.End()-n.Pos()):])
	}
	for _, i := range slices.Backward(s.file.Imports) {
		at, err := strconv.Unquote(i.Path.Value)
		from := int(i.Path.Pos() - s.file.FileStart)
		if err != nil || at != old.path || !bytes.HasPrefix(text[from:], []byte(i.Path.Value)) {
			continue
		}
		by := strconv.Quote(new.path)
		if i.Name == nil && old.name != new.name {
			by = old.name + " " + by
		}
		edit(i.Path, by)
	}
	edit(s.file.Name, clause)
	return text
}

// imported is a package: its path and its name.
type imported struct{ path, name string }
