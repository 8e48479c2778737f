package actors

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// holder is where an instruction of one activation of a function has a channel in hand: by itself
// or as a field of v.
type holder struct {
	v      ssa.Value
	at     ssa.Instruction
	waited bool // a function that at calls waits before it starts the goroutine
}

// SameChannel reports whether, in one activation of some function, r and q receive from one and the
// same channel at the same time. It needs evidence for both: a common variable, object or make that
// the channel comes from, and no branch or wait between the two starts. Either goroutine may be
// nil: then the receive is in the function that starts the other.
func (s *Survey) SameChannel(g *Goroutine, r *Receive, h *Goroutine, q *Receive) bool {
	made := s.made(r, q)
	if r.Place != q.Place && made == nil {
		return false
	}
	ys := s.holders(h, q)
	for _, x := range s.holders(g, r) {
		for _, y := range ys {
			common := x.v != nil && x.v == y.v && r.Place == q.Place && !s.prog.varying(x)
			if (common || made != nil && made.Parent() == x.at.Parent()) && meet(x, y) {
				return true
			}
		}
	}
	return false
}

// made returns the one make that both channels come from, if it is not in a loop; else nil.
func (s *Survey) made(r, q *Receive) *ssa.MakeChan {
	if m := s.prog.onlyMake(r.Chan); m != nil && m == s.prog.onlyMake(q.Chan) && !s.prog.cyclic(m) {
		return m
	}
	return nil
}

func (p *paths) onlyMake(ch ssa.Value) *ssa.MakeChan {
	if m, ok := p.makeOf[ch]; ok {
		return m
	}
	var only *ssa.MakeChan
	for _, o := range p.origins(ch) {
		m, ok := o.(*ssa.MakeChan)
		if kernel.IsNil(o) || ok && m == only {
			continue
		}
		if !ok || only != nil {
			only = nil
			break
		}
		only = m
	}
	p.makeOf[ch] = only
	return only
}

// holders returns, for each launch of g, what holds r's channel where g is started, and in the
// callers of that place. The holder of a channel that g finds in some other way is nil.
func (s *Survey) holders(g *Goroutine, r *Receive) []holder {
	if g == nil {
		return []holder{{v: s.prog.start(r.Chan), at: r.Instr}}
	}
	var out []holder
	for _, l := range g.Launches {
		out = s.prog.climb(out, holder{v: s.Owner(r, l), at: l.At}, 0)
	}
	return out
}

// maxHolders bounds the places that are compared with each other.
const maxHolders = 300

// climb adds x and what x is for the callers of its function: an argument, a result, or a package
// variable.
func (p *paths) climb(out []holder, x holder, depth int) []holder {
	out = append(out, x)
	if depth == maxCallers || len(out) > maxHolders {
		return out
	}
	callers := p.callers[x.at.Parent()]
	waited := x.waited || len(callers) > 0 && kernel.WaitsBefore(x.at)
	for _, call := range callers {
		out = p.climb(out, holder{p.outside(x.v, call), call, waited}, depth+1)
	}
	return out
}

// outside returns what v, a value in the function that call calls, is for the caller, or nil.
func (p *paths) outside(v ssa.Value, call ssa.CallInstruction) ssa.Value {
	switch v := v.(type) {
	case *ssa.Global:
		return v
	case *ssa.Parameter:
		if a := kernel.Argument(call.Common(), kernel.ParamIndex(v)); a != nil {
			return p.start(a)
		}
	case *ssa.FreeVar:
		if b := p.binding(v); b != nil {
			return p.start(b)
		}
	case *ssa.Alloc, *ssa.MakeChan:
		if c, ok := call.(*ssa.Call); ok {
			return p.returned(v, c)
		}
	}
	return nil
}

// returned returns the result of c that is v, or nil.
func (p *paths) returned(v ssa.Value, c *ssa.Call) ssa.Value {
	n := c.Call.Signature().Results().Len()
	for i := range n {
		for _, r := range p.results(c, i) {
			if p.start(r) != v {
				continue
			}
			if n == 1 {
				return c
			}
			return kernel.Extracted(c, i)
		}
	}
	return nil
}

