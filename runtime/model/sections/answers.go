package sections

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Answers by tasks: condition T7 in tasks.go.

// Client returns the sender of the task that p is in, if the channel is served; else nil.
func (t *tasks) Client(p *sched.Proc) *sched.Proc {
	s := t.in.at(p.ID)
	if s == nil || s.task == 0 || !t.loops[s.task-1].Served {
		return nil
	}
	return t.in.s.All()[s.proc]
}

// Answer notes that p answers the sender of its task by way of channel obj.
func (t *tasks) Answer(p *sched.Proc, obj int32) {
	s := t.in.at(p.ID)
	t.answers = append(t.answers, answer{obj, s.proc, s.task})
}

// mayAnswer reports whether ev may be the answer of a task, whose channel is not served yet.
func (t *tasks) mayAnswer(ev *trace.Event) bool {
	if ev.Op.Kind != trace.Send && ev.Op.Kind != trace.Close {
		return false
	}
	s := t.in.at(ev.Proc)
	return s != nil && s.task > 0 && !t.loops[s.task-1].Served && ev.Obj != s.obj
}
