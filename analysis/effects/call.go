package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// calls returns whom a call leads to, and what it does where that is not known or has no body.
func (a *Analysis) calls(site ssa.CallInstruction) ([]invocation, []Effect) {
	if _, ok := site.(*ssa.Defer); ok {
		return nil, nil // done by RunDefers, which is counted with the function
	}
	return a.invoked(site)
}

// invoked is calls for deferred calls, too.
func (a *Analysis) invoked(site ssa.CallInstruction) ([]invocation, []Effect) {
	c := site.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil, nil
	}
	callees, external, ok := a.aliases.Callees(site)
	if !ok {
		return nil, []Effect{{Kind: Unknown, State: -1, What: "call of " + a.callName(c), Pos: pos(site)}}
	}
	var out []invocation
	var effects []Effect
	for _, fn := range callees {
		if len(fn.Blocks) > 0 {
			out = append(out, a.invocation(site, fn))
			continue
		}
		calls, more := a.external(site, fn)
		out, effects = append(out, calls...), append(effects, more...)
	}
	if external {
		effects = append(effects, a.unseen(site)...)
	}
	return out, effects
}

func (a *Analysis) invocation(site ssa.CallInstruction, fn *ssa.Function) invocation {
	_, spawned := site.(*ssa.Go)
	_, direct := site.Common().Value.(*ssa.MakeClosure)
	static := site.Common().StaticCallee() == fn || site.Common().IsInvoke()
	return invocation{
		to: a.summary(fn, spawned && a.starts[fn] != nil), site: site, spawned: spawned, direct: direct, args: static,
	}
}

// deferred returns whom the deferred calls of fn lead to: they run with RunDefers.
func (a *Analysis) deferred(fn *ssa.Function) ([]invocation, []Effect) {
	var out []invocation
	var effects []Effect
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			calls, more := a.invoked(d)
			out, effects = append(out, calls...), append(effects, more...)
			if b, ok := d.Call.Value.(*ssa.Builtin); ok {
				effects = append(effects, a.builtin(d, b.Name())...)
			}
		}
	}
	return out, effects
}

// handed returns whom external code may call by what it is given: function values, and the methods of what is in
// interfaces.
func (a *Analysis) handed(site ssa.CallInstruction, methods func(*types.Func) bool) ([]invocation, []Effect) {
	var out []invocation
	var effects []Effect
	for _, arg := range site.Common().Args {
		for _, v := range elementsOf(arg) {
			calls, more := a.handedValue(site, v, methods)
			out, effects = append(out, calls...), append(effects, more...)
		}
	}
	return out, effects
}

// elementsOf returns the values in the slice that go/ssa makes of variadic arguments, or v itself.
func elementsOf(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return []ssa.Value{v}
	}
	at, ok := s.X.(*ssa.Alloc)
	if !ok || at.Comment != "varargs" {
		return []ssa.Value{v}
	}
	var out []ssa.Value
	for _, ref := range *at.Referrers() {
		if i, ok := ref.(*ssa.IndexAddr); ok {
			for _, use := range *i.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == i {
					out = append(out, st.Val)
				}
			}
		}
	}
	return out
}

func (a *Analysis) handedValue(site ssa.CallInstruction, v ssa.Value, methods func(*types.Func) bool) ([]invocation, []Effect) {
	switch x := v.(type) {
	case *ssa.ChangeType:
		return a.handedValue(site, x.X, methods)
	case *ssa.Function:
		return a.callback(site, x, false), nil
	case *ssa.MakeClosure:
		return a.callback(site, x.Fn.(*ssa.Function), true), nil
	case *ssa.MakeInterface:
		if sig, ok := x.X.Type().Underlying().(*types.Signature); ok && sig != nil {
			return a.handedValue(site, x.X, methods)
		}
		return a.methodsOf(site, x.X.Type(), methods), nil
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Signature:
		return a.anyOf(site, t)
	case *types.Interface:
		if t.NumMethods() > 0 || methods != nil {
			return a.anyMethods(site, t, methods), nil
		}
	}
	return nil, nil
}

// anyOf returns the functions of a signature whose value is taken.
func (a *Analysis) anyOf(site ssa.CallInstruction, sig *types.Signature) ([]invocation, []Effect) {
	key := signature(sig)
	fns := a.types.values[key]
	c := a.several(site, "func "+key, func() []*ssa.Function { return fns })
	if len(fns) == 0 || a.types.foreign[key] {
		return c, []Effect{{Kind: Unknown, State: -1, What: "function value that " + a.callName(site.Common()) + " may call", Pos: pos(site)}}
	}
	return c, nil
}

// several returns a call of something that calls all of some functions, which is made once for each name.
func (a *Analysis) several(site ssa.CallInstruction, name string, fns func() []*ssa.Function) []invocation {
	s := a.groups[name]
	if s == nil {
		s = a.newSummary(nil, false)
		a.groups[name] = s
		for _, fn := range fns() {
			if len(fn.Blocks) > 0 {
				s.call(invocation{to: a.summary(fn, false), site: site})
			}
		}
	}
	_, spawned := site.(*ssa.Go)
	return []invocation{{to: s, site: site, spawned: spawned}}
}

func (a *Analysis) callback(site ssa.CallInstruction, fn *ssa.Function, direct bool) []invocation {
	if len(fn.Blocks) == 0 {
		return nil
	}
	c := a.invocation(site, fn)
	c.direct, c.args = direct, false
	return []invocation{c}
}

// methodsOf returns the methods of a type that external code may call.
func (a *Analysis) methodsOf(site ssa.CallInstruction, t types.Type, methods func(*types.Func) bool) []invocation {
	var out []invocation
	for sel := range a.prog.MethodSets.MethodSet(t).Methods() {
		m, ok := sel.Obj().(*types.Func)
		if !ok || methods != nil && !methods(m) {
			continue
		}
		if fn := a.prog.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 {
			c := a.invocation(site, fn)
			c.args = false
			out = append(out, c)
		}
	}
	return out
}

// anyMethods returns the methods that external code may call of a value in an interface of type iface.
func (a *Analysis) anyMethods(site ssa.CallInstruction, iface *types.Interface, methods func(*types.Func) bool) []invocation {
	name := types.TypeString(iface, nil)
	for _, m := range []string{"String", "Error", "Close"} { // tells the filters apart
		if methods != nil && methods(types.NewFunc(0, nil, m, types.NewSignatureType(nil, nil, nil, nil, nil, false))) {
			name += " " + m
		}
	}
	return a.several(site, name, func() []*ssa.Function {
		var out []*ssa.Function
		for _, t := range a.types.converted {
			if types.Implements(t, iface) {
				for _, c := range a.methodsOf(site, t, methods) {
					out = append(out, c.to.fn)
				}
			}
		}
		return out
	})
}
