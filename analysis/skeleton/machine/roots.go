package machine

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// Param names a parameter of a root function: of Root, which is number 0, or of one beside it.
func Param(root int, v *ssa.Parameter) string {
	if root == 0 {
		return "param " + v.Name()
	}
	return fmt.Sprintf("param%d %s", root, v.Name())
}

// DecisionOf is the name of a decision of root function 0 when that runs as another one.
func DecisionOf(root int, name string) string {
	return strconv.Itoa(root) + strings.TrimPrefix(name, "0")
}

// goOn makes the root process call Then on what the root function has returned. It ends if that has
// returned an error, or nothing.
func (p *Proc) goOn(result heap.Value) {
	p.m.gone = true
	v := result
	if t, ok := result.(heap.Tuple); ok && len(t) > 0 {
		v = t[0]
		if is, known := heap.IsNil(p.m.heap.Resolve(t[len(t)-1])); len(t) > 1 && (!known || !is) {
			p.m.unfinished(Contradicts)
		}
	}
	if i, ok := v.(heap.Iface); ok {
		v = i.V
	}
	if _, ok := v.(*heap.Cell); !ok {
		p.m.unfinished(Contradicts)
		return
	}
	p.enterRoot(p.m.Then, 1)
	p.top().regs[0] = v
}

// enterRoot calls a root function with unknown arguments.
func (p *Proc) enterRoot(fn *ssa.Function, root int) {
	f := p.m.prog.Func(fn)
	args := make([]heap.Value, f.Params)
	for i, v := range fn.Params {
		args[i] = p.m.heap.Interned(v.Type(), Param(root, v), v.Name(), v.Pos())
	}
	if fn.Signature.Recv() != nil && len(args) > 0 {
		p.m.heap.IsSet(args[0])
	}
	free := make([]heap.Value, len(fn.FreeVars))
	for i, v := range fn.FreeVars {
		free[i] = p.m.heap.Interned(v.Type(), fmt.Sprint("free ", v.Name(), "@", v.Pos()),
			v.Name(), v.Pos())
	}
	p.push(f, args, free, -1, fn.Pos())
}
