package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// resets reports whether a file assigns to an object of package sync, or to a variable that
// contains one:
//
//	c.once = sync.Once{}        *c = cache{}
//
// In such a program, the operations of these objects are accesses to them.
func resets(f *unit.File) (found bool) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if s, is := n.(*ast.AssignStmt); is && s.Tok == token.ASSIGN {
			for _, e := range s.Lhs {
				found = found || holdsSync(f.In.Info.TypeOf(e))
			}
		}
		return !found
	})
	return found
}

// holdsSync reports whether a variable of type t is, or contains, an object of package sync whose
// operations are accesses.
func holdsSync(t types.Type) bool {
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	if named, is := types.Unalias(t).(*types.Named); is {
		obj := named.Obj()
		if obj.Pkg() != nil && obj.Pkg().Path() == "sync" {
			switch obj.Name() {
			case "Mutex", "RWMutex", "WaitGroup", "Once":
				return true
			}
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return holdsSync(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if holdsSync(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}
