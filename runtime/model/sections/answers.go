package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Answers by tasks: condition T7 in tasks.go.

// answer is an answer of a task; loop is an index of loops plus 1.
type answer struct{ obj, client, loop int32 }

// Client returns the sender of the task that p is in, if the channel is served; else nil.
func (w *World) Client(p *sched.Proc) *sched.Proc {
	if !w.inside(p) {
		return nil
	}
	s := &w.list[w.open[p.ID]-1]
	if s.task == 0 || !w.loops[s.task-1].Served {
		return nil
	}
	return w.s.All()[s.proc]
}

// Answer notes that p answers the sender of its task by way of channel obj.
func (w *World) Answer(p *sched.Proc, obj int32) {
	s := &w.list[w.open[p.ID]-1]
	w.answers = append(w.answers, answer{obj, s.proc, s.task})
}

// mayAnswer reports whether process q is in a task of a channel that is not served yet, and ev may
// be the answer of the task.
func (w *World) mayAnswer(q int32, ev *trace.Event) bool {
	i := w.open[q]
	if i == 0 || ev.Op.Kind != trace.Send && ev.Op.Kind != trace.Close {
		return false
	}
	s := &w.list[i-1]
	return s.task > 0 && !w.loops[s.task-1].Served && ev.Obj != s.obj
}

// judgeAnswers refuses loops that answer by way of channels that another process might see.
func (w *World) judgeAnswers(x *trace.Execution) {
	type wait struct{ client, obj int32 }
	waits := map[wait]bool{}
	for _, a := range w.answers {
		waits[wait{a.client, a.obj}] = true
	}
	others := map[int32]bool{} // channels with which something else is done
	see := func(q int32, op *trace.Op) {
		mine := op.Kind == trace.Recv && waits[wait{q, op.Obj}]
		others[op.Obj] = others[op.Obj] || !mine
		for _, c := range op.Cases {
			others[c.Obj] = true
		}
	}
	for k := 0; k < len(x.Events) && len(w.answers) > 0; k++ {
		e := &x.Events[k]
		others[e.Obj] = true
		for _, c := range slices.Concat(e.Op.Cases, e.PartnerOp.Cases) {
			others[c.Obj] = true
		}
	}
	for q := 0; q < len(x.Procs) && len(w.answers) > 0; q++ {
		if p := &x.Procs[q]; !p.Ended {
			see(int32(q), &p.Pending)
		}
	}
	first, shared := map[int32]answer{}, map[int32]bool{} // by channel
	for _, a := range w.answers {
		b, known := first[a.obj]
		if !known {
			first[a.obj] = a
		}
		shared[a.obj] = shared[a.obj] || known && (a.client != b.client || a.loop != b.loop)
		if shared[a.obj] || others[a.obj] {
			w.loops[a.loop-1].refuse("it answers by way of a channel that is used otherwise, too")
		}
	}
}
