package discipline

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Request is a kind of message that has a channel for the answer in a field, or that is one.
type Request struct {
	Reply *types.Var // the field; nil if the message is the channel
	Sends []*Op      // of such messages
}

// Is reports whether messages of type t are requests, in a mailbox that has them.
func (q *Request) Is(t types.Type) bool {
	if q.Reply == nil {
		return kernel.Is[*types.Chan](t)
	}
	return holdsField(t, q.Reply)
}

// Channel names the channel for the answer.
func (q *Request) Channel() string {
	if q.Reply == nil {
		return "the channel that it is"
	}
	return q.Reply.Name()
}

// Requests returns the kinds of requests: one for each field, then one for each mailbox that takes
// channels.
func Requests(c *Package) []*Request {
	var out []*Request
	for _, reply := range replyFields(c) {
		q := &Request{Reply: reply}
		for _, o := range c.Ops {
			if o.Kind == Send && q.Is(MessageType(o.Msg)) {
				q.Sends = append(q.Sends, o)
			}
		}
		out = append(out, q)
	}
	seen := map[*Channel]bool{}
	for _, o := range c.Ops {
		_, ok := kernel.Elem(o.Ch).Underlying().(*types.Chan)
		if ch := c.Flow.Of(o.Ch); ok && o.Kind == Send && !seen[ch] {
			seen[ch] = true
			out = append(out, &Request{Sends: ch.Ops[Send]})
		}
	}
	return out
}

// replyFields returns the channel fields to which only fresh channels are assigned, in source
// order.
func replyFields(c *Package) []*types.Var {
	var out []*types.Var
	for v := range c.Stores {
		if _, ok := v.Type().Underlying().(*types.Chan); ok && c.freshField(v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return out
}

// Client is a function that sends a request, itself or by a helper, and waits for the answer.
type Client struct {
	Send, Wait *Op
}

// Post is where a client lets go of a request: the send, or the call of a helper that sends it.
type Post struct {
	At  ssa.Instruction
	Msg ssa.Value
}

// Clients returns who sends requests. It is nil unless all of them wait for the answer, so that the
// process that takes a request knows that a client waits. To pass on a request that has been
// received is no new one.
func Clients(c *Package, q *Request) []Client {
	var out []Client
	for _, s := range q.Sends {
		if s.Msg == nil || q.Reply == nil && c.Flow.Of(s.Msg).Open {
			return nil
		}
		if c.FromMessage(Locate(s.Msg)) {
			continue
		}
		found, ok := clientsAt(c, q, s, Post{s.At, s.Msg}, MaxTask)
		if !ok {
			return nil
		}
		out = append(out, found...)
	}
	if slices.ContainsFunc(c.Stores[q.Reply],
		func(s *ssa.Store) bool { return c.Flow.Of(s.Val).Open || !always(s, out) }) {
		return nil
	}
	return out
}

// always reports whether s is on each path to the wait of a client, or through its function.
func always(s *ssa.Store, clients []Client) bool {
	if slices.ContainsFunc(clients,
		func(cl Client) bool {
			return cl.Wait.In() == s.Parent() && kernel.Dominates(s, cl.Wait.At)
		}) {
		return true
	}
	ok := true
	for i := range kernel.All(s.Parent()) {
		if _, returns := i.(*ssa.Return); returns {
			ok = ok && kernel.Dominates(s, i)
		}
	}
	return ok
}

// clientsAt returns the clients whose requests come by p to send s: the function of p, if it waits,
// or else all who call it with a request. It is not ok if one of them does not wait, or is not
// seen.
func clientsAt(c *Package, q *Request, s *Op, p Post, depth int) (out []Client, ok bool) {
	if w := waitFor(c, q, p); w != nil {
		return []Client{{s, w}}, true
	}
	fn, l := p.At.Parent(), Locate(p.Msg)
	param, ok := l.Root.(*ssa.Parameter)
	if !ok || l.Last != nil || param.Parent() != fn || depth == 0 || c.ValueOf(fn) ||
		c.Exported(fn) && c.Hidden(param.Type()) == nil {
		return nil, false
	}
	for _, call := range c.Callers[fn] {
		found, ok := clientsAt(c, q, s, Post{call, call.Common().Args[kernel.ParamIndex(param)]},
			depth-1)
		if _, plain := call.(*ssa.Call); !plain || !ok {
			return nil, false
		}
		out = append(out, found...)
	}
	return out, true
}

// waitFor returns the wait for the answer to the request that is let go at p, in p's function: a
// plain receive after p.
func waitFor(c *Package, q *Request, p Post) *Op {
	for _, w := range c.Ops {
		if w.Kind == Receive && w.Alone && w.In() == p.At.Parent() &&
			kernel.Dominates(p.At, w.At) && Answers(c, q, p, w.Ch) && surelyWaits(c, p, w) {
			return w
		}
	}
	return nil
}

// surelyWaits reports whether every path from p comes to w, but for what a helper may tell by its
// results.
func surelyWaits(c *Package, p Post, w *Op) bool {
	b, i := p.At.Block(), kernel.IndexOf(p.At)+1
	for _, s := range c.ByInstr[p.At] {
		if s.Kind == Send && s.Msg == p.Msg {
			b, i = After(s)
		}
	}
	if call, ok := p.At.(*ssa.Call); ok && call.Call.Signature().Results().Len() > 0 {
		return true
	}
	return b != nil && kernel.Search(b, i, func(i ssa.Instruction) kernel.Answer {
		_, returns := i.(*ssa.Return)
		switch {
		case i == w.At:
			return kernel.Blocked
		case returns:
			return kernel.Found
		}
		return kernel.Onward
	}) == nil
}

// Answers reports whether the answer to p's request comes on ch: the channel that is stored in the
// request's field, or read from it.
func Answers(c *Package, q *Request, p Post, ch ssa.Value) bool {
	l, msg := Locate(ch), Locate(p.Msg)
	m, made := l.Root.(*ssa.MakeChan)
	switch {
	case q.Reply == nil:
		return made && l == msg && onlyExchanged(c, m, p)
	case l.Last == q.Reply:
		return l.Root == msg.Root && l.Fields == msg.Fields+"."+q.Reply.Name()
	}
	return made && l.Last == nil && kernel.Dominates(m, p.At) &&
		slices.ContainsFunc(c.Stores[q.Reply],
			func(s *ssa.Store) bool { return kernel.Unwrap(s.Val) == m })
}

// onlyExchanged reports whether channel v is let go at p, received from, and nothing else: then
// each sender has it from p's mailbox.
func onlyExchanged(c *Package, v ssa.Value, p Post) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch i := ref.(type) {
		case *ssa.ChangeType:
			return !onlyExchanged(c, i, p)
		case *ssa.UnOp:
			return false // a receive
		case *ssa.Select:
			return slices.ContainsFunc(i.States, func(st *ssa.SelectState) bool {
				return st.Dir == types.SendOnly && (st.Chan == v || ref != p.At)
			})
		}
		return ref != p.At
	})
}

// IsReply reports whether ch is m, or is read from the reply field of something in m's function.
func IsReply(ch ssa.Value, m *ssa.MakeChan, reply *types.Var) bool {
	l := Locate(ch)
	if l.Root == m && l.Last == nil {
		return true
	}
	a, ok := l.Root.(*ssa.Alloc)
	return ok && l.Last == reply && a.Parent() == m.Parent()
}

// MessageType is the type of a message, before it is converted to an interface.
func MessageType(v ssa.Value) types.Type {
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
	s, ok := kernel.Deref(t).Underlying().(*types.Struct)
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
