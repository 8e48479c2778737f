package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// mail is what was sent in an execution.
type mail struct {
	posts []post // in the order in which they were sent
	index map[trace.Message]int
	// by mailbox: the last configuration so far at which its receiver took a message from it, or
	// might have; -1: none
	last []int
}

// post is a message that was sent.
type post struct {
	trace.Message
	event     int32 // the send
	box       int32 // the mailbox
	previous  int   // the message of its sender that must be taken from there before it; -1: none
	config    int   // where it was delivered, if it was
	delivered bool
}

// read takes down the messages of x.
func (w *mail) read(x *trace.Execution) {
	w.posts, w.index, w.last = w.posts[:0], map[trace.Message]int{}, w.last[:0]
	for k := range x.Events {
		e := &x.Events[k]
		if m := e.Message(); e.Kind == trace.Send && m.Number > 0 {
			w.index[m] = len(w.posts)
			w.posts = append(w.posts, post{Message: m, event: int32(k), box: e.Obj, previous: w.previous(e)})
			for len(w.last) <= int(e.Obj) {
				w.last = append(w.last, -1)
			}
		}
	}
}

// previous returns the last message so far that must be taken before the one that e sends; -1 if
// there is none.
func (w *mail) previous(e *trace.Event) int {
	i := len(w.posts) - 1
	for i >= 0 && (e.Cap != trace.Pairs || w.posts[i].Sender != e.Proc || w.posts[i].box != e.Obj) {
		i--
	}
	return i
}

// deliver returns the message, which is delivered now, at configuration c.
func (w *mail) deliver(m trace.Message, c int) *post {
	p := w.of(m)
	p.config, p.delivered = c, true
	return p
}

// of returns the message of a name.
func (w *mail) of(m trace.Message) *post { return &w.posts[w.index[m]] }

// accepted notes that a message was taken at configuration c by op.
func (w *mail) accepted(op *trace.Op, c int) {
	if op.Kind == trace.Recv {
		w.last[op.Obj] = c
	}
	for _, o := range op.Cases {
		if o.Obj >= 0 && int(o.Obj) < len(w.last) {
			w.last[o.Obj] = c
		}
	}
}
