package blocking

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Two functions that are called at once may each have a lock that the other one waits for. The
// search of one function by itself shows which locks it takes, and in which order. If two orders
// are opposite, the machine runs both functions, as two processes, with the decisions that led to
// these orders.

// pairs runs two functions at once.
type pairs struct {
	c     *discipline.Package
	scope func(root *ssa.Function) *scope
	edges map[types.Object][]edge // by the lock that is asked for
	order []edge
	lone  map[*ssa.Function][]edge // what entries take, run by themselves
	left  int                      // how many more pairs may be run
	done  map[[2]types.Object]bool
	found []*scope
}

// The bounds of pairs: of a package, of two locks, of the entries of a function, and of the events
// until two functions meet.
const (
	maxMeeting = 80

	maxPairs   = 200
	maxTries   = 12
	maxEntries = 4
	maxClimb   = 6
)

// clients runs pairs of functions that take locks in opposite orders, as the scopes have shown.
func clients(c *discipline.Package, scopes []*scope, scope func(*ssa.Function) *scope) []*scope {
	p := &pairs{c: c, scope: scope, edges: map[types.Object][]edge{},
		lone: map[*ssa.Function][]edge{}, left: maxPairs, done: map[[2]types.Object]bool{}}
	for _, s := range scopes {
		p.lone[s.root] = s.edges
	}
	scopes = append(scopes, p.goroutines()...)
	for _, s := range scopes {
		for _, e := range s.edges {
			if e.held.made || e.want.made {
				continue
			}
			p.edges[e.want.field] = append(p.edges[e.want.field], e)
			p.order = append(p.order, e)
		}
	}
	p.serving(scopes)
	for _, e := range p.order {
		if e.held.field != nil && e.held.owes == trace.None {
			p.opposite(e)
		}
	}
	p.afterMaking(scopes)
	return p.found
}

// goroutines runs the functions of goroutines in which only callees lock: such a function is no
// scope by itself, but others may wait for it.
func (p *pairs) goroutines() []*scope {
	var out []*scope
	for _, q := range p.c.Procs {
		_, known := p.lone[q.Root]
		if known || q.Root.Parent() != nil || p.c.InTest(q.Root.Pos()) ||
			q.Root.TypeParams().Len() > 0 || p.left == 0 || !p.locks(q) {
			continue
		}
		p.left--
		s := p.scope(q.Root)
		s.search(again)
		p.lone[q.Root] = s.edges
		out = append(out, s)
	}
	return out
}

// locks reports whether something that a goroutine calls takes a lock.
func (p *pairs) locks(q *discipline.Process) bool {
	for fn := range q.Runs {
		if len(p.lone[fn]) > 0 {
			return true
		}
	}
	return false
}

// serving adds edges of goroutines that serve a channel alone: while they wait for a lock, nobody
// else receives from the channel, or sends to it.
func (p *pairs) serving(scopes []*scope) {
	for _, s := range scopes {
		if len(s.uses) == 0 {
			continue
		}
		for _, u := range s.uses {
			u.owes = p.serves(s.root, u.field)
			if u.owes == trace.None {
				continue
			}
			for _, e := range s.edges {
				if e.held.field == nil && e.want.waits == trace.None {
					e.held = u
					p.edges[e.want.field] = append(p.edges[e.want.field], e)
					p.lone[s.root] = append(p.lone[s.root], e)
				}
			}
		}
	}
}

// serves says what others do to a channel, and wait for a goroutine alone that runs fn: Send if
// the channel has no buffer and nobody else receives from it, Recv if nobody else sends to it.
func (p *pairs) serves(fn *ssa.Function, field types.Object) trace.Kind {
	at := slices.IndexFunc(p.c.Procs, func(q *discipline.Process) bool { return q.Root == fn })
	ch := p.channel(field)
	if at < 0 || !p.c.Procs[at].Single() || ch == nil {
		return trace.None
	}
	only := func(ops []*discipline.Op) bool {
		return len(ops) > 0 && !slices.ContainsFunc(ops, func(o *discipline.Op) bool {
			return !p.c.Alone(p.c.Procs[at], o.In())
		})
	}
	switch n, ok := ch.Capacity(); {
	case only(ch.Ops[discipline.Receive]) && ok && n == 0:
		return trace.Send
	case only(slices.Concat(ch.Ops[discipline.Send], ch.Ops[discipline.Close])):
		return trace.Recv
	}
	return trace.None
}

