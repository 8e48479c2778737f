package unit

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/cover"
)

// Input is one type-checked package.
type Input struct {
	Fset *token.FileSet
	// as type-checked; comments are needed only to recognize files that cgo wrote
	Files   []*ast.File
	Sources map[string][]byte // the text of each file, by the name that Fset knows it under
	Types   *types.Package
	Info    *types.Info // Types, Defs, Uses, Implicits, Selections and FileVersions

	GoVersion string // the module's language version, "go1.21"; the newest when empty
	HookPath  string // import path of package hook

	Maps bool // rewrite iterations over maps, too
	// which package-level variables an execution may change; nil: none
	State  func(*types.Var) bool
	Shared Shared // variables whose accesses are announced; nil: none
	// announce accesses only in functions that do nothing but a critical section
	Sections bool
	// InOrder is as in shared.Package, for all of them.
	InOrder bool
	// packages all of whose accesses to those are announced; nil: only this one is
	Announced func(*types.Package) bool
	// which makes of channels, by where they begin, are of mailboxes; nil: none
	Mailbox func(token.Position) bool
	// tell of the variables that functions may still use, so that states can be compared
	Live bool
	// tell of go statements whose processes cannot be told from each other
	Twins bool
	// tell of stores to variables that nothing reads but operations of package sync/atomic
	Seal bool
	// Files, Types and Info of another package that is rewritten, by its path; nil: it is not, or
	// none is known
	Others func(path string) *Input
	// which imported packages are the library's, whose variables are put back; nil: none
	Library func(path string) bool
	// leave the operations of package sync/atomic as they are
	PlainAtomics bool
	// tell when the program may have called an exported function
	Enters bool
	// number objects of synchronisation when their structs are made
	Births bool
	// the files whose blocks of statements are marked when they run, by path; nil: none
	Cover map[string]*Cover
}

// Cover is what is put into a file for -cover.
type Cover struct {
	Name       string // that the marks have
	Blocks     int
	Insertions []cover.Insertion
}

// Shared says which variables several processes may touch. Package analysis/shared finds them.
type Shared interface {
	Var(v *types.Var) bool
	Target(t types.Type) bool  // of pointers
	Element(t types.Type) bool // of slices
	Map(t types.Type) bool
	Parts(t types.Type) bool // a field inside of a struct or array of type t
	Own(v *types.Var) bool   // nobody else can touch a part of v
	Keeps(v *types.Var) bool // nobody else can touch an element of the slice or map in v
	// fn, of the library, may write what its i-th argument leads to
	MayWrite(fn *types.Func, i int) bool
}
