package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Receipt is a place where a goroutine receives.
type Receipt struct {
	Chan ssa.Value
}

// MayTake reports whether a receive from ch may take what s sends.
func (a *Analysis) MayTake(s *Sending, ch ssa.Value) bool {
	from, _ := s.channel()
	if !types.Identical(elementType(from), elementType(ch)) {
		return kernel.Alike(elementType(from), elementType(ch))
	}
	sent, ok := a.channels(s)
	if !ok {
		return true
	}
	taken, ok := a.aliases.Objects(ch)
	return !ok || intersect(sent, taken)
}

// SameChannel reports whether two sends may be to one channel.
func (a *Analysis) SameChannel(s, t *Sending) bool {
	x, _ := s.channel()
	y, _ := t.channel()
	if !types.Identical(elementType(x), elementType(y)) {
		return kernel.Alike(elementType(x), elementType(y))
	}
	sent, ok1 := a.channels(s)
	other, ok2 := a.channels(t)
	return !ok1 || !ok2 || intersect(sent, other)
}

// MadeAt reports whether all channels that s may send on are known, and made at places of which
// want holds.
func (a *Analysis) MadeAt(s *Sending, want func(token.Pos) bool) bool {
	made, ok := a.channels(s)
	return ok && len(made) > 0 &&
		!slices.ContainsFunc(made, func(o Object) bool { return !want(o.Pos) })
}

// channels returns the channels that s may send on: the make on this task's way to the send, if
// that is known, or all that the operand may be.
func (a *Analysis) channels(s *Sending) ([]Object, bool) {
	if s.Chan.Root != nil && s.Chan.Path == "" {
		if objects, ok := a.aliases.Objects(s.Chan.Root); ok {
			return objects, true
		}
	}
	ch, _ := s.channel()
	if s.Via != nil {
		ch = s.Via
	}
	return a.aliases.Objects(ch)
}

// channel returns the operands of the send.
func (s *Sending) channel() (ch, x ssa.Value) {
	switch i := s.Instr.(type) {
	case *ssa.Send:
		return i.Chan, i.X
	case *ssa.Select:
		return i.States[s.State].Chan, i.States[s.State].Send
	}
	panic("effects: a send that is none")
}

func intersect(xs, ys []Object) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.ID == y.ID {
				return true
			}
		}
	}
	return false
}

func elementType(ch ssa.Value) types.Type {
	if c, ok := ch.Type().Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return ch.Type()
}

// Kind returns the dynamic type of what s sends, if the channel is one of interfaces and the type
// is known; else nil.
func (a *Analysis) Kind(s *Sending) types.Type {
	ch, x := s.channel()
	if !types.IsInterface(elementType(ch)) {
		return nil
	}
	if m, ok := x.(*ssa.MakeInterface); ok {
		return m.X.Type()
	}
	if s.Value.Root == nil || s.Value.Path != "" || types.IsInterface(s.Value.Root.Type()) {
		return nil
	}
	return s.Value.Root.Type()
}

// Position writes a position.
func (a *Analysis) Position(pos token.Pos) facts.Pos {
	p, known := a.positions[pos]
	if !known {
		p = a.pos(pos)
		a.positions[pos] = p
	}
	return p
}

// Function returns the effects of fn and all that it calls, and where it receives: fn is the root
// of a goroutine that is no actor.
func (a *Analysis) Function(fn *ssa.Function) (*Task, []Receipt) {
	return a.sending(a.summary(fn, whole))
}

// Rest returns the effects of such a goroutine after its first operation that may wait, or that
// others notice. Starting goroutines is no such operation. The operation itself is left out.
func (a *Analysis) Rest(fn *ssa.Function) *Task {
	t, _ := a.sending(a.summary(fn, rest))
	return t
}

// sending returns what s sends, and where it receives.
func (a *gatherer) sending(s *summary) (*Task, []Receipt) {
	t := &Task{}
	var taking []Receipt
	for i, e := range s.open.list {
		if e.Kind == Send {
			t.Sends = append(t.Sends, Sending{Effect: e, Depth: s.open.depth[i]})
		}
	}
	g := a.gathering()
	seen := map[ssa.Value]bool{}
	a.reach([]invocation{{to: s}}, func(s *summary, depth int, spawned bool) {
		a.gather(g, s, depth, spawned, func(k Kind) bool { return k == Send })
		for _, r := range s.taking {
			if !spawned && !seen[r.Chan] {
				seen[r.Chan] = true
				taking = append(taking, r)
			}
		}
	})
	for i, n := range g.order {
		t.Sends = append(t.Sends, Sending{Effect: a.classes[n].send, Depth: g.found[i].depth})
	}
	t.sort()
	return t, taking
}

// gather adds what s does to g, those kinds of effects that want says.
func (a *gatherer) gather(g *gathered, s *summary, depth int, spawned bool, want func(Kind) bool) {
	for _, x := range s.sums {
		if !want(x.kind) || spawned && x.kind != Send {
			continue
		}
		n := x.class
		if spawned {
			e := a.classes[n].send
			e.Spawned = true
			n = a.number(classOf(e, nil, nil))
		}
		g.add(n, x.depth+depth, x.at...)
	}
}

// receives returns where instr receives.
func receives(instr ssa.Instruction) []Receipt {
	var out []Receipt
	switch i := instr.(type) {
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			out = append(out, Receipt{Chan: i.X})
		}
	case *ssa.Select:
		for _, st := range i.States {
			if st.Dir == types.RecvOnly {
				out = append(out, Receipt{Chan: st.Chan})
			}
		}
	}
	return out
}

// Elem returns the type of the messages of s's channel.
func (s *Sending) Elem() string {
	ch, _ := s.channel()
	return TypeName(elementType(ch))
}

// Calls returns the functions with bodies that fn may call, goroutines that it starts left out.
func (a *Analysis) Calls(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for instr := range kernel.All(fn) {
		calls, _ := a.does(instr)
		for _, c := range calls {
			if !c.spawned {
				out = append(out, c.to.functions()...)
			}
		}
	}
	return out
}

// functions are s's function, or those that s stands for.
func (s *summary) functions() []*ssa.Function {
	var out []*ssa.Function
	seen := map[*summary]bool{s: true}
	for work := []*summary{s}; len(work) > 0; {
		s := work[0]
		work = work[1:]
		if s.fn != nil {
			out = append(out, s.fn)
			continue
		}
		for _, c := range s.calls {
			if !seen[c.to] {
				seen[c.to] = true
				work = append(work, c.to)
			}
		}
	}
	return out
}
