package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// Config says what to load.
type Config struct {
	Dir      string   // working directory; "" is the process's
	Env      []string // environment of the go command; nil is the process's
	Patterns []string // go package patterns, or the .go files of one package; none means "."
	Tags     string   // as go build -tags
	Flags    []string // more build flags for the go command
	Tests    bool     // load test files, too
	Deps     bool     // load the syntax of third-party dependencies, too
	Beside   []string // load the syntax of the modules that have these packages, too

	// Overlay says where the text of files of the standard library is that an -overlay among the
	// flags replaces.
	Overlay map[string]string

	// Exports has files of export data by import path, which an earlier Load has found with the
	// same flags. Load adds to it. Only with Deps: all such packages are of the standard library.
	Exports map[string]string
}

// Result is all that was loaded.
type Result struct {
	Fset *token.FileSet
	// of the go command that listed the packages; "" if no package needs the standard library
	GOROOT   string
	Targets  []*Target  // by import path
	Packages []*Package // every source package, dependencies first

	dir     string // absolute Config.Dir
	once    sync.Once
	program *ssa.Program
}

// Target is a package that a pattern names, as its tests see it.
type Target struct {
	Path string
	// the variant with the in-package test files, or the plain package if there are none
	Package *Package
	XTest   *Package // the external test package, or nil
	// other source packages of main modules in the test binary, dependencies first
	Deps       []*Package
	ThirdParty []*Package // source packages of other modules in the test binary, dependencies first
}

// Package is one source package.
type Package struct {
	ID       string // as go list prints it: "p", "p [p.test]", "p_test [p.test]"
	Path     string // import path, without the suffix of a variant
	Name     string
	Dir      string
	ForTest  string   // import path of the package this variant is for, or ""
	GoFiles  []string // absolute; Go files as written, test files included in a test variant
	Compiled []string // absolute; what the compiler reads. Differs from GoFiles where cgo is used
	Module   *Module  // nil in the standard library and for .go files named as patterns
	Main     bool     // belongs to a main module, or was named as files
	Std      bool     // belongs to the standard library
	// language version, "go1.21"; a file's //go:build line may raise it, see Info.FileVersions
	GoVersion string
	Imports   []string // import paths, sorted; those of the standard library included

	Syntax []*ast.File // parallel to Compiled
	Types  *types.Package
	Info   *types.Info
	Sizes  types.Sizes

	deps []*Package // imported source packages, in the order of Imports
	// deps by the path in the import declaration, which vendoring and variants make another
	source map[string]*Package
	export map[string]string // the paths of all other imports, likewise
	errors []string          // "file:line:col: message"
	done   chan struct{}
}

// Module is the module of a package.
type Module struct {
	Path, Version, Dir, GoMod string
}

// Load loads the packages that c names. The error, if any, is an *Error.
func Load(c Config) (*Result, error) {
	l, err := list(c)
	if err != nil {
		return nil, err
	}
	r := l.result(c)
	if err := l.missing(c, r); err != nil {
		return nil, err
	}
	if err := l.compile(c, r); err != nil {
		return nil, err
	}
	r.check(newLibrary(r.Fset, l), c.Overlay)
	return r, r.broken()
}

// InMain returns the source packages of main modules, dependencies first, one per import path: the
// variant that a target's own tests use if there is one. External test packages follow the package
// they test.
func (r *Result) InMain() []*Package {
	chosen := map[string]bool{}
	for _, t := range r.Targets {
		chosen[t.Package.ID] = true
		if t.XTest != nil {
			chosen[t.XTest.ID] = true
		}
	}
	var out []*Package
	for _, p := range r.Packages {
		if chosen[p.ID] || p.Main && p.ForTest == "" && r.Target(p.Path) == nil {
			out = append(out, p)
		}
	}
	return out
}

// Target returns the target of that import path, or nil.
func (r *Result) Target(path string) *Target {
	for _, t := range r.Targets {
		if t.Path == path {
			return t
		}
	}
	return nil
}
