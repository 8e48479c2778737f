package actors

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// pooled reports whether several processes of g receive from one channel at r: a pool of workers.
// The position is of the launch that shows it.
func (p *paths) pooled(g *Goroutine, r *Receive) (token.Pos, bool) {
	b, indexed := p.rootBase(r.Chan, r.run)
	if indexed {
		return token.NoPos, false
	}
	for i, l := range g.Launches {
		if p.sharedInLoop(b, l) || p.sharedWithEarlier(b, g.Launches[:i], l) {
			return l.Pos, true
		}
	}
	return token.NoPos, false
}

// sharedInLoop reports whether l, run in a loop, gives each process the same b.
func (p *paths) sharedInLoop(b ssa.Value, l *Launch) bool {
	if _, ok := b.(*ssa.Global); ok {
		return p.repeated(l.At, 0)
	}
	v := p.bind(l, b)
	return v != nil && p.invariant(v, l.At, 0)
}

// maxCallers is how many callers up a launch is looked for in a loop.
const maxCallers = 2

// repeated reports whether instr is run in a loop of its function or of a caller.
func (p *paths) repeated(instr ssa.Instruction, depth int) bool {
	if p.cyclic(instr) {
		return true
	}
	return slices.ContainsFunc(p.callers[instr.Parent()], func(c ssa.CallInstruction) bool {
		return depth < maxCallers && !p.restarts(c) && p.repeated(c, depth+1)
	})
}

// invariant reports whether instr runs in a loop in which v stays the same. The loop may be around
// a call of the function that instr is in.
func (p *paths) invariant(v ssa.Value, instr ssa.Instruction, depth int) bool {
	if c := p.cycle(instr); c != 0 {
		return !p.varies(v, instr, 0)
	}
	param, ok := p.start(v).(*ssa.Parameter)
	if !ok || depth == maxCallers {
		return false
	}
	for _, call := range p.callers[param.Parent()] {
		a := kernel.Argument(call.Common(), kernel.ParamIndex(param))
		if a != nil && p.invariant(a, call, depth+1) && !p.restarts(call) {
			return true
		}
	}
	return false
}

// restarts reports whether the loop around a call waits for something in each round, or ends the
// process that it has started. Then the process of one round has ended when the next one begins. A
// loop that starts the workers of a pool does neither.
func (p *paths) restarts(call ssa.CallInstruction) bool {
	c := p.cycle(call)
	if c == 0 {
		return false
	}
	for instr := range kernel.All(call.Parent()) {
		if p.cycle(instr) == c && (receives(instr) || p.stops(instr, 0)) {
			return true
		}
	}
	return false
}

// stops reports whether a call, or one that it leads to, closes a channel or cancels a context.
func (p *paths) stops(instr ssa.Instruction, depth int) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	if n, ok := common.Value.Type().(*types.Named); ok && n.Obj().Name() == "CancelFunc" {
		return true
	}
	fn := common.StaticCallee()
	if fn == nil || depth == maxCallers {
		return false
	}
	if _, starts := call.(*ssa.Go); starts {
		return false
	}
	for instr := range kernel.All(fn) {
		if p.stops(instr, depth+1) {
			return true
		}
	}
	return false
}

// receives reports whether an instruction receives, or is a select without a default case.
func receives(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		return instr.Blocking
	}
	return false
}

// start is base, with nil for an element of a container.
func (p *paths) start(v ssa.Value) ssa.Value {
	b, indexed := p.base(v)
	if indexed {
		return nil
	}
	return b
}

// varies reports whether v may differ between the iterations of the loop around instr.
func (p *paths) varies(v ssa.Value, instr ssa.Instruction, depth int) bool {
	def, ok := v.(ssa.Instruction)
	inside := ok && def.Parent() == instr.Parent() && p.cycle(def) == p.cycle(instr)
	switch v := v.(type) {
	case *ssa.Alloc:
		return inside || p.storedIn(v, instr)
	case *ssa.IndexAddr:
		return p.varies(v.X, instr, depth+1) || p.varies(v.Index, instr, depth+1)
	case *ssa.Lookup:
		return p.varies(v.X, instr, depth+1) || p.varies(v.Index, instr, depth+1)
	case *ssa.Phi:
		return inside
	}
	if !inside {
		return false
	}
	if x := p.operand(v); x != nil && depth < maxDepth {
		return p.varies(x, instr, depth+1)
	}
	return true
}

// storedIn reports whether the loop around instr stores to the variable v.
func (p *paths) storedIn(v *ssa.Alloc, instr ssa.Instruction) bool {
	for _, ref := range *v.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == v && s.Parent() == instr.Parent() &&
			p.cycle(s) == p.cycle(instr) {
			return true
		}
	}
	return false
}

// sharedWithEarlier reports whether an earlier go statement of the same function starts the same
// root with the same b.
func (p *paths) sharedWithEarlier(b ssa.Value, earlier []*Launch, l *Launch) bool {
	v := p.bind(l, b)
	if v == nil {
		return false
	}
	for _, e := range earlier {
		w := p.bind(e, b)
		if w != nil && e.In() == l.In() && p.samePlace(v, w) && together(e.At, l.At) {
			return true
		}
	}
	return false
}

// samePlace reports whether two values are the same, or the same fields of one base.
func (p *paths) samePlace(v, w ssa.Value) bool {
	for range maxDepth {
		a, field := p.toField(v)
		b, other := p.toField(w)
		if field != other || a == nil || b == nil {
			return false
		}
		if field < 0 {
			return a == b
		}
		v, w = a, b
	}
	return false
}

// toField follows a value to the field that it is a copy of: it returns what has the field, and its
// number. It returns the base, and -1, where there is no field on the way, and nil for an element
// of a container.
func (p *paths) toField(v ssa.Value) (of ssa.Value, field int) {
	for range maxDepth {
		switch f := v.(type) {
		case *ssa.FieldAddr:
			return f.X, f.Field
		case *ssa.Field:
			return f.X, f.Field
		case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
			return nil, -1
		}
		x := p.operand(v)
		if x == nil {
			return v, -1
		}
		v = x
	}
	return nil, -1
}

// together reports whether one run of a function can execute both a and b.
func together(a, b ssa.Instruction) bool {
	return a.Block() == b.Block() || kernel.Way(a.Block(), b.Block()) ||
		kernel.Way(b.Block(), a.Block())
}
