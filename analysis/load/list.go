package load

import (
	"bytes"
	"cmp"
	"go/build"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// listing is the package graph as the go command prints it, before anything is parsed.
type listing struct {
	roots  []*packages.Package
	goroot string
	byID   map[string]*Package // source packages
	beside map[string]bool     // modules of Config.Beside
	// import path of any other package, and of the standard library's -> file of export data
	export map[string]string
	// import paths in export: the data is that of the variant with the test files
	tested map[string]bool
}

// graph asks for the graph. It does not ask for types: check.go does the type-checking, because
// go/packages takes the syntax of all dependencies or of none. It does not ask for export data: for
// that, the go command compiles all packages.
const graph = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedForTest

// generated asks for the files that cgo and swig make. The go command reads the files of all
// packages then, those of the standard library included.
const generated = packages.NeedCompiledGoFiles

const exports = packages.NeedName | packages.NeedExportFile

func list(c Config) (*listing, error) {
	c.Patterns = c.Expanded()
	l, err := c.list(graph)
	switch {
	// of its packages, importers see export data of variants
	case err != nil || slices.ContainsFunc(l.roots, l.std):
		return c.list(graph | generated | exports) // which also says more of what is wrong
	case l.generates():
		return c.list(graph | generated)
	}
	return l, nil
}

// generates reports whether the compiler may read other files than those that authors have
// written, because of cgo or swig.
func (l *listing) generates() bool {
	for p := range packages.Postorder(l.roots) {
		if !l.std(p) && (slices.ContainsFunc(p.GoFiles, mayImportC) ||
			slices.ContainsFunc(p.OtherFiles, isSwig)) {
			return true
		}
	}
	return false
}

// mayImportC reports whether a file mentions "C", the import path of cgo.
func mayImportC(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil &&
		(bytes.Contains(text, []byte(`"C"`)) || bytes.Contains(text, []byte("`C`")))
}

func isSwig(file string) bool { return strings.HasPrefix(filepath.Ext(file), ".swig") }

func (c Config) list(mode packages.LoadMode) (*listing, error) {
	roots, err := packages.Load(&packages.Config{Mode: mode, Dir: c.Dir, Env: c.Env,
		BuildFlags: c.flags(), Tests: c.Tests}, c.patterns()...)
	if err != nil {
		return nil, &Error{Kind: Listing, Patterns: c.patterns(), Errors: goErrors(err.Error())}
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	return &listing{roots: roots, goroot: goroot(roots), byID: map[string]*Package{},
		export: map[string]string{}, tested: map[string]bool{}}, nil
}

// compile asks for the export data that source packages import and that is not known yet.
func (l *listing) compile(c Config, r *Result) error {
	wanted := map[string]bool{}
	for _, p := range r.Packages {
		for _, path := range p.export {
			switch file, listed := l.export[path]; {
			case !listed || file != "" || path == "unsafe":
			case c.Exports[path] != "":
				l.export[path] = c.Exports[path]
			default:
				wanted[path] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	err := c.export(slices.Sorted(maps.Keys(wanted)), l.export)
	for path := range wanted {
		if file := l.export[path]; file != "" && c.Exports != nil {
			c.Exports[path] = file
		}
	}
	return err
}

// export asks the go command for export data, and notes the file of each package. Package packages
// would ask twice, and list all that they import.
func (c Config) export(paths []string, files map[string]string) error {
	args := slices.Concat([]string{"list", "-e", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"},
		c.flags(), []string{"--"}, paths)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return &Error{Kind: Listing, Patterns: paths, Errors: goErrors(stderr.String())}
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		files[path] = file
	}
	return nil
}

// flags are the build flags for the go command.
func (c Config) flags() []string {
	if c.Tags == "" {
		return c.Flags
	}
	return append(slices.Clone(c.Flags), "-tags="+c.Tags)
}

func (c Config) patterns() []string {
	if len(c.Patterns) == 0 {
		return []string{"."}
	}
	return c.Patterns
}

func (c Config) dir() string {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return c.Dir
	}
	return dir
}

// goroot finds GOROOT from where package runtime is: it saves a process and is right when the go
// command switched toolchains.
func goroot(roots []*packages.Package) string {
	for p := range packages.Postorder(roots) {
		if p.ID == "runtime" && p.Dir != "" {
			return filepath.Dir(filepath.Dir(p.Dir))
		}
	}
	return ""
}

// result makes the packages of all targets and what they import.
func (l *listing) result(c Config) *Result {
	r := &Result{Fset: token.NewFileSet(), GOROOT: l.goroot, dir: c.dir()}
	targets := l.targetRoots()
	l.beside = modulesOf(targets, c.Beside)
	named := map[string]bool{}
	for _, p := range targets {
		named[p.ID] = true
	}
	sizes := types.SizesFor("gc", build.Default.GOARCH)
	for p := range packages.Postorder(targets) {
		if named[p.ID] || l.needsSource(p, c) {
			n := l.newPackage(p, sizes)
			l.byID[p.ID] = n
			r.Packages = append(r.Packages, n)
		}
		l.exports(p)
	}
	r.Targets = l.targets(targets)
	return r
}

// exports notes the export data of a package that importers see as such. Of the variants of one
// package the one with its own test files declares the most.
func (l *listing) exports(p *packages.Package) {
	if l.imported(p) == nil && !l.tested[p.PkgPath] {
		l.export[p.PkgPath] = p.ExportFile
		l.tested[p.PkgPath] = p.ForTest == p.PkgPath
	}
}

// targetRoots drops the generated main packages of test binaries and the plain packages of which
// there is a variant.
func (l *listing) targetRoots() []*packages.Package {
	tested := map[string]bool{}
	for _, p := range l.roots {
		if p.ForTest != "" && p.PkgPath == p.ForTest {
			tested[p.ForTest] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(l.roots), func(p *packages.Package) bool {
		return isTestMain(p) || p.ForTest == "" && tested[p.PkgPath]
	})
}

// isTestMain reports whether p is a test binary's generated main package.
func isTestMain(p *packages.Package) bool {
	return strings.HasSuffix(p.ID, ".test") && len(p.GoFiles) == 1 &&
		strings.HasSuffix(p.GoFiles[0], "_testmain.go") ||
		strings.HasSuffix(p.ID, ".test") && p.Name == "main" &&
			p.Imports["testing/internal/testdeps"] != nil
}

// needsSource reports whether p is to be parsed. An importer of a source package must be a source
// package, or its types would come from another type-checking of the same code. Imports have been
// decided already. Importers of the standard library see export data even of a target: everything
// imports it.
func (l *listing) needsSource(p *packages.Package, c Config) bool {
	for _, q := range p.Imports {
		if l.imported(q) != nil {
			return true
		}
	}
	return !l.std(p) && (c.Deps || isMain(p) || l.beside[p.Module.Path])
}

// modulesOf returns the paths of the modules that have these packages.
func modulesOf(roots []*packages.Package, paths []string) map[string]bool {
	set := map[string]bool{}
	if len(paths) == 0 {
		return set
	}
	for p := range packages.Postorder(roots) {
		if p.Module != nil && slices.Contains(paths, p.PkgPath) {
			set[p.Module.Path] = true
		}
	}
	return set
}

// imported returns the source package that importers of p see, or nil if they see export data.
func (l *listing) imported(p *packages.Package) *Package {
	if q := l.byID[p.ID]; q != nil && !q.Std {
		return q
	}
	return nil
}

// std reports whether p is in the standard library.
func (l *listing) std(p *packages.Package) bool {
	if p.Module != nil {
		return p.Module.Path == "std"
	}
	return p.ID == "unsafe" ||
		l.goroot != "" && strings.HasPrefix(p.Dir,
			filepath.Join(l.goroot, "src")+string(filepath.Separator))
}

// isMain reports whether p belongs to a main module. Files named as patterns have no module.
func isMain(p *packages.Package) bool { return p.Module == nil || p.Module.Main }

func (l *listing) newPackage(p *packages.Package, sizes types.Sizes) *Package {
	n := &Package{ID: p.ID, Path: p.PkgPath, Name: p.Name, Dir: p.Dir, ForTest: p.ForTest,
		GoFiles:  p.GoFiles,
		Compiled: compiledFiles(p), Std: l.std(p),
		Main:   isMain(p) && !l.std(p),
		Module: newModule(p.Module), GoVersion: goVersion(p.Module), Sizes: sizes,
		done: make(chan struct{})}
	n.Imports = slices.Sorted(maps.Keys(p.Imports))
	n.source, n.export = map[string]*Package{}, map[string]string{}
	for _, path := range n.Imports {
		if q := l.imported(p.Imports[path]); q != nil {
			n.deps = append(n.deps, q)
			n.source[path] = q
		} else {
			n.export[path] = p.Imports[path].PkgPath
		}
	}
	for _, e := range p.Errors {
		n.errors = append(n.errors, listError(e))
	}
	return n
}

// compiledFiles lists what the compiler reads: all files as written, unless the go command was
// asked. It drops the assembly files that go/packages lists as compiled files of packages with cgo.
func compiledFiles(p *packages.Package) []string {
	files := p.CompiledGoFiles
	if files == nil {
		files = p.GoFiles
	}
	return slices.DeleteFunc(slices.Clone(files),
		func(f string) bool { return filepath.Ext(f) == ".s" })
}

func newModule(m *packages.Module) *Module {
	if m == nil {
		return nil
	}
	n := &Module{Path: m.Path, Version: m.Version, Dir: m.Dir, GoMod: m.GoMod}
	if m.Replace != nil {
		n.Dir, n.GoMod = m.Replace.Dir, m.Replace.GoMod
	}
	return n
}

// goVersion is the language version of a module; a go.mod file without a go line means 1.16.
func goVersion(m *packages.Module) string {
	switch {
	case m == nil:
		return ""
	case m.GoVersion != "":
		return "go" + m.GoVersion
	}
	return "go1.16"
}

// targets pairs each package with its external test package and divides its dependencies.
func (l *listing) targets(roots []*packages.Package) []*Target {
	byPath := map[string]*Target{}
	for _, p := range roots {
		n := l.byID[p.ID]
		path := n.Path
		if isXTest(p) {
			path = p.ForTest
		}
		t := byPath[path]
		if t == nil {
			t = &Target{Path: path}
			byPath[path] = t
		}
		if isXTest(p) {
			t.XTest = n
		} else {
			t.Package = n
		}
	}
	var out []*Target
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		out = append(out, byPath[path].close())
	}
	return out
}

func isXTest(p *packages.Package) bool { return p.ForTest != "" && p.PkgPath == p.ForTest+"_test" }

// close fills in the dependencies of t.
func (t *Target) close() *Target {
	seen := map[*Package]bool{}
	var visit func(p *Package)
	visit = func(p *Package) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, q := range p.deps {
			visit(q)
		}
		switch {
		case p == t.Package || p == t.XTest:
		case p.Main:
			t.Deps = append(t.Deps, p)
		default:
			t.ThirdParty = append(t.ThirdParty, p)
		}
	}
	visit(t.Package)
	visit(t.XTest)
	return t
}