// channel returns the channels that a field or variable holds, if they are known; otherwise nil.
func (p *pairs) channel(field types.Object) *discipline.Channel {
	for _, o := range p.c.Ops {
		if variable(o.Ch) == field {
			if ch := p.c.Flow.Of(o.Ch); !ch.Open {
				return ch
			}
			return nil
		}
	}
	return nil
}

// keeps reports whether only f can end the wait of e.
func (p *pairs) keeps(e, f edge) bool {
	if f.held.owes != e.want.waits || f.held.field != e.want.field {
		return false
	}
	if e.want.waits != trace.Recv {
		return true
	}
	ch := p.channel(e.want.field)
	return ch != nil && (len(ch.Ops[discipline.Send]) == 0 || f.held.owes != trace.Recv ||
		p.serves(f.root, f.held.field) == trace.Recv)
}

// opposite looks for a function that keeps e from going on, and that e keeps from going on.
func (p *pairs) opposite(e edge) {
	locks := [2]types.Object{e.held.field, e.want.field}
	if p.done[locks] {
		return
	}
	tries := maxTries
	for _, f := range p.edges[e.held.field] {
		if !crossed(e, f) || e.want.waits != trace.None && !p.keeps(e, f) {
			continue
		}
		for _, e1 := range p.lift(e) {
			for _, f1 := range p.lift(f) {
				if tries == 0 || p.left == 0 || p.done[locks] {
					return
				}
				if p.run(e1, f1, &tries) {
					p.done[locks], p.done[[2]types.Object{locks[1], locks[0]}] = true, true
				}
			}
		}
	}
}

// crossed reports whether two processes at e and f may wait for each other. One that has a read
// lock, and asks for it again, waits for a writer that waits for the first one.
func crossed(e, f edge) bool {
	if e.want.waits != trace.None || f.held.owes != trace.None {
		return f.held.owes == e.want.waits && f.held.field == e.want.field &&
			f.want.waits == trace.None && !(e.held.read && f.want.read)
	}
	if f.want.waits != trace.None {
		return false
	}
	if e.held.field == e.want.field {
		return e.held.path == e.want.path && e.held.read && e.want.read && f.held.field == nil &&
			!f.want.read
	}
	return f.held.field == e.want.field && !(e.held.read && f.want.read) &&
		!(f.held.read && e.want.read)
}

// lift returns e as it is in the functions that others may call at any time.
func (p *pairs) lift(e edge) []edge {
	var out []edge
	for _, fn := range p.entries(e.root) {
		for _, x := range p.alone(fn) {
			if x.held.pos == e.held.pos && x.want.pos == e.want.pos {
				out = append(out, x)
			}
		}
	}
	return out
}

// alone returns what a function takes that is run by itself.
func (p *pairs) alone(fn *ssa.Function) []edge {
	list, ok := p.lone[fn]
	if !ok && p.left > 0 {
		p.left--
		s := p.scope(fn)
		s.search(again)
		list = s.edges
		p.lone[fn] = list
	}
	return list
}

// entries lists the functions that come to call fn, and that others may call at any time: exported
// ones, and those that run on goroutines of their own.
func (p *pairs) entries(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{fn: true}
	level := []*ssa.Function{fn}
	for range maxClimb {
		var above []*ssa.Function
		for _, g := range level {
			if p.entry(g) {
				out = append(out, g)
				continue
			}
			for _, call := range p.c.Callers[g] {
				from := call.Parent()
				for from.Parent() != nil {
					from = from.Parent()
				}
				if !seen[from] && !p.c.InTest(from.Pos()) {
					seen[from] = true
					above = append(above, from)
				}
			}
		}
		level = above
	}
	return out[:min(len(out), maxEntries)]
}

