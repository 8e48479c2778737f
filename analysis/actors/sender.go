package actors

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// senders finds, for each mailbox of the actors, who sends to it and what.
func (p *mailboxes) senders(actors []*Actor) {
	r := p.runners(actors)
	for _, a := range actors {
		for i, b := range a.Boxes {
			b.Sends = p.sendsToBox(b)
			for _, s := range b.Sends {
				b.Senders = append(b.Senders, p.sender(s, a.tasksOf(b), r))
			}
			a.Mailboxes[i] = b.Mailbox
		}
	}
}

// tasksOf returns the handlers of b's messages.
func (a *Actor) tasksOf(b *Box) []*Handler {
	var out []*Handler
	for _, h := range a.Tasks {
		if slices.Contains(b.Receives, h.Receive) {
			out = append(out, h)
		}
	}
	return out
}

func (p *mailboxes) sender(s *Send, hs []*Handler, r *runners) facts.Sender {
	f := facts.Sender{Pos: p.pos(s.Pos), In: shortName(s.Instr.Parent()), Close: s.X == nil,
		From: r.of(s.Instr)}
	if s.X != nil && len(hs) > 1 {
		f.Kinds = p.kindsOf(s, hs)
	}
	return f
}

// sendsToBox returns the sends and closes of the mailbox, in the order of the source.
func (p *mailboxes) sendsToBox(b *Box) []*Send {
	var out []*Send
	for _, s := range slices.Concat(p.sends, p.closes) {
		if slices.ContainsFunc(b.Receives, func(r *Receive) bool { return p.mayBe(s.Chan, r) }) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b *Send) int { return cmp.Compare(a.Pos, b.Pos) })
	return out
}

// mayBe reports whether ch is of r's place, or made where r's channel is.
func (p *mailboxes) mayBe(ch ssa.Value, r *Receive) bool {
	if !kernel.Alike(elem(ch), elem(r.Chan)) {
		return false
	}
	if p.placeOf(ch) == r.Place {
		return true
	}
	makes := p.makesOf(r.Chan)
	return slices.ContainsFunc(p.makesOf(ch),
		func(m *ssa.MakeChan) bool { return slices.Contains(makes, m) })
}

// runners knows the runners of each instruction of a region, and of each function that is called
// from one.
type runners struct {
	p      *mailboxes
	instrs map[ssa.Instruction][]facts.From
	fns    map[*ssa.Function][]facts.From
	roots  map[*ssa.Function]bool // of goroutines
	actors map[*ssa.Function]bool // the roots of actors
	memo   map[*ssa.Function][]callees
}

func (p *mailboxes) runners(actors []*Actor) *runners {
	r := &runners{p, map[ssa.Instruction][]facts.From{}, map[*ssa.Function][]facts.From{},
		map[*ssa.Function]bool{}, map[*ssa.Function]bool{}, map[*ssa.Function][]callees{}}
	for _, s := range p.launches() {
		r.roots[s.root] = true
	}
	for _, a := range actors {
		for _, g := range a.Goroutines {
			r.actors[g.Root] = true
		}
	}
	for _, a := range actors {
		r.add(a.Start, facts.From{Actor: a.ID()})
		for _, h := range a.Tasks {
			r.add(h.Code, facts.From{Actor: a.ID(), Handler: h.Name()})
			r.add(h.Closed, facts.From{Actor: a.ID()})
		}
	}
	return r
}

// add notes that from runs c.
func (r *runners) add(c Code, from facts.From) {
	for _, region := range c.Regions {
		for _, i := range region.Instrs {
			if !slices.Contains(r.instrs[i], from) {
				r.instrs[i] = append(r.instrs[i], from)
			}
			if call, ok := i.(ssa.CallInstruction); ok && c.Into[call] == nil {
				r.follow(r.p.leadsTo(call), from)
			}
		}
	}
}

func (p *flow) leadsTo(call ssa.CallInstruction) callees {
	if g, ok := call.(*ssa.Go); ok {
		return callees{spawned: p.startedBy(g.Common(), g.Pos(), g)}
	}
	if arg, _ := launcher(call.Common()); arg != nil {
		return callees{spawned: p.functionValues(arg, call.Pos(), call)}
	}
	return callees{fns: p.resolve(call.Common())}
}

func (r *runners) follow(c callees, from facts.From) {
	for _, fn := range c.fns {
		r.enter(fn, from)
	}
	r.spawn(c.spawned, from)
}

// spawn notes that from starts these goroutines, unless they are actors of their own. Goroutines
// that these start in turn are not followed.
func (r *runners) spawn(gs []started, from facts.From) {
	if from.Spawned {
		return
	}
	from.Spawned = true
	for _, s := range gs {
		if !r.actors[s.root] {
			r.enter(s.root, from)
		}
	}
}

// enter notes that from runs all of fn.
func (r *runners) enter(fn *ssa.Function, from facts.From) {
	if slices.Contains(r.fns[fn], from) {
		return
	}
	r.fns[fn] = append(r.fns[fn], from)
	for _, c := range r.callsOf(fn) {
		r.follow(c, from)
	}
}

// callsOf returns what the calls and go statements of fn lead to.
func (r *runners) callsOf(fn *ssa.Function) []callees {
	if cs, ok := r.memo[fn]; ok {
		return cs
	}
	var out []callees
	for i := range kernel.All(fn) {
		if call, ok := i.(ssa.CallInstruction); ok {
			if c := r.p.leadsTo(call); len(c.fns)+len(c.spawned) > 0 {
				out = append(out, c)
			}
		}
	}
	r.memo[fn] = out
	return out
}

// of returns who runs instr; the environment comes last.
func (r *runners) of(instr ssa.Instruction) []facts.From {
	fn := instr.Parent()
	if maker := r.maker(fn); maker != nil {
		return r.of(maker)
	}
	var out []facts.From
	for _, f := range slices.Concat(r.instrs[instr], r.fns[fn]) {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	if len(out) == 0 || r.outside(fn, map[*ssa.Function]bool{}) {
		out = append(out, facts.From{})
	}
	return out
}

// maker returns where fn is made if it is a literal without a known caller: the function that it is
// passed to, Once.Do say, is taken to call it there.
func (r *runners) maker(fn *ssa.Function) ssa.Instruction {
	if fn.Parent() == nil || r.roots[fn] || len(r.fns[fn]) > 0 || len(r.p.callers[fn]) > 0 {
		return nil
	}
	for i := range kernel.All(fn.Parent()) {
		for _, v := range i.Operands(nil) {
			if *v == fn {
				return i
			}
		}
	}
	return nil
}

// outside reports whether code outside of the actors' goroutines calls fn: a function without a
// known caller.
func (r *runners) outside(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || r.roots[fn] {
		return false
	}
	seen[fn] = true
	if maker := r.maker(fn); maker != nil {
		return r.outside(maker.Parent(), seen)
	}
	for _, call := range r.p.callers[fn] {
		if r.outside(call.Parent(), seen) {
			return true
		}
	}
	return len(r.p.callers[fn]) == 0 && len(r.fns[fn]) == 0
}
