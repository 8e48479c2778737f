package discipline

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Index has the code of a package: its functions, their callers, and their operations on channels.
type Index struct {
	Pass    *analysis.Pass
	uses    uses            // what functions of other packages do to channels
	funcs   []*ssa.Function // with bodies, in source order
	known   map[*ssa.Function]bool
	Methods map[string][]*ssa.Function              // by name
	Callers map[*ssa.Function][]ssa.CallInstruction // static calls
	callees map[*ssa.Function][]*ssa.Function       // by static calls, go statements aside
	Ops     []*Op                                   // in source order
	ByInstr map[ssa.Instruction][]*Op
	Stores  map[*types.Var][]*ssa.Store // to fields
}

func newIndex(pass *analysis.Pass) *Index {
	return &Index{
		Pass: pass, uses: pass.ResultOf[Params].(uses), known: map[*ssa.Function]bool{},
		Methods: map[string][]*ssa.Function{},
		Callers: map[*ssa.Function][]ssa.CallInstruction{},
		callees: map[*ssa.Function][]*ssa.Function{},
		ByInstr: map[ssa.Instruction][]*Op{}, Stores: map[*types.Var][]*ssa.Store{},
	}
}

// addFunctions takes the functions of the package in.
func (c *Index) addFunctions(funcs []*ssa.Function) {
	c.funcs = funcs
	for _, fn := range funcs {
		c.known[fn] = true
		if fn.Signature.Recv() != nil {
			c.Methods[fn.Name()] = append(c.Methods[fn.Name()], fn)
		}
	}
}

// Canon returns the function of the package that fn is, or is an instance of; nil if it is of
// another package.
func (c *Index) Canon(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if c.known[fn] {
		return fn
	}
	return nil
}

// Static returns the function of the package that a call runs for certain, or nil.
func (c *Index) Static(call *ssa.CallCommon) *ssa.Function { return c.Canon(call.StaticCallee()) }

// Functions returns the functions, methods and function literals with bodies, in source order.
func (c *Index) Functions() []*ssa.Function { return c.funcs }

// Each calls f with each instruction of the package.
func (c *Index) Each(f func(ssa.Instruction)) {
	for _, fn := range c.funcs {
		for i := range kernel.All(fn) {
			f(i)
		}
	}
}

// fill looks at all instructions.
func (c *Index) fill() {
	c.Each(func(instr ssa.Instruction) {
		if call, ok := instr.(ssa.CallInstruction); ok {
			c.indexCall(call)
		}
		if st, ok := instr.(*ssa.Store); ok {
			if addr, ok := st.Addr.(*ssa.FieldAddr); ok {
				v := kernel.FieldVar(addr.X.Type(), addr.Field)
				c.Stores[v] = append(c.Stores[v], st)
			}
		}
		for _, o := range c.operations(instr) {
			c.Ops = append(c.Ops, o)
			c.ByInstr[instr] = append(c.ByInstr[instr], o)
		}
	})
}

// indexCall notes a call of a function of the package.
func (c *Index) indexCall(call ssa.CallInstruction) {
	fn := c.Static(call.Common())
	if fn == nil {
		return
	}
	c.Callers[fn] = append(c.Callers[fn], call)
	if from := call.Parent(); !kernel.IsGo(call) && !slices.Contains(c.callees[from], fn) {
		c.callees[from] = append(c.callees[from], fn)
	}
}

// Reach returns fn and the functions that it calls statically, at any depth.
func (c *Index) Reach(fn *ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		for _, g := range c.callees[work[0]] {
			if !seen[g] {
				seen[g] = true
				work = append(work, g)
			}
		}
	}
	return seen
}

// Exported reports whether other packages may call fn.
func (c *Index) Exported(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return false
	}
	return c.Pass.Pkg.Name() != "main" || obj.Signature().Recv() != nil
}

// Public reports whether other packages can name fn, a method, and call it when they like.
func (c *Index) Public(fn *ssa.Function) bool {
	if !c.Exported(fn) || fn.Signature.Recv() == nil || c.Pass.Pkg.Name() == "main" {
		return false
	}
	n, ok := types.Unalias(kernel.Deref(fn.Signature.Recv().Type())).(*types.Named)
	return ok && n.Obj().Exported()
}

// Hidden returns the declaration of a concrete type that other packages cannot name, or nil. A
// generic type is not looked at.
func (c *Index) Hidden(t types.Type) *types.TypeName {
	n, ok := types.Unalias(kernel.Deref(t)).(*types.Named)
	if !ok || types.IsInterface(n) || n.Obj().Exported() || n.Obj().Pkg() != c.Pass.Pkg ||
		n.TypeParams().Len() > 0 {
		return nil
	}
	return n.Obj()
}

// At writes a position for a message: "file.go:12".
func (c *Index) At(pos token.Pos) string {
	p := c.Pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// InTest reports whether pos is in a test file.
func (c *Index) InTest(pos token.Pos) bool {
	return strings.HasSuffix(c.Pass.Fset.Position(pos).Filename, "_test.go")
}

// implementations returns the methods of the package that an interface call may run.
func (c *Index) implementations(call *ssa.CallCommon) []*ssa.Function {
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var out []*ssa.Function
	for _, fn := range c.Methods[call.Method.Name()] {
		recv := fn.Signature.Recv().Type()
		if types.Implements(recv, iface) || types.Implements(types.NewPointer(recv), iface) {
			out = append(out, fn)
		}
	}
	return out
}
