package audit

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Look returns the fingerprint of the present state; why says why there is none.
type Look func() (state [16]byte, why string)

// stage says how a side goes on.
type stage int

const (
	coming  stage = iota // to the state of the pair
	first                // runs the first task
	second               // runs the second one
	onwards              // after both
)

// side is one execution of an audit, as a trace.Chooser.
type side struct {
	tasks  *handlers.Classifier
	prefix []trace.Alt
	takes  [2]trace.Alt // in the order of this side
	look   Look
	other  *side // whose choices this one makes after both tasks; nil: what comes

	stage   stage
	place   int32   // of the receive that takes both messages
	marks   [3]mark // before the first task, between them, after both
	trouble string  // why it says nothing
	// 1 + how many steps after both tasks the other side's next choice was not possible; 0: it
	// always was
	lost    int
	state   [16]byte        // after both tasks
	unknown string          // why there is none
	names   renaming        // of the other side's processes and messages
	choices []trace.Alt     // of the whole execution, when it has ended
	result  trace.Execution // likewise, without what only lives until the next one
}

// mark is how far an execution has come.
type mark struct{ events, procs, messages int32 }

// Choose implements trace.Chooser.
func (d *side) Choose(s *trace.State) int {
	switch p := d.takes[0].Proc; {
	case d.stage == coming && s.Depth < len(d.prefix):
		return d.must(slices.Index(s.Alts, d.prefix[s.Depth]), "its state was not reached again")
	case d.stage == coming:
		d.stage, d.marks[0], d.place = first, d.now(s), s.Procs[p].N
		return d.must(slices.Index(s.Alts, d.takes[0]), "its state was not reached again")
	case d.stage == first && d.over(s, p):
		return d.takeSecond(s, p)
	case d.stage == first:
		return d.must(own(s, p), "a task waits for others")
	case d.stage == second && !d.over(s, p) && own(s, p) >= 0:
		return own(s, p)
	case d.stage == second:
		d.stage, d.marks[2] = onwards, d.now(s)
		d.state, d.unknown = d.look()
		d.rename()
	}
	return d.onward(s)
}

// must returns i, or ends the execution in trouble if there is none.
func (d *side) must(i int, trouble string) int {
	if i < 0 {
		d.trouble = trouble
	}
	return i
}

// over reports whether process p has done its task: it receives the next message of an actor, or
// has ended.
func (d *side) over(s *trace.State, p int32) bool {
	_, ok := d.tasks.Receiver(s.Procs[p])
	return ok || s.Procs[p] == nil
}

// own returns the first alternative that process p has by itself; -1 if there is none.
func own(s *trace.State, p int32) int {
	return slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return a.Proc == p })
}

func (d *side) takeSecond(s *trace.State, p int32) int {
	d.stage, d.marks[1] = second, d.now(s)
	i := -1
	if op := s.Procs[p]; op != nil && op.Place() == d.place {
		i = slices.Index(s.Alts, d.takes[1])
	}
	return d.must(i,
		"after one of the tasks the actor does not come back to where it took the message")
}

// now returns how far the execution has come. Only the messages of the actor count.
func (d *side) now(s *trace.State) mark {
	m := mark{events: int32(s.Depth), procs: int32(len(s.Procs))}
	for i := range s.Depth {
		if e := &s.Events[i]; e.Kind == trace.Send && e.Proc == d.takes[0].Proc {
			m.messages = max(m.messages, e.Message().Number)
		}
	}
	return m
}

// onward goes on as the other side did, or freely.
func (d *side) onward(s *trace.State) int {
	if d.other == nil {
		return explore.Onward(s)
	}
	after := s.Depth - int(d.marks[2].events)
	at := int(d.other.marks[2].events) + after
	i := -1
	if at < len(d.other.choices) {
		i = slices.Index(s.Alts, d.names.alt(d.other.choices[at]))
	}
	if i < 0 {
		d.lost = after + 1
	}
	return i
}

// run makes the execution.
func (d *side) run(e explore.Executor) {
	x := e.Execute(d, false)
	d.choices = explore.Choices(x)
	d.result = *x
	d.result.Events, d.result.Log = slices.Clone(x.Events), slices.Clone(x.Log)
	d.result.Blocked = slices.Clone(x.Blocked)
	switch {
	case d.trouble != "":
	case x.End == trace.Steps || x.Pressed || x.Stuck:
		d.trouble = "the execution does not end by itself"
	case x.End == trace.Cut && d.lost == 0:
		d.trouble = "the execution was cut off"
	case d.stage < second:
		d.trouble = "the execution ends within a task"
	case d.stage == second: // the program came to rest, or to its end, in the second task
		d.marks[2] = mark{events: int32(len(x.Events)), procs: int32(len(x.Procs))}
		d.unknown = "the program had ended"
	}
}
