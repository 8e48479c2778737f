package discipline

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// SendClosed reports sends on channels that somebody closes in the meantime.
var SendClosed = &analysis.Analyzer{
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
sender; senders that recover; sends and closes under a lock; clients who use an object after its Close.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).sendClosed),
}

func (c *rule) sendClosed() {
	for _, k := range c.ops {
		if k.kind != closes || c.locked(k.at) || c.recoversIn(k.in()) {
			continue
		}
		c.closedBefore(k)
		c.closedTooEarly(k)
		c.closedWithQuit(k)
	}
}

// closedBefore reports sends and closes that come after k in its own function, either always, or
// always after k.
func (c *rule) closedBefore(k *op) {
	at := c.locate(k.ch)
	for _, o := range c.ops {
		if o.at == k.at || o.kind == receives || o.in() != k.in() || c.locate(o.ch) != at || isDefer(o.at) {
			continue
		}
		onlyAfter := dominates(k.at, o.at) && (isDefer(k.at) || !reaches(o.at, k.at, nil))
		if !onlyAfter && (isDefer(k.at) || !o.alone || !leadsTo(k.at, o.at)) {
			continue
		}
		if isDefer(k.at) {
			if o.kind == closes && c.stays(k, o.at) {
				c.report(o.pos, k.pos, "deferred here", "%s closes %s here, and again when it returns, at %s: that panics",
					name(o.in()), c.nameOf(o), c.at(k.pos))
			}
			continue
		}
		if c.stays(k, o.at) {
			verb := "sends to"
			if o.kind == closes {
				verb = "closes"
			}
			c.report(o.pos, k.pos, "closed here", "%s %s %s here, which is closed at %s: that panics",
				name(o.in()), verb, c.nameOf(o), c.at(k.pos))
		}
	}
}

// leadsTo reports whether all paths from a come to b.
func leadsTo(a, b ssa.Instruction) bool {
	return reaches(a, b, nil) && search(a.Block(), indexOf(a)+1, func(i ssa.Instruction) answer {
		switch _, returns := i.(*ssa.Return); {
		case i == b:
			return blocked
		case returns || i == a || neverReturns(i):
			return found
		}
		return onward
	}) == nil
}

func isDefer(i ssa.Instruction) bool { _, ok := i.(*ssa.Defer); return ok }

// stays reports whether nobody, in between, assigns to what k's channel is read from.
func (c *code) stays(k *op, to ssa.Instruction) bool {
	at := c.locate(k.ch)
	if v, ok := at.root.(*ssa.Alloc); ok && at.last == nil && captured(v) {
		return false
	}
	_, global := at.root.(*ssa.Global)
	stop := false
	eachOf(k.in(), func(i ssa.Instruction) {
		if i == k.at || i == to || !reaches(k.at, i, nil) || !reaches(i, to, nil) {
			return
		}
		switch i := i.(type) {
		case *ssa.Store:
			stop = stop || c.locate(i.Addr) == at
		case *ssa.Call:
			_, builtin := i.Call.Value.(*ssa.Builtin)
			stop = stop || !builtin && (at.last != nil || global)
		}
	})
	root, ok := at.root.(ssa.Instruction)
	return !stop && (!ok || root.Parent() != k.in() || !reaches(k.at, root, func(i ssa.Instruction) bool { return i == to }))
}

// captured reports whether a function literal has variable v.
func captured(v *ssa.Alloc) bool {
	return slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool { _, ok := i.(*ssa.MakeClosure); return ok })
}

// closedTooEarly reports k if it closes a local channel to which a process sends that k's function
// has started, and has not waited for on the way to k.
func (c *rule) closedTooEarly(k *op) {
	m, ok := c.locate(k.ch).root.(*ssa.MakeChan)
	if !ok || c.locate(k.ch).last != nil || m.Parent() != k.in() {
		return
	}
	for _, p := range c.procs {
		for _, g := range p.starts {
			if g.Parent() != k.in() || !isGo(g) || p.runs[k.in()] || c.recovers(p) {
				continue
			}
			if s := c.sendOn(m, p, g); s != nil && !c.locked(s.at) {
				c.earlyClose(k, s, g)
				return
			}
		}
	}
}

func isGo(i ssa.Instruction) bool { _, ok := i.(*ssa.Go); return ok }

// sendOn returns a send of p, started by g, to channel m.
func (c *code) sendOn(m *ssa.MakeChan, p *process, g ssa.Instruction) *op {
	for _, s := range c.flow.of(m).ops[sends] {
		if p.runs[s.in()] && c.origin(p, c.locateIn(p, s.ch), g) == (locus{root: m}) {
			return s
		}
	}
	return nil
}

// earlyClose reports close k of what s sends to, if nothing between the go statement g and k waits
// for the sender.
func (c *rule) earlyClose(k, s *op, g ssa.Instruction) {
	end := k.at
	if isDefer(end) {
		return // it would have to be known by which return
	}
	if !reaches(g, end, nil) {
		return
	}
	limit := token.NoPos
	waited := false
	eachOf(k.in(), func(w ssa.Instruction) {
		if w == end || !c.blocksOn(w) || !reaches(g, w, nil) || !reaches(w, end, nil) {
			return
		}
		if pos := c.timedOut(w, end); pos.IsValid() {
			limit = pos
		} else {
			waited = true
		}
	})
	switch {
	case waited:
	case limit.IsValid():
		c.report(k.pos, s.pos, "sends here", "%s closes %s here, when the time limit of %s has passed; %s may still send, at %s, and panics",
			name(k.in()), c.nameOf(k), c.at(limit), name(s.in()), c.at(s.pos))
	default:
		c.report(k.pos, s.pos, "sends here", "%s closes %s here without waiting for %s, which may still send, at %s, and panics",
			name(k.in()), c.nameOf(k), name(s.in()), c.at(s.pos))
	}
}

