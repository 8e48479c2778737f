// Package sendclosed reports sends on channels that somebody closes in the meantime.
package sendclosed

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "sendclosed",
	Doc: `check that nobody sends on a channel that is closed

A send on a closed channel panics, also as a case of a select, and so does a second close. To close a channel says that no
more messages come: only who knows that all senders are done can say so. A time limit does not tell, nor does a channel
that asks the senders to stop.

Example:

	go func() { result <- work() }()
	select {
	case r := <-result:
		return r
	case <-time.After(time.Second):
		close(result) // the goroutine still sends its result, and panics
		return nil
	}

Fix: let the sender close the channel; or wait for the senders before the close; or do not close at all: a channel that
nobody uses any more is collected. A buffer of one lets a late sender go.

Not reported: a send that is reached only by code that is not seen; closes after anything that may have waited for the
sender; senders that recover; sends and closes under a lock; clients who use an object after its Close;
findings of closetwice.

Law: persistence, rule ACT: a name stays good for messages for ever, as that of a sink. A closed Go
channel does not. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors, FMOODS 2002,
section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.sendClosed() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) sendClosed() {
	for _, k := range c.Ops {
		if k.Kind != discipline.Close || kernel.Locked(k.At) || c.recoversIn(k.In()) {
			continue
		}
		c.closedBefore(k)
		c.closedTooEarly(k)
		c.closedWithQuit(k)
	}
}

// closedBefore reports sends and closes that come after k in its own function, either always, or
// always after k.
func (c check) closedBefore(k *discipline.Op) {
	at := discipline.Locate(k.Ch)
	for _, o := range c.Ops {
		if o.At == k.At || o.Kind == discipline.Receive || o.In() != k.In() ||
			discipline.Locate(o.Ch) != at || kernel.IsDefer(o.At) {
			continue
		}
		onlyAfter := kernel.Dominates(k.At, o.At) &&
			(kernel.IsDefer(k.At) || !kernel.Reaches(o.At, k.At, nil))
		if !onlyAfter && (kernel.IsDefer(k.At) || !o.Alone || !kernel.LeadsTo(k.At, o.At)) {
			continue
		}
		if kernel.IsDefer(k.At) {
			if o.Kind == discipline.Close && c.stays(k, o.At) {
				c.Report(o.Pos, k.Pos, "deferred here",
					"%s closes %s here, and again when it returns, at %s: that panics",
					discipline.Name(o.In()), c.NameOf(o), c.At(k.Pos))
			}
			continue
		}
		if c.stays(k, o.At) {
			verb := "sends to"
			if o.Kind == discipline.Close {
				verb = "closes"
			}
			c.Report(o.Pos, k.Pos, "closed here",
				"%s %s %s here, which is closed at %s: that panics",
				discipline.Name(o.In()), verb, c.NameOf(o), c.At(k.Pos))
		}
	}
}

// stays reports whether nobody, in between, assigns to what k's channel is read from.
func (c check) stays(k *discipline.Op, to ssa.Instruction) bool {
	at := discipline.Locate(k.Ch)
	if v, ok := at.Root.(*ssa.Alloc); ok && at.Last == nil && captured(v) {
		return false
	}
	_, global := at.Root.(*ssa.Global)
	stop := false
	for i := range kernel.All(k.In()) {
		if i == k.At || i == to || !kernel.Reaches(k.At, i, nil) || !kernel.Reaches(i, to, nil) {
			continue
		}
		switch i := i.(type) {
		case *ssa.Store:
			stop = stop || discipline.Locate(i.Addr) == at
		case *ssa.Call:
			_, builtin := i.Call.Value.(*ssa.Builtin)
			stop = stop || !builtin && (at.Last != nil || global)
		}
	}
	root, ok := at.Root.(ssa.Instruction)
	return !stop && (!ok || root.Parent() != k.In() ||
		!kernel.Reaches(k.At, root, func(i ssa.Instruction) bool { return i == to }))
}

// captured reports whether a function literal has variable v.
func captured(v *ssa.Alloc) bool {
	return slices.ContainsFunc(*v.Referrers(),
		func(i ssa.Instruction) bool { _, ok := i.(*ssa.MakeClosure); return ok })
}

// closedTooEarly reports k if it closes a local channel to which a process sends, and k's function
// has started that process and has not waited for it on the way to k.
func (c check) closedTooEarly(k *discipline.Op) {
	m, ok := discipline.Locate(k.Ch).Root.(*ssa.MakeChan)
	if !ok || discipline.Locate(k.Ch).Last != nil || m.Parent() != k.In() {
		return
	}
	for _, p := range c.Procs {
		for _, g := range p.Starts {
			if g.Parent() != k.In() || !kernel.IsGo(g) || p.Runs[k.In()] || c.recovers(p) {
				continue
			}
			if s := c.sendOn(m, p, g); s != nil && !kernel.Locked(s.At) {
				c.earlyClose(k, s, g)
				return
			}
		}
	}
}

// sendOn returns a send of p, started by g, to channel m.
func (c check) sendOn(m *ssa.MakeChan, p *discipline.Process, g ssa.Instruction) *discipline.Op {
	for _, s := range c.Flow.Of(m).Ops[discipline.Send] {
		if p.Runs[s.In()] && c.Origin(p, c.LocateIn(p, s.Ch), g) == (discipline.Locus{Root: m}) {
			return s
		}
	}
	return nil
}

// earlyClose reports close k of what s sends to, if nothing between the go statement g and k waits
// for the sender.
func (c check) earlyClose(k, s *discipline.Op, g ssa.Instruction) {
	end := k.At
	if kernel.IsDefer(end) {
		return // it would have to be known by which return
	}
	if !kernel.Reaches(g, end, nil) {
		return
	}
	limit := token.NoPos
	waited := false
	for w := range kernel.All(k.In()) {
		if w == end || !c.blocksOn(w) || !kernel.Reaches(g, w, nil) ||
			!kernel.Reaches(w, end, nil) {
			continue
		}
		if pos := c.timedOut(w, end); pos.IsValid() {
			limit = pos
		} else {
			waited = true
		}
	}
	switch {
	case waited:
	case limit.IsValid():
		c.Report(k.Pos, s.Pos, "sends here",
			"%s closes %s here, when the time limit of %s has passed; %s may still send, at %s, and panics",
			discipline.Name(k.In()), c.NameOf(k), c.At(limit), discipline.Name(s.In()), c.At(s.Pos))
	default:
		c.Report(k.Pos, s.Pos, "sends here",
			"%s closes %s here without waiting for %s, which may still send, at %s, and panics",
			discipline.Name(k.In()), c.NameOf(k), discipline.Name(s.In()), c.At(s.Pos))
	}
}

// blocksOn is waits without what goes on at once: a close, a select with a default.
func (c check) blocksOn(i ssa.Instruction) bool {
	if sel, ok := i.(*ssa.Select); ok {
		return sel.Blocking
	}
	for _, o := range c.ByInstr[i] {
		return o.Kind != discipline.Close
	}
	if call, ok := i.(*ssa.Call); ok && discipline.IsCancel(call.Common()) {
		return false
	}
	return c.Waits(i)
}

// timedOut returns the position of the case by which select w comes to end because time has passed
// or a context is done, if only that leads there.
func (c check) timedOut(w, end ssa.Instruction) token.Pos {
	sel, ok := w.(*ssa.Select)
	if !ok || kernel.Cyclic(w) {
		return token.NoPos
	}
	limit := token.NoPos
	for _, o := range c.ByInstr[sel] {
		b, _ := discipline.After(o)
		if b == nil || !b.Dominates(end.Block()) {
			continue
		}
		if o.Kind == discipline.Receive && discipline.IsTime(o.Ch) {
			limit = o.Pos
		}
	}
	return limit
}

// recovers reports whether a function of p, or one that it defers, calls recover.
func (c check) recovers(p *discipline.Process) bool {
	for fn := range p.Runs {
		if c.recoversIn(fn) {
			return true
		}
	}
	return false
}

// recoversIn reports whether fn calls recover, or defers a call of what is not seen, which may.
func (c check) recoversIn(fn *ssa.Function) bool {
	found := false
	for i := range kernel.All(fn) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if b, ok := call.Common().Value.(*ssa.Builtin); ok {
			found = found || b.Name() == "recover"
		} else if kernel.IsDefer(i) {
			f := c.Static(call.Common())
			found = found || call.Common().StaticCallee() == nil ||
				f != nil && f != fn && c.recoversIn(f)
		}
	}
	return found
}

// closedWithQuit reports k if the same function closes a quit channel just before or after, and a
// select waits for that quit channel while it sends to k's. When both channels are closed, the
// select may try to send.
func (c check) closedWithQuit(k *discipline.Op) {
	at, ch := discipline.Locate(k.Ch), c.Flow.Of(k.Ch)
	if at.Last == nil || ch.Open {
		return
	}
	for _, q := range c.Ops {
		if q == k || q.Kind != discipline.Close || q.In() != k.In() ||
			!c.siblings(discipline.Locate(q.Ch), at) || !c.together(q.At, k.At) {
			continue
		}
		for _, s := range ch.Ops[discipline.Send] {
			if quit := c.besides(s, q); quit != nil && s.In() != k.In() && !kernel.Locked(s.At) {
				c.Report(k.Pos, s.Pos, "sends here",
					"%s closes %s here, and %s at %s; the select in %s, at %s, may then choose to send, and panics",
					discipline.Name(k.In()), c.NameOf(k), c.NameOf(q), c.At(q.Pos),
					discipline.Name(s.In()), c.At(s.Pos))
				return
			}
		}
	}
}

// siblings reports whether two loci are different fields of one object.
func (c check) siblings(a, b discipline.Locus) bool {
	return a.Root == b.Root && a.Last != nil && b.Last != nil && a.Last != b.Last
}

// together reports whether a and b run one after the other, and nothing waits in between.
func (c check) together(a, b ssa.Instruction) bool {
	if kernel.IsDefer(a) || kernel.IsDefer(b) {
		return false
	}
	if !kernel.Dominates(a, b) {
		a, b = b, a
	}
	if !kernel.Dominates(a, b) {
		return false
	}
	ok := true
	for w := range kernel.All(a.Parent()) {
		if w != a && w != b && c.blocksOn(w) && kernel.Reaches(a, w, nil) &&
			kernel.Reaches(w, b, nil) {
			ok = false
		}
	}
	return ok
}

// besides returns the case of s's select that receives from what q closes, of the same object; or
// nil.
func (c check) besides(s, q *discipline.Op) *discipline.Op {
	if s.Alone {
		return nil
	}
	at := discipline.Locate(s.Ch)
	for _, o := range c.ByInstr[s.At] {
		l := discipline.Locate(o.Ch)
		if o.Kind == discipline.Receive && l.Last == discipline.Locate(q.Ch).Last &&
			l.Root == at.Root && at.Last != nil {
			return o
		}
	}
	return nil
}
