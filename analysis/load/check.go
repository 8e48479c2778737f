package load

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"sync"
)

// check parses and type-checks every package of r, as many at a time as there are processors.
func (r *Result) check(lib *library, overlay map[string]string) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	files := parseAll(readAll(r, overlay), r, slots)
	lib.open(r.Packages)
	for _, p := range r.Packages {
		go func() {
			defer close(p.done)
			for _, q := range p.deps {
				<-q.done
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			r.checkPackage(p, files, lib)
		}()
	}
	for _, p := range r.Packages {
		<-p.done
	}
}

// parsed is one file, shared by all variants of its package.
type parsed struct {
	name string
	src  []byte
	base int // of its positions
	fset *token.FileSet
	file *ast.File
	errs []string
	err  error // of reading it
}

// parseAll parses the files of all packages. The order of files in r.Fset, and so of positions, is
// the order of r.Packages however the parsing goes: the place of each file is known before, from
// its size.
func parseAll(files []*parsed, r *Result, slots chan struct{}) map[string]*parsed {
	var wg sync.WaitGroup
	for _, f := range files {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f.parse()
		})
	}
	wg.Wait()
	byName := map[string]*parsed{}
	for _, f := range files {
		byName[f.name] = f
		if f.file != nil {
			r.Fset.AddExistingFiles(f.fset.File(f.file.FileStart))
		}
		f.message(r)
	}
	return byName
}

// readAll reads the files and gives each a range of positions.
func readAll(r *Result, overlay map[string]string) []*parsed {
	var out []*parsed
	seen := map[string]bool{}
	base := r.Fset.Base()
	for _, p := range r.Packages {
		for _, name := range p.Compiled {
			if seen[name] {
				continue
			}
			seen[name] = true
			f := &parsed{name: name, base: base}
			f.src, f.err = os.ReadFile(cmp.Or(overlay[name], name))
			base += len(f.src) + 1
			out = append(out, f)
		}
	}
	return out
}

func (f *parsed) parse() {
	if f.err != nil {
		return
	}
	f.fset = token.NewFileSet()
	if f.base > 1 {
		f.fset.AddFile("", 1, f.base-2) // takes all positions before base
	}
	f.file, f.err = parser.ParseFile(f.fset, f.name, f.src,
		parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
}

func (f *parsed) message(r *Result) {
	var list scanner.ErrorList
	switch {
	case errors.As(f.err, &list):
		list.RemoveMultiples() // of a line, the first one counts
		for _, e := range list {
			f.errs = append(f.errs, r.relative(e.Pos).String()+": "+e.Msg)
		}
	case f.err != nil:
		f.errs = append(f.errs, f.err.Error())
	}
}

// checkPackage type-checks p. Syntax errors and missing imports cause follow-on errors in types,
// which are left out. The compiler's reports to go list repeat these errors, and are left out, too.
func (r *Result) checkPackage(p *Package, files map[string]*parsed, lib *library) {
	errs := append(located(p.errors), p.syntax(files)...)
	p.Types, p.Info = types.NewPackage(p.Path, p.Name), newInfo()
	found := r.checkTypes(p, lib)
	for _, q := range p.deps {
		if len(q.errors) > 0 {
			found = nil
		}
		if q.missing() {
			errs = append(errs, q.errors...)
		}
	}
	if len(errs) == 0 {
		errs = found
	}
	if !p.missing() {
		p.errors = errs
	}
}

// missing reports whether p is only an import for which the go command found no package. The error
// names the importer.
func (p *Package) missing() bool { return len(p.Compiled) == 0 && len(p.errors) > 0 }

// syntax takes the files of p and returns their errors.
func (p *Package) syntax(files map[string]*parsed) (errs []string) {
	for _, name := range p.Compiled {
		f := files[name]
		errs = append(errs, f.errs...)
		if f.file != nil {
			p.Syntax = append(p.Syntax, f.file)
		}
	}
	return errs
}

func (r *Result) checkTypes(p *Package, lib *library) []string {
	var errs []string
	c := types.Config{
		GoVersion: p.GoVersion,
		Sizes:     p.Sizes,
		Importer:  &importer{p: p, lib: lib},
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				errs = append(errs, r.message(e))
			}
		},
	}
	_ = types.NewChecker(&c, r.Fset, p.Types, p.Info).Files(p.Syntax)
	return errs
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
}

// importer resolves the imports of one package: variants see the variants they were compiled
// against.
type importer struct {
	p   *Package
	lib *library
}

// Import returns the package that path stands for in p.
func (i *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if q := i.p.source[path]; q != nil {
		return q.Types, nil
	}
	return i.lib.read(i.p.export[path])
}
