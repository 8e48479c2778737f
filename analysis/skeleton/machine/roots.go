package machine

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
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
func (m *Machine) goOn(p *Proc, result Value) {
	m.gone = true
	v := result
	if t, ok := result.(Tuple); ok && len(t) > 0 {
		v = t[0]
		if is, known := isNil(m.resolve(t[len(t)-1])); len(t) > 1 && (!known || !is) {
			m.unfinished(Contradicts)
		}
	}
	if i, ok := v.(Iface); ok {
		v = i.V
	}
	if _, ok := v.(*Cell); !ok {
		m.unfinished(Contradicts)
		return
	}
	m.enterRoot(p, m.Then, 1)
	p.top().regs[0] = v
}

// enterRoot calls a root function with unknown arguments.
func (m *Machine) enterRoot(p *Proc, fn *ssa.Function, root int) {
	f := m.prog.Func(fn)
	args := make([]Value, f.Params)
	for i, v := range fn.Params {
		args[i] = m.interned(v.Type(), Param(root, v), v.Name(), v.Pos())
	}
	if fn.Signature.Recv() != nil && len(args) > 0 {
		m.answers[name(args[0])+" == nil"] = false
	}
	free := make([]Value, len(fn.FreeVars))
	for i, v := range fn.FreeVars {
		free[i] = m.interned(v.Type(), "free "+v.Name(), v.Name(), v.Pos())
	}
	m.push(p, f, args, free, -1, fn.Pos())
}
