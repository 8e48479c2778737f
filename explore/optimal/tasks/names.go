package tasks

import "github.com/rehearse-go/rehearse/runtime/trace"

// names gives processes, messages and deliveries names that hold across executions, in whatever
// order a process has run tasks that commute. A trace.Message counts all messages that its sender
// has sent; the name counts them within a task. The zero value is ready.
type names struct {
	ids   map[nameKey]int32
	procs []performer             // of the current execution
	mails map[trace.Message]int32 // of the current execution
	named map[int32]trace.Message // the inverse
	seen  int                     // events
	// by delivery: after so many messages, the next step comes after a loop; see Facts.Rounds
	sends map[int32]int
}

// nameKey identifies a named thing by four numbers, which depend on the kind.
type nameKey struct {
	kind       nameKind
	a, b, c, d int32
}

type nameKind uint8

const (
	// the parent, its task, the step of that, and which one of those that appear after it
	processName  nameKind = iota
	messageName           // the sender, its task, the step of that
	deliveryName          // the message, the case of the select that takes it
	intervalName          // the process, which one of its intervals: see intervalBegins
)

// performer is what is known of a process of the current execution.
type performer struct {
	name      int32
	task      int32 // the delivery, or interval, that it is at; -1: what comes before the first one
	step      int32 // events since that began
	intervals int32
}

// see takes down the events, processes and messages that are new. The state has n processes.
func (m *names) see(events []trace.Event, n int) {
	if len(events) == 0 {
		m.procs, m.mails, m.named, m.seen = m.procs[:0], map[trace.Message]int32{},
			map[int32]trace.Message{}, 0
	}
	birth := nameKey{processName, -1, -1, -1, 0}
	for ; m.seen < len(events); m.seen++ {
		e := &events[m.seen]
		p := m.note(e)
		birth.a, birth.b, birth.c = p.name, p.task, p.step
	}
	for ; len(m.procs) < n; birth.d++ {
		m.procs = append(m.procs, performer{name: m.of(birth), task: -1})
	}
}

// note takes e down, and returns the process that has done it.
func (m *names) note(e *trace.Event) *performer {
	p := &m.procs[e.Proc]
	switch {
	case e.Takes.Number > 0:
		p.task, p.step = m.delivery(e.Alt), 0
	case intervalBegins(&e.Op), m.over(p):
		m.interval(p)
	default:
		p.step++
	}
	if sent := e.Message(); e.Kind == trace.Send && sent.Number > 0 {
		name := m.of(nameKey{messageName, p.name, p.task, p.step, 0})
		m.mails[sent], m.named[name] = name, sent
	}
	if e.Partner >= 0 {
		if q := &m.procs[e.Partner]; intervalBegins(&e.PartnerOp) || m.over(q) {
			m.interval(q)
		} else {
			q.step++
		}
	}
	return p
}

// bound notes the number of messages that the task of a delivery sends before its loop ends. It is
// math.MaxInt if everything that follows is a part of the task, or if the task is in no such loop.
func (m *names) bound(name int32, sends int) {
	if m.sends == nil {
		m.sends = map[int32]int{}
	}
	m.sends[name] = sends
}

// over reports whether the next step of p, if that is no receive, comes after the loop of its task.
func (m *names) over(p *performer) bool {
	sends, ok := m.sends[p.task]
	return ok && int(p.step) >= sends
}

func (m *names) interval(p *performer) {
	p.intervals++
	p.task, p.step = m.of(nameKey{intervalName, p.name, p.intervals, 0, 0}), 0
}

// intervalBegins reports whether op, which has taken no message, might have been the beginning of a
// task: the later steps of the process belong to no task before it.
func intervalBegins(op *trace.Op) bool {
	return op.Kind == trace.Select || op.Kind == trace.Recv && trace.Mailbox(op.Cap)
}

// delivery names a delivery of the current execution.
func (m *names) delivery(a trace.Alt) int32 {
	return m.of(nameKey{deliveryName, m.mails[a.Takes], a.Case, 0, 0})
}

func (m *names) of(k nameKey) int32 {
	if m.ids == nil {
		m.ids = map[nameKey]int32{}
	}
	id, ok := m.ids[k]
	if !ok {
		id = int32(len(m.ids))
		m.ids[k] = id
	}
	return id
}