// blocksOn is waits without what goes on at once: a close, a select with a default.
func (c *code) blocksOn(i ssa.Instruction) bool {
	if sel, ok := i.(*ssa.Select); ok {
		return sel.Blocking
	}
	for _, o := range c.byInstr[i] {
		return o.kind != closes
	}
	if call, ok := i.(*ssa.Call); ok && isCancel(call.Common()) {
		return false
	}
	return c.waits(i)
}

// isCancel reports whether a call is of a context's cancel function: it waits for nobody.
func isCancel(call *ssa.CallCommon) bool {
	n, ok := types.Unalias(call.Value.Type()).(*types.Named)
	return ok && n.Obj().Name() == "CancelFunc"
}

// timedOut returns the position of the case by which select w comes to end because time has passed
// or a context is done, if only that leads there.
func (c *code) timedOut(w, end ssa.Instruction) token.Pos {
	sel, ok := w.(*ssa.Select)
	if !ok || cyclic(w) {
		return token.NoPos
	}
	limit := token.NoPos
	for _, o := range c.byInstr[sel] {
		b, _ := after(o)
		if b == nil || !b.Dominates(end.Block()) {
			continue
		}
		if o.kind == receives && c.isTime(o.ch) {
			limit = o.pos
		}
	}
	return limit
}

// isTime reports whether ch is a timer's channel or a context's, on which no process of this
// package sends.
func (c *code) isTime(ch ssa.Value) bool {
	if call, ok := ch.(*ssa.Call); ok {
		if call.Call.IsInvoke() {
			return call.Call.Method.Name() == "Done" && call.Call.Method.Pkg().Path() == "context"
		}
		fn := call.Call.StaticCallee()
		return fn != nil && (fn.RelString(nil) == "time.After" || fn.RelString(nil) == "time.Tick")
	}
	l := c.locate(ch)
	return l.last != nil && l.last.Name() == "C" && l.last.Pkg() != nil && l.last.Pkg().Path() == "time"
}

// recovers reports whether a function of p, or one that it defers, calls recover.
func (c *code) recovers(p *process) bool {
	for fn := range p.runs {
		if c.recoversIn(fn) {
			return true
		}
	}
	return false
}

// recoversIn reports whether fn calls recover, or defers a call of what is not seen, which may.
func (c *code) recoversIn(fn *ssa.Function) bool {
	found := false
	eachOf(fn, func(i ssa.Instruction) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			return
		}
		if b, ok := call.Common().Value.(*ssa.Builtin); ok {
			found = found || b.Name() == "recover"
		} else if isDefer(i) {
			f := c.static(call.Common())
			found = found || call.Common().StaticCallee() == nil || f != nil && f != fn && c.recoversIn(f)
		}
	})
	return found
}

// closedWithQuit reports k if the same function closes a quit channel just before or after, and a
// select waits for that quit channel while it sends to k's: when both are closed, it may try to
// send.
func (c *rule) closedWithQuit(k *op) {
	at, ch := c.locate(k.ch), c.flow.of(k.ch)
	if at.last == nil || ch.open {
		return
	}
	for _, q := range c.ops {
		if q == k || q.kind != closes || q.in() != k.in() || !c.siblings(c.locate(q.ch), at) || !c.together(q.at, k.at) {
			continue
		}
		for _, s := range ch.ops[sends] {
			if quit := c.besides(s, q); quit != nil && s.in() != k.in() && !c.locked(s.at) {
				c.report(k.pos, s.pos, "sends here", "%s closes %s here, and %s at %s; the select in %s, at %s, may then choose to send, and panics",
					name(k.in()), c.nameOf(k), c.nameOf(q), c.at(q.pos), name(s.in()), c.at(s.pos))
				return
			}
		}
	}
}

// siblings reports whether two loci are different fields of one object.
func (c *code) siblings(a, b locus) bool {
	return a.root == b.root && a.last != nil && b.last != nil && a.last != b.last
}

// together reports whether a and b run one after the other, and nothing waits in between.
func (c *code) together(a, b ssa.Instruction) bool {
	if isDefer(a) || isDefer(b) {
		return false
	}
	if !dominates(a, b) {
		a, b = b, a
	}
	if !dominates(a, b) {
		return false
	}
	ok := true
	eachOf(a.Parent(), func(w ssa.Instruction) {
		if w != a && w != b && c.blocksOn(w) && reaches(a, w, nil) && reaches(w, b, nil) {
			ok = false
		}
	})
	return ok
}

// besides returns the case of s's select that receives from what q closes, of the same object; or
// nil.
func (c *code) besides(s, q *op) *op {
	if s.alone {
		return nil
	}
	at := c.locate(s.ch)
	for _, o := range c.byInstr[s.at] {
		l := c.locate(o.ch)
		if o.kind == receives && l.last == c.locate(q.ch).last && l.root == at.root && at.last != nil {
			return o
		}
	}
	return nil
}
