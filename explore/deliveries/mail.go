package deliveries

import "github.com/rehearse-go/rehearse/runtime/trace"

// Mail has the messages of an execution.
type Mail struct {
	Posts []Post // in the order in which they were sent
	Index map[trace.Message]int
	// by mailbox: the last configuration so far at which its receiver took a message from it, or
	// might have; -1: none
	Last []int
}

// Post is a message that was sent.
type Post struct {
	trace.Message
	Event     int32 // the send
	Box       int32 // the mailbox
	Previous  int   // the message of its sender that must be taken from there before it; -1: none
	Config    int   // where it was delivered, if it was
	Delivered bool
}

// Read takes down the messages of x.
func (w *Mail) Read(x *trace.Execution) {
	w.Posts, w.Index, w.Last = w.Posts[:0], map[trace.Message]int{}, w.Last[:0]
	for k := range x.Events {
		e := &x.Events[k]
		if m := e.Message(); e.Kind == trace.Send && m.Number > 0 {
			w.Index[m] = len(w.Posts)
			w.Posts = append(w.Posts,
				Post{Message: m, Event: int32(k), Box: e.Obj, Previous: w.previous(e)})
			for len(w.Last) <= int(e.Obj) {
				w.Last = append(w.Last, -1)
			}
		}
	}
}

// previous returns the last message so far that must be taken before the one that e sends; -1 if
// there is none.
func (w *Mail) previous(e *trace.Event) int {
	i := len(w.Posts) - 1
	for i >= 0 && (e.Cap != trace.Pairs || w.Posts[i].Sender != e.Proc || w.Posts[i].Box != e.Obj) {
		i--
	}
	return i
}

// Deliver returns the message, which is delivered now, at configuration c.
func (w *Mail) Deliver(m trace.Message, c int) *Post {
	p := w.Of(m)
	p.Config, p.Delivered = c, true
	return p
}

// Of returns the message of a name.
func (w *Mail) Of(m trace.Message) *Post { return &w.Posts[w.Index[m]] }

// Accepted notes that a message was taken at configuration c by op.
func (w *Mail) Accepted(op *trace.Op, c int) {
	if op.Kind == trace.Recv {
		w.Last[op.Obj] = c
	}
	for _, o := range op.Cases {
		if o.Obj >= 0 && int(o.Obj) < len(w.Last) {
			w.Last[o.Obj] = c
		}
	}
}