// entry reports whether others may call fn at any time, or it runs on a goroutine of its own. An
// exported method of an unexported type counts if nobody calls it by its name: it is for an
// interface.
func (p *pairs) entry(fn *ssa.Function) bool {
	if p.c.Exported(fn) && (fn.Signature.Recv() == nil || len(p.c.Callers[fn]) == 0) ||
		p.c.Public(fn) {
		return true
	}
	return p.c.Flow.Value(fn) || slices.ContainsFunc(p.c.Callers[fn],
		func(call ssa.CallInstruction) bool { _, is := call.(*ssa.Go); return is })
}

// run runs the functions of e and f at once, and reports whether they wait for each other.
func (p *pairs) run(e, f edge, tries *int) bool {
	owed := f.held.owes != trace.None
	if e.root == f.root && !owed && !p.c.Exported(e.root) {
		return false
	}
	same, doubt, ok := p.unify(e, f)
	if !ok {
		return false
	}
	*tries--
	for _, way := range ways(e, f) {
		p.left--
		s := p.scope(e.root)
		s.together, s.doubt, s.owed = f.root, doubt, owed
		s.meet = []token.Pos{e.want.pos, f.want.pos}
		s.base.Beside, s.base.Same = []*ssa.Function{f.root}, same
		if way.pinned {
			s.base.Answers = e.answersAs(0)
			maps.Copy(s.base.Answers, f.answersAs(1))
		}
		if owed {
			owes := p.owed(f)
			owes.Sent = way.sent
			s.base.Owed = map[string]heap.Owed{e.want.path: owes}
		}
		if owed && e.root == f.root {
			s.base.Beside, s.base.Same = nil, nil
		}
		s.base.Events = maxMeeting
		s.explore(negate)
		if len(s.found) > 0 {
			p.found = append(p.found, s)
			return true
		}
	}
	return false
}

// way is a way to run two functions.
type way struct {
	pinned bool // with the decisions that led to their edges
	sent   bool // after somebody else has sent to the channel that one of them owes
}

// ways lists the ways to run the functions of two edges, in the order in which they are tried.
func ways(e, f edge) []way {
	switch {
	case f.held.owes == trace.None:
		return []way{{pinned: true}}
	case e.want.waits == trace.Send && e.root != f.root:
		return []way{{pinned: true}, {pinned: true, sent: true}, {}}
	}
	return []way{{pinned: true}, {}}
}

// owed is what f owes to the edge that waits for it. A goroutine that is done with a group was
// counted when it was started.
func (p *pairs) owed(f edge) heap.Owed {
	out := heap.Owed{At: f.want.pos}
	if slices.ContainsFunc(p.c.Procs, func(q *discipline.Process) bool {
		return q.Root == f.root
	}) {
		out.Count = 1
	}
	return out
}

// unify says which unknown values of two functions are equal when they act on the same locks; doubt
// says why they may never be equal.
func (p *pairs) unify(e, f edge) (same map[string]string, doubt string, ok bool) {
	u := &unifier{p: p, f: f.root, same: map[string]string{}}
	pairs := [][2]taking{{e.want, f.held}, {e.held, f.want}}
	if f.held.field == nil {
		pairs = [][2]taking{{e.want, f.want}}
	}
	for _, x := range pairs {
		if !u.direct(x[0].base, x[1].base) {
			return nil, "", false
		}
	}
	r1, r2 := e.root.Signature.Recv(), f.root.Signature.Recv()
	if r1 != nil && r2 != nil && types.Identical(r1.Type(), r2.Type()) {
		name := machine.Param(1, f.root.Params[0])
		if _, set := u.same[name]; !set {
			u.same[name] = machine.Param(0, e.root.Params[0])
		}
	}
	for _, x := range pairs {
		if !u.rest(x[0], x[1]) {
			return nil, "", false
		}
	}
	return u.same, u.doubt, true
}
