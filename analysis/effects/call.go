package effects

import (
	"golang.org/x/tools/go/ssa"
)

// calls returns the functions that a call leads to, and the effects of callees that are unknown or
// have no body.
func (a *summaries) calls(site ssa.CallInstruction) ([]invocation, []Effect) {
	if _, ok := site.(*ssa.Defer); ok {
		return nil, nil // done by RunDefers, which is counted with the function
	}
	return a.invoked(site)
}

// invoked is calls for deferred calls, too.
func (a *summaries) invoked(site ssa.CallInstruction) ([]invocation, []Effect) {
	c := site.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil, nil
	}
	callees, external, ok := a.aliases.Callees(site)
	if !ok {
		return nil, []Effect{{Kind: Unknown, State: -1, What: "call of " + a.callName(c),
			Pos: pos(site)}}
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

func (a *summaries) invocation(site ssa.CallInstruction, fn *ssa.Function) invocation {
	_, spawned := site.(*ssa.Go)
	_, direct := site.Common().Value.(*ssa.MakeClosure)
	static := site.Common().StaticCallee() == fn || site.Common().IsInvoke()
	of := whole
	if spawned && a.starts[fn] != nil {
		of = start
	}
	return invocation{
		to: a.summary(fn, of), site: site, spawned: spawned, direct: direct, args: static,
	}
}

// deferred returns whom the deferred calls of fn lead to: they run with RunDefers.
func (a *summaries) deferred(fn *ssa.Function) ([]invocation, []Effect) {
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

func (a *summaries) callback(site ssa.CallInstruction, fn *ssa.Function, direct bool) []invocation {
	if len(fn.Blocks) == 0 {
		return nil
	}
	c := a.invocation(site, fn)
	c.direct, c.args = direct, false
	return []invocation{c}
}
