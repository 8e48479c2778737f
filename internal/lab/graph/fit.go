package graph

import (
	"fmt"
	"math"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// full is the reason why a program is refused whose sends may wait.
const full = "a send may have to wait, as its channel has not room for all"

// fit finds out whether a program is one for Search, in one execution.
type fit struct {
	why   string // what speaks against it; empty: nothing so far
	at    int    // the step that is to blame, -1 if that has not been done
	proc  int32  // then: the process that has declared it, and 1; 0: none
	known int    // processes whose first operation has been looked at
	uses  []use  // by object
}

// use is who uses a channel.
type use struct {
	receiver int32 // a process, and 1; 0: none
	several  bool  // of them
	sent     bool  // somebody sends
}

func (f *fit) begin() { *f = fit{uses: f.uses[:0]} }

// refuse notes that step at speaks against the program.
func (f *fit) refuse(at int, format string, args ...any) {
	if f.why == "" {
		f.why, f.at = fmt.Sprintf(format, args...), at
	}
}

// refuseOf notes that the declared operation of process q speaks against the program.
func (f *fit) refuseOf(q int32, why string) {
	if f.why == "" {
		f.why, f.at, f.proc = why, -1, q+1
	}
}

// step looks at step at, which is e.
func (f *fit) step(e *trace.Event, at int) {
	switch why := unfit(&e.Op, e.Alt); {
	case why != "":
		f.refuse(at, "%s", why)
	case e.Closed && e.Kind != trace.Recv:
		f.refuse(at, "a %v panics, as the channel is closed", e.Kind)
	case at >= depend.MaxEvents:
		f.refuse(at, "an execution has more than %d steps", depend.MaxEvents)
	}
}

// unfit says why alternative a of op is none for Search; empty if it is one.
func unfit(op *trace.Op, a trace.Alt) string {
	switch op.Kind {
	case trace.Send, trace.Recv:
		return unfitChannel(op.Cap, a)
	case trace.Select:
		return unfitSelect(op, a)
	case trace.Close:
		if op.Obj < 0 {
			return "a nil channel is closed"
		}
		return ""
	case trace.Log, trace.Yield:
		return ""
	case trace.End:
		if op.N == trace.Ended {
			return ""
		}
		return "there is a parallel subtest"
	case trace.Stop:
		return "a process ends the program, by a panic, an exit, or the end of main"
	case trace.Join:
		return "a subtest, or a bubble, is waited for"
	}
	return fmt.Sprintf("there is another operation than those of channels (%v)", op.Kind)
}

func unfitChannel(capacity int32, a trace.Alt) string {
	switch {
	case a.Partner >= 0:
		return "a channel has no buffer, so that its sender and its receiver wait for each other"
	case capacity == trace.Timers:
		return "a timer's channel is received from"
	case trace.Mailbox(capacity):
		return "there is a mailbox"
	}
	return ""
}

func unfitSelect(op *trace.Op, a trace.Alt) string {
	if op.Default {
		return "a select has a default branch"
	}
	for _, c := range op.Cases {
		if c.Kind != trace.Recv {
			return "a select has a case that sends"
		}
		if why := unfitChannel(c.Cap, a); why != "" {
			return why
		}
	}
	return ""
}

// declared looks at what has been declared since the last state.
func (f *fit) declared(s *trace.State) {
	if s.Last >= 0 {
		f.declare(s.Last, s.Procs[s.Last])
	}
	for ; f.known < len(s.Procs); f.known++ {
		f.declare(int32(f.known), s.Procs[f.known])
	}
}

// declare takes down what process q has declared, nil if it has ended.
func (f *fit) declare(q int32, op *trace.Op) {
	switch {
	case op == nil:
	case op.Kind == trace.Select:
		for _, c := range op.Cases {
			f.use(q, c.Kind, c.Obj)
		}
	default:
		f.use(q, op.Kind, op.Obj)
	}
}

func (f *fit) use(q int32, k trace.Kind, obj int32) {
	if obj < 0 || k != trace.Send && k != trace.Recv {
		return
	}
	for len(f.uses) <= int(obj) {
		f.uses = append(f.uses, use{})
	}
	u := &f.uses[obj]
	switch {
	case k == trace.Send:
		u.sent = true
	case u.receiver == 0:
		u.receiver = q + 1
	case u.receiver != q+1:
		u.several = true
	}
	if u.several && u.sent {
		f.refuseOf(q, "a channel has several receivers")
	}
}

// conclude looks at the whole execution.
func (r *run) conclude(x *trace.Execution) {
	last := len(x.Events) - 1
	switch x.End {
	case trace.Quiet:
	case trace.Crashed:
		r.fit.refuse(last, "a panic ends the program")
	case trace.Exited:
		r.fit.refuse(last, "an exit ends the program")
	default:
		r.fit.refuse(last, "an execution has no end of its own")
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended {
			r.fit.declare(int32(q), &p.Pending)
			r.fit.waits(int32(q), &p.Pending)
		}
	}
	if r.fit.why == "" {
		r.bounds()
		r.readLog()
	}
}

// waits refuses a send that waits.
func (f *fit) waits(q int32, op *trace.Op) {
	waits := op.Kind == trace.Send && op.Cap > 0
	if op.Kind == trace.Select {
		for _, c := range op.Cases {
			waits = waits || c.Kind == trace.Send && c.Cap > 0
		}
	}
	if waits {
		f.refuseOf(q, full)
	}
}

// bounds refuses a program whose channels are too small, or are closed too early.
func (r *run) bounds() {
	room := make([]int32, 0, len(r.queues))
	for i := range r.queues {
		room = append(room, r.queues[i].room)
	}
	if n := r.g.Crowded(room); n >= 0 {
		r.fit.refuse(int(r.steps[n]), full)
	}
	if n := r.g.Overtaken(); n >= 0 {
		r.fit.refuse(int(r.steps[n]), "a send may come after the close of its channel")
	}
}

// unbounded is the room of the log.
const unbounded = math.MaxInt32
