package depict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// did says in a few words what event i did; rendezvous and receives are drawn as arrows instead.
func (n *names) did(i int) string {
	e := &n.X.Events[i]
	if k, ok := n.requests.begins[int32(i)]; ok {
		return "serve " + n.requests.list[k].label()
	}
	switch e.Kind {
	case trace.Draw, trace.Pick, trace.Fault:
		return n.chose(i)
	case trace.End:
		switch e.Op.Stage() {
		case trace.Parked:
			return "park " + n.obj(e.Obj)
		case trace.Released:
			return "release subtests"
		}
	case trace.WLock:
		if e.OK {
			return "lock " + n.obj(e.Obj)
		}
	case trace.AtomicLoad, trace.AtomicStore:
		if e.Op.IsPlain() { // the accesses behind it have rows of their own
			return "pauses"
		}
	case trace.WgAdd:
		if isPipe(n.X, e.Obj) {
			return pipeWord(e) + " " + n.obj(e.Obj)
		}
		return fmt.Sprintf("%s %+d", n.obj(e.Obj), e.Op.Delta())
	case trace.StreamShut, trace.StreamSet:
		return stream.Word(e) + " " + n.obj(e.Obj) + result(e)
	}
	row := e.Kind.Operation()
	if row.Class == trace.Nameless || e.Kind == trace.Log {
		return row.Word
	}
	return row.Word + " " + n.obj(e.Obj) + numbered(e) + result(e)
}

// pipeWord says what a step does to a pipe.
func pipeWord(e *trace.Event) string {
	if e.Op.Delta() > 0 {
		return "open"
	}
	return "end"
}

// chose says what event i, a hidden choice, chose.
func (n *names) chose(i int) string {
	if i < len(n.X.Values) && !n.At.Secret {
		return n.X.Values[i]
	}
	if n.At.Secret {
		return n.X.Events[i].Kind.String()
	}
	return fmt.Sprintf("%v %d", n.X.Events[i].Kind, n.X.Events[i].Case)
}

// numbered says which message an event on a mailbox is about: which one of its sender's.
func numbered(e *trace.Event) string {
	if m := e.Message(); m.Number > 0 {
		return fmt.Sprintf(" #%d", m.Number)
	}
	return ""
}

func result(e *trace.Event) string {
	switch {
	case e.Closed && e.Kind == trace.Recv:
		return " (closed)"
	case e.Closed:
		return " (closed!)"
	case e.Kind.OfStream() && !e.OK:
		return " (" + stream.Err(e.Seq).String() + ")"
	}
	if failed := e.Kind.Operation().Failed; failed != "" && !e.OK {
		return " (" + failed + ")"
	}
	return ""
}

// waits says what a process that declared op waits for, to follow the process's name.
func (n *names) waits(op *trace.Op) string {
	row := op.Kind.Operation()
	switch {
	case op.Kind == trace.Select:
		return row.Waits + n.casesOf(op)
	case row.Waits == "":
		return "is about to " + row.Name
	case row.Class == trace.Nameless:
		return row.Waits
	case op.Kind == trace.WgWait && isPipe(n.X, op.Obj):
		return "waits to read from " + n.object(op.Obj) + ", which is not closed"
	}
	return row.Waits + " " + n.object(op.Obj) + n.because(op)
}

// because says why op, which acts on an object with a name, is not enabled, unless the reason is
// plain.
func (n *names) because(op *trace.Op) string {
	list, of := blame{n}.blockers(op)
	switch {
	case op.Kind == trace.WWait:
		return n.readers(op.Obj)
	case op.Kind == trace.WgWait:
		return fmt.Sprintf(", whose counter is %d", n.counter(op.Obj))
	case len(list) == 0 && of != 0 && n.X.Began(op.Obj).Held && !n.released(op.Obj):
		return ", which was locked when it was first used"
	case len(list) == 0:
		return ""
	}
	who, since := n.proc(list[0].proc), n.since(list[0].step)
	switch of {
	case trace.Once:
		return ", which " + who + " has been doing" + since
	case trace.WWait:
		return ", for which " + who + " waits to write" + since
	}
	return ", held by " + who + since
}

// casesOf lists the cases of a select.
func (n *names) casesOf(op *trace.Op) string {
	if len(op.Cases) == 0 {
		return " without cases"
	}
	var cases []string
	for _, c := range op.Cases {
		cases = append(cases, c.Kind.Operation().Word+" "+n.obj(c.Obj))
	}
	return ": " + strings.Join(cases, ", ")
}

// announced reports whether an event is a writer's that keeps readers out of an RWMutex, and still
// waits for those that are in.
func (n *names) announced(event int) bool {
	e := &n.X.Events[event]
	if e.Kind != trace.WLock || e.OK || int(e.Proc) >= len(n.X.Procs) {
		return false
	}
	p := &n.X.Procs[e.Proc]
	return !p.Ended && p.Pending.Kind == trace.WWait && p.Pending.Obj == e.Obj
}

// released reports whether somebody has unlocked object o, for writing if that is an RWMutex.
func (n *names) released(o int32) bool {
	return slices.ContainsFunc(n.X.Events, func(e trace.Event) bool {
		return e.Obj == o && (e.Kind == trace.Unlock || e.Kind == trace.WUnlock)
	})
}

func (n *names) since(event int) string {
	if event >= len(n.X.Sites) || n.X.Sites[event] == "" {
		return ""
	}
	return " since " + n.At.Line(n.X.Sites[event])
}

// readers says how many readers keep the announced writer out of object o.
func (n *names) readers(o int32) string {
	count := int(n.X.Began(o).Readers)
	for i := range n.X.Events {
		e := &n.X.Events[i]
		switch {
		case e.Obj != o:
		case e.Kind == trace.RLock || e.Kind == trace.RTryLock && e.OK:
			count++
		case e.Kind == trace.RUnlock:
			count--
		}
	}
	return ", which has " + words.Plural(count, "reader")
}

func (n *names) counter(o int32) int {
	sum := int(n.X.Began(o).Count)
	for i := range n.X.Events {
		if e := &n.X.Events[i]; e.Kind == trace.WgAdd && e.Obj == o {
			sum += int(e.Op.Delta())
		}
	}
	return sum
}
