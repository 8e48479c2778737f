package search

import "github.com/rehearse-go/rehearse/runtime/trace"

// Names gives processes names that hold across executions. Their numbers do not, as they count all
// processes in the order in which they are started. The processes that a process starts depend only
// on its own events. So a process is known by the event after which it appears (the process and its
// number of the event), and by how many appeared before it with the same event. The zero value is
// ready.
type Names struct {
	ids    map[birth]int32
	births []birth // by name
	// of the current execution; behind them, those that there were in an earlier one
	Procs []Called
	At    []int32 // by name: the number that a process may have
}

// birth says after which event a process appears.
type birth struct{ parent, event, rank int32 }

// Called has the name of a process of the current execution, and the number of its events.
type Called struct {
	Name  int32
	Moves int32 // events that it has taken part in
}

// See takes down the processes that are new in the state after the given events; it has n
// processes.
func (m *Names) See(events []trace.Event, n int) {
	b := birth{parent: -1, event: -1}
	if len(events) == 0 {
		m.Procs = m.Procs[:0]
	} else {
		e := &events[len(events)-1]
		b.parent, b.event = m.Procs[e.Proc].Name, m.Procs[e.Proc].Moves
		m.Procs[e.Proc].Moves++
		if e.Partner >= 0 {
			m.Procs[e.Partner].Moves++
		}
	}
	for ; len(m.Procs) < n; b.rank++ {
		name := m.nameOf(b)
		m.At[name] = int32(len(m.Procs))
		m.Procs = append(m.Procs, Called{Name: name})
	}
}

// nameOf returns the name of the next process. Mostly that is the process which had its number
// before.
func (m *Names) nameOf(b birth) int32 {
	if n := len(m.Procs); n < cap(m.Procs) {
		if name := m.Procs[:n+1][n].Name; int(name) < len(m.births) && m.births[name] == b {
			return name
		}
	}
	return m.find(b)
}

// find is nameOf without a short cut.
func (m *Names) find(b birth) int32 {
	if m.ids == nil {
		m.ids = map[birth]int32{}
	}
	name, ok := m.ids[b]
	if !ok {
		name = int32(len(m.At))
		m.ids[b] = name
		m.At, m.births = append(m.At, 0), append(m.births, b)
	}
	return name
}

// Label names an alternative across executions: its processes, and the sender of the message that
// it takes, are names.
type Label trace.Alt

// Label returns the label of a; all is -1 for a process that is not there.
func (m *Names) Label(a trace.Alt) Label {
	a.Proc = m.Procs[a.Proc].Name
	if a.Partner >= 0 {
		a.Partner = m.Procs[a.Partner].Name
	}
	if a.Takes.Number > 0 {
		a.Takes.Sender = m.Procs[a.Takes.Sender].Name
	}
	return Label(a)
}

// Number returns the process of the current execution that has a name, -1 if there is none.
func (m *Names) Number(name int32) int32 {
	if name < 0 {
		return -1
	}
	if k := m.At[name]; int(k) < len(m.Procs) && m.Procs[k].Name == name {
		return k
	}
	return -1
}

// Alt is the inverse of label; ok is false if a process is not there.
func (m *Names) Alt(l Label) (a trace.Alt, ok bool) {
	a = trace.Alt(l)
	a.Proc, a.Partner, a.Takes = m.Number(l.Proc), m.Number(l.Partner), m.Message(l.Takes)
	return a, a.Proc >= 0 && (a.Partner >= 0) == (l.Partner >= 0) && a.Takes.Sender >= 0
}

// Message returns the message whose sender is given by its name; Sender is -1 if that is not there.
func (m *Names) Message(mail trace.Message) trace.Message {
	if mail.Number > 0 {
		mail.Sender = m.Number(mail.Sender)
	}
	return mail
}