// meet reports whether one activation of a function starts both x and y, neither of them in place
// of or after the other.
func meet(x, y holder) bool {
	return x.at.Parent() == y.at.Parent() && x.at != y.at && together(x.at, y.at) &&
		!x.waited && !y.waited && !kernel.Waits(x.at, y.at) && !kernel.Waits(y.at, x.at)
}

// varying reports whether the holder is a variable that is assigned to more than once.
func (p *paths) varying(x holder) bool {
	_, ok := x.v.(*ssa.Alloc)
	return ok && len(p.stores[any(x.v)]) > 1
}

// SendsTo reports whether g sends to r's place.
func (s *Survey) SendsTo(g *Goroutine, r *Receive) bool {
	return slices.ContainsFunc(s.prog.sendsTo(r.Chan), func(x *Send) bool {
		return g.Runs(x.Instr.Parent())
	})
}

// Asks reports whether r and q each wait for the answer to a request that they have sent just
// before, to one place: the server decides which of them gets which answer.
func (s *Survey) Asks(r, q *Receive) bool {
	a, b := s.request(r), s.request(q)
	return a != nil && b != nil && a != any(r.Place) && a == b
}

// request returns the place of the last channel operation before r in its block, if that is a send
// and no select; else nil.
func (s *Survey) request(r *Receive) any {
	var last any
	for _, i := range r.Instr.Block().Instrs {
		switch x := i.(type) {
		case *ssa.Send:
			last = s.prog.placeOf(x.Chan)
		case *ssa.Select:
			last = nil
		case *ssa.UnOp:
			if i == r.Instr {
				return last
			}
			if x.Op == token.ARROW {
				last = nil
			}
		}
	}
	return nil
}

// Name names r's channel as facts.Mailbox does.
func (r *Receive) Name() string { return r.site.name() }

// In names the function that r is in.
func (r *Receive) In() string { return name(r.Instr.Parent()) }

// CarriesData reports whether r's channel is a data mailbox of g. Channels of empty structs are
// not: they are signals and tokens, which anybody may take.
func (s *Survey) CarriesData(g *Goroutine, r *Receive) bool {
	return !kernel.IsEmptyStruct(elem(r.Chan)) &&
		s.prog.role(g, []*Receive{r}, s.prog.origins(r.Chan)) == facts.Data
}

// Exchange is a receive from the place to which its function has sent a request before.
type Exchange struct {
	Receive *Receive
	Send    token.Pos
}

// Exchanges finds the functions outside of g that send to r's field or package variable and then
// receive from it. Several goroutines may call them; one that uses a local channel in this way is
// its only client. A method of an interface may return another channel at each call: other packages
// may implement the interface.
func (s *Survey) Exchanges(g *Goroutine, r *Receive) []Exchange {
	if !isShared(r.Place) {
		return nil
	}
	var out []Exchange
	for _, x := range s.prog.sendsTo(r.Chan) {
		if g.Runs(x.Instr.Parent()) {
			continue
		}
		for _, q := range s.prog.receivesIn(x.Instr.Parent()) {
			if q.Place == r.Place && !q.Discards() && kernel.Dominates(x.Instr, q.Instr) &&
				s.prog.start(x.Chan) == s.prog.start(q.Chan) &&
				!byInterface(x.Chan) && !byInterface(q.Chan) {
				out = append(out, Exchange{q, x.Pos})
			}
		}
	}
	return out
}

func byInterface(ch ssa.Value) bool {
	c, ok := ch.(*ssa.Call)
	return ok && c.Call.IsInvoke()
}

func isShared(place any) bool {
	switch place.(type) {
	case fieldPlace, globalPlace:
		return true
	}
	return false
}

// Later reports whether r's goroutine waits for something, or closes a channel, before it first
// receives: it may take over from another goroutine.
func (r *Receive) Later() bool {
	at := r.Instr
	for x := r.run; ; x = x.caller {
		if kernel.WaitsBefore(at) {
			return true
		}
		if x == nil || x.caller == nil {
			return false
		}
		at = x.call
	}
}
