package rewrite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/rewrite"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

const hookPath = "github.com/rehearse-go/rehearse/runtime/hook"

// world is what go list tells about a set of packages.
type world struct {
	export map[string]string // import path -> export data file
	files  map[string][]string
	vendor map[string]string // import path in source -> import path of the package

	importer func() types.Importer
}

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	ImportMap               map[string]string
	DepOnly                 bool
}

// list asks go list for packages with their dependencies.
func list(patterns ...string) (*world, error) {
	args := append([]string{"list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,GoFiles,ImportMap,DepOnly"}, patterns...)
	cmd := exec.Command("go", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %v\n%s", err, stderr.String())
	}
	w := &world{export: map[string]string{}, files: map[string][]string{},
		vendor: map[string]string{}}
	w.importer = sync.OnceValue(w.imports)
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return w, nil
		} else if err != nil {
			return nil, err
		}
		w.add(&p)
	}
}

func (w *world) add(p *listed) {
	w.export[p.ImportPath] = p.Export
	maps.Copy(w.vendor, p.ImportMap)
	if !p.DepOnly {
		for _, f := range p.GoFiles {
			w.files[p.ImportPath] = append(w.files[p.ImportPath], p.Dir+"/"+f)
		}
	}
}

// std is what most tests need: package hook and some of the standard library.
var std = sync.OnceValues(func() (*world, error) {
	return list(hookPath, "fmt", "iter", "os", "os/signal", "runtime", "sync", "time", "errors",
		"strings", "bytes", "context", "io", "math/rand", "sort", "flag", "bufio", "container/heap",
		"container/ring", "text/template", "embed")
})

// imports returns an importer for the packages of w.
func (w *world) imports() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := w.vendor[path]; ok {
			path = to
		}
		if w.export[path] == "" {
			return nil, fmt.Errorf("no export data for %q", path)
		}
		return os.Open(w.export[path])
	})
}

// check parses and type-checks a package.
func (w *world) check(path, goVersion string, names []string,
	sources map[string][]byte) (*unit.Input, error) {
	fset := token.NewFileSet()
	in := &unit.Input{
		Fset:      fset,
		Sources:   sources,
		GoVersion: goVersion,
		HookPath:  hookPath,
		Info: &types.Info{
			Types:        make(map[ast.Expr]types.TypeAndValue),
			Defs:         make(map[*ast.Ident]types.Object),
			Uses:         make(map[*ast.Ident]types.Object),
			Implicits:    make(map[ast.Node]types.Object),
			Selections:   make(map[*ast.SelectorExpr]*types.Selection),
			FileVersions: make(map[*ast.File]string),
		},
	}
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, sources[name],
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		in.Files = append(in.Files, f)
	}
	conf := types.Config{FakeImportC: true, Importer: w.importer(), GoVersion: goVersion,
		Sizes: types.SizesFor("gc", "amd64")}
	var err error
	in.Types, err = conf.Check(path, fset, in.Files, in.Info)
	return in, err
}

// rewritten rewrites a package, type-checks the result, and returns all its files.
func (w *world) rewritten(in *unit.Input) (map[string][]byte, error) {
	out, err := rewrite.Package(in)
	if err != nil {
		return nil, err
	}
	sources := make(map[string][]byte)
	var names []string
	for _, f := range in.Files {
		name := in.Fset.File(f.Package).Name()
		names = append(names, name)
		sources[name] = in.Sources[name]
		if text, ok := out.Files[name]; ok {
			sources[name] = text
		}
	}
	if _, err := w.check(in.Types.Path(), in.GoVersion, names, sources); err != nil {
		return sources, fmt.Errorf("the rewritten package does not type-check: %v", err)
	}
	return sources, nil
}

// standard returns std or ends the test.
func standard(t testing.TB) *world {
	t.Helper()
	w, err := std()
	if err != nil {
		t.Fatal(err)
	}
	return w
}
