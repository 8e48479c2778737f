package audit

import "github.com/rehearse-go/rehearse/runtime/trace"

// renaming translates names of the other side: processes are numbered as they are started, and
// messages as one process sends them. Those of the two tasks change their places; those made before
// and later do not.
type renaming struct {
	actor    int32
	procs    swap
	messages swap // of the actor
}

// swap moves the numbers from, ..., from+first-1 behind the second ones that follow them.
type swap struct{ from, first, second int32 }

func (w swap) of(n int32) int32 {
	switch {
	case n < w.from || n >= w.from+w.first+w.second:
		return n
	case n < w.from+w.first:
		return n + w.second
	}
	return n - w.first
}

// alt translates a choice.
func (r *renaming) alt(a trace.Alt) trace.Alt {
	a.Proc = r.procs.of(a.Proc)
	if a.Partner >= 0 {
		a.Partner = r.procs.of(a.Partner)
	}
	if a.Takes.Number > 0 {
		if a.Takes.Sender == r.actor {
			a.Takes.Number = r.messages.of(a.Takes.Number)
		}
		a.Takes.Sender = r.procs.of(a.Takes.Sender)
	}
	return a
}

// rename fills in the names of the other side. The processes and messages that a task makes are
// counted on the side where the task comes first: on the other side, steps behind the actor's loop
// may follow it.
func (d *side) rename() {
	if d.other == nil {
		return
	}
	theirs, ours := d.other.marks, d.marks
	d.names = renaming{
		actor: d.takes[0].Proc,
		procs: swap{ours[0].procs, theirs[1].procs - theirs[0].procs,
			ours[1].procs - ours[0].procs},
		messages: swap{ours[0].messages + 1, theirs[1].messages - theirs[0].messages,
			ours[1].messages - ours[0].messages},
	}
}
