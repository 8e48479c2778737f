package exec

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/state"
	"github.com/rehearse-go/rehearse/rewrite/std"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// library type-checks packages of the standard library from their sources, without the bodies of
// functions.
type library struct {
	fset *token.FileSet
	root build.Context
	done map[string]*types.Package
}

func newLibrary(goroot string) *library {
	root := build.Default
	root.GOROOT, root.GOPATH, root.CgoEnabled = goroot, "", false
	return &library{token.NewFileSet(), root, map[string]*types.Package{"unsafe": types.Unsafe}}
}

// input returns what the rewriter needs to know of a package, some of whose files are given, with
// their bodies.
func (l *library) input(part std.Library) (*unit.Input, error) {
	path, sources := part.Path, part.Files
	files, err := l.parse(path, sources)
	if err != nil {
		return nil, err
	}
	if part.Border {
		if sources, err = l.complete(files, sources); err != nil {
			return nil, err
		}
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
	// what the added file declares is not known
	config := types.Config{Importer: l, Error: func(error) {}}
	pkg, _ := config.Check(path, l.fset, files, info)
	in := &unit.Input{Fset: l.fset, Sources: sources, Types: pkg, Info: info, HookPath: hookPath,
		PlainAtomics: true}
	for _, f := range files {
		if sources[l.fset.File(f.Package).Name()] != nil {
			in.Files = append(in.Files, f)
		}
	}
	if part.Border {
		in.PlainAtomics, in.Maps, in.Births, in.Enters = false, true, true, true
		in.State = state.Changing([]state.Package{{Files: in.Files, Info: info}})
		in.Shared = shared.Find(l.fset, []shared.Package{{Files: files, Info: info}})
		if !std.Announces(path) {
			in.Sections, in.Announced = true, func(*types.Package) bool { return false }
		}
	}
	return in, nil
}

// complete returns the texts of all files.
func (l *library) complete(files []*ast.File, given map[string][]byte) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, f := range files {
		name := l.fset.File(f.Package).Name()
		if all[name] = given[name]; all[name] == nil {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all[name] = text
		}
	}
	return all, nil
}

// Import implements types.Importer.
func (l *library) Import(path string) (*types.Package, error) {
	if p := l.done[path]; p != nil {
		return p, nil
	}
	files, err := l.parse(path, nil)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: l, IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := config.Check(path, l.fset, files, nil)
	l.done[path] = p
	return p, nil
}

func (l *library) parse(path string, sources map[string][]byte) ([]*ast.File, error) {
	src := filepath.Join(l.root.GOROOT, "src")
	dir := filepath.Join(src, filepath.FromSlash(path))
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		dir = filepath.Join(src, "vendor", filepath.FromSlash(path))
	}
	p, err := l.root.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range slices.Sorted(slices.Values(p.GoFiles)) {
		name = filepath.Join(dir, name)
		var src any
		if text := sources[name]; text != nil {
			src = text
		}
		f, err := parser.ParseFile(l.fset, name, src,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// hookPath is what rewritten code imports, and underPath what it does where package hook depends on
// it. stopPath has the function at which a debugger stops.
const (
	hookPath  = rehearse.Linked + "/runtime/hook"
	underPath = rehearse.Linked + "/runtime/under"
	stopPath  = rehearse.Linked + "/runtime/stop"
)
