package discipline

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// request is a kind of message that has a channel for the answer in a field, or that is one.
type request struct {
	reply *types.Var // the field; nil if the message is the channel
	sends []*op      // of such messages
}

// is reports whether messages of type t are requests, in a mailbox that has them.
func (q *request) is(t types.Type) bool {
	if q.reply == nil {
		_, ok := t.Underlying().(*types.Chan)
		return ok
	}
	return holdsField(t, q.reply)
}

// channel names the channel for the answer.
func (q *request) channel() string {
	if q.reply == nil {
		return "the channel that it is"
	}
	return q.reply.Name()
}

// requests returns the kinds of requests: one for each field, then one for each mailbox that takes
// channels.
func (c *code) requests() []*request {
	var out []*request
	for _, reply := range c.replyFields() {
		q := &request{reply: reply}
		for _, o := range c.ops {
			if o.kind == sends && q.is(messageType(o.msg)) {
				q.sends = append(q.sends, o)
			}
		}
		out = append(out, q)
	}
	seen := map[*channel]bool{}
	for _, o := range c.ops {
		_, ok := elem(o.ch).Underlying().(*types.Chan)
		if ch := c.flow.of(o.ch); ok && o.kind == sends && !seen[ch] {
			seen[ch] = true
			out = append(out, &request{sends: ch.ops[sends]})
		}
	}
	return out
}

// replyFields returns the channel fields to which only fresh channels are assigned, in source
// order.
func (c *code) replyFields() []*types.Var {
	var out []*types.Var
	for v := range c.stores {
		if _, ok := v.Type().Underlying().(*types.Chan); ok && c.freshField(v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return out
}

// client is a function that sends a request, itself or by a helper, and waits for the answer.
type client struct {
	send, wait *op
}

// post is where a client lets go of a request: the send, or the call of a helper that sends it.
type post struct {
	at  ssa.Instruction
	msg ssa.Value
}

// clients returns who sends requests. It is nil unless all of them wait for the answer, so that
// whoever takes a request knows that somebody waits. To pass on a request that has been received is
// no new one.
func (c *code) clients(q *request) []client {
	var out []client
	for _, s := range q.sends {
		if s.msg == nil || q.reply == nil && c.flow.of(s.msg).open {
			return nil
		}
		if c.fromMessage(c.locate(s.msg)) {
			continue
		}
		found, ok := c.clientsAt(q, s, post{s.at, s.msg}, maxTask)
		if !ok {
			return nil
		}
		out = append(out, found...)
	}
	if slices.ContainsFunc(c.stores[q.reply], func(s *ssa.Store) bool { return c.flow.of(s.Val).open || !always(s, out) }) {
		return nil
	}
	return out
}

// always reports whether s is on each path to the wait of a client, or through its function.
func always(s *ssa.Store, clients []client) bool {
	if slices.ContainsFunc(clients, func(cl client) bool { return cl.wait.in() == s.Parent() && dominates(s, cl.wait.at) }) {
		return true
	}
	ok := true
	eachOf(s.Parent(), func(i ssa.Instruction) {
		if _, returns := i.(*ssa.Return); returns {
			ok = ok && dominates(s, i)
		}
	})
	return ok
}

// clientsAt returns the clients whose requests come by p to send s: the function of p, if it waits,
// or else all who call it with a request. It is not ok if one of them does not wait, or is not
// seen.
func (c *code) clientsAt(q *request, s *op, p post, depth int) (out []client, ok bool) {
	if w := c.waitFor(q, p); w != nil {
		return []client{{s, w}}, true
	}
	fn, l := p.at.Parent(), c.locate(p.msg)
	param, ok := l.root.(*ssa.Parameter)
	if !ok || l.last != nil || param.Parent() != fn || depth == 0 || c.valueOf(fn) || c.exported(fn) && c.hidden(param.Type()) == nil {
		return nil, false
	}
	for _, call := range c.callers[fn] {
		found, ok := c.clientsAt(q, s, post{call, call.Common().Args[paramIndex(param)]}, depth-1)
		if _, plain := call.(*ssa.Call); !plain || !ok {
			return nil, false
		}
		out = append(out, found...)
	}
	return out, true
}

// waitFor returns the wait for the answer to the request that is let go at p, in p's function: a
// plain receive after p.
func (c *code) waitFor(q *request, p post) *op {
	for _, w := range c.ops {
		if w.kind == receives && w.alone && w.in() == p.at.Parent() && dominates(p.at, w.at) && c.answers(q, p, w.ch) && c.surelyWaits(p, w) {
			return w
		}
	}
	return nil
}

// surelyWaits reports whether every path from p comes to w, but for what a helper may tell by its
// results.
func (c *code) surelyWaits(p post, w *op) bool {
	b, i := p.at.Block(), indexOf(p.at)+1
	for _, s := range c.byInstr[p.at] {
		if s.kind == sends && s.msg == p.msg {
			b, i = after(s)
		}
	}
	if call, ok := p.at.(*ssa.Call); ok && call.Call.Signature().Results().Len() > 0 {
		return true
	}
	return b != nil && search(b, i, func(i ssa.Instruction) answer {
		_, returns := i.(*ssa.Return)
		switch {
		case i == w.at:
			return blocked
		case returns:
			return found
		}
		return onward
	}) == nil
}

// answers reports whether ch is where the answer to p's request comes: what its field holds, or is
// read from it.
func (c *code) answers(q *request, p post, ch ssa.Value) bool {
	l, msg := c.locate(ch), c.locate(p.msg)
	m, made := l.root.(*ssa.MakeChan)
	switch {
	case q.reply == nil:
		return made && l == msg && c.onlyExchanged(m, p)
	case l.last == q.reply:
		return l.root == msg.root && l.fields == msg.fields+"."+q.reply.Name()
	}
	return made && l.last == nil && dominates(m, p.at) &&
		slices.ContainsFunc(c.stores[q.reply], func(s *ssa.Store) bool { return unwrap(s.Val) == m })
}

// onlyExchanged reports whether channel v is let go at p, received from, and nothing else: whoever
// sends on it has it from p's mailbox.
func (c *code) onlyExchanged(v ssa.Value, p post) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch i := ref.(type) {
		case *ssa.ChangeType:
			return !c.onlyExchanged(i, p)
		case *ssa.UnOp:
			return false // a receive
		case *ssa.Select:
			return slices.ContainsFunc(i.States, func(st *ssa.SelectState) bool {
				return st.Dir == types.SendOnly && (st.Chan == v || ref != p.at)
			})
		}
		return ref != p.at
	})
}

// isReply reports whether ch is m, or is read from the reply field of something in m's function.
func (c *code) isReply(ch ssa.Value, m *ssa.MakeChan, reply *types.Var) bool {
	l := c.locate(ch)
	if l.root == m && l.last == nil {
		return true
	}
	a, ok := l.root.(*ssa.Alloc)
	return ok && l.last == reply && a.Parent() == m.Parent()
}

// messageType is the type of a message, before it is converted to an interface.
func messageType(v ssa.Value) types.Type {
	if v == nil {
		return types.Typ[types.Invalid] // sent by code that is not seen
	}
	if i, ok := v.(*ssa.MakeInterface); ok {
		return i.X.Type()
	}
	return v.Type()
}

// holdsField reports whether t is the struct with a field, or a pointer to it.
func holdsField(t types.Type, f *types.Var) bool {
	s, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if s.Field(i).Origin() == f {
			return true
		}
	}
	return false
}
