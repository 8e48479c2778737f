package blocking

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Codes is the analyzer that tells other packages the code of exported functions, as facts. The
// standard library tells none: tables have the effects of its functions.
var Codes = &analysis.Analyzer{
	Name:       "rehearsecodes",
	Doc:        "find the code of exported functions that may block",
	Requires:   []*analysis.Analyzer{discipline.Built},
	FactTypes:  []analysis.Fact{new(skeleton.Code)},
	ResultType: reflect.TypeFor[program](),
	Run:        func(pass *analysis.Pass) (any, error) { return tell(pass), nil },
}

// program makes the program of a package, once; nil if it has no functions to look at.
type program func() *skeleton.Program

// maxInstructions bounds the code that one package tells others: some 64 kB.
const maxInstructions = 6_000

// tell exports the facts of a package, and returns its program.
func tell(pass *analysis.Pass) program {
	prog := program(sync.OnceValue(func() *skeleton.Program { return untested(pass) }))
	if pass.ExportObjectFact == nil || standardLibrary(pass) || prog() == nil {
		return prog
	}
	left := maxInstructions
	for _, fn := range prog().Functions() {
		obj, ok := fn.Object().(*types.Func)
		if !ok || obj.Pkg() != pass.Pkg {
			continue
		}
		if code := prog().Code(fn); code != nil && code.Size() <= left {
			left -= code.Size()
			pass.ExportObjectFact(obj, code)
		}
	}
	return prog
}

// untested makes the program of the functions that are not in test files: rehearse test runs
// those, and no other code calls them by name.
func untested(pass *analysis.Pass) *skeleton.Program {
	source := pass.ResultOf[discipline.Built].(*discipline.Source)
	funcs := slices.DeleteFunc(slices.Clone(source.Functions()), func(fn *ssa.Function) bool {
		return strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go")
	})
	if len(funcs) == 0 {
		return nil
	}
	return skeleton.NewProgram(funcs[0].Prog, funcs, func(fn *types.Func) *skeleton.Code {
		code := new(skeleton.Code)
		if pass.ImportObjectFact == nil || fn.Pkg() == pass.Pkg ||
			!pass.ImportObjectFact(fn, code) {
			return nil
		}
		return code
	})
}

// standardLibrary reports whether a package is of the standard library.
func standardLibrary(pass *analysis.Pass) bool {
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && (pass.Module == nil || pass.Module.Path == "")
}
