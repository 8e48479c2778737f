package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// names gives processes names that hold across executions, which their numbers do not: those count
// all processes in the order in which they are started. What a process starts depends only on what
// it has done, so a process is known by the event after which it appears: whose it is, which one of
// that process, and how many have appeared with it before. The zero value is ready.
type names struct {
	ids    map[birth]int32
	births []birth // by name
	// of the current execution; behind them, those that there were in an earlier one
	procs []called
	at    []int32 // by name: the number that a process may have
}

// birth is where a process comes from.
type birth struct{ parent, event, rank int32 }

// called is what is known of a process of the current execution.
type called struct {
	name  int32
	moves int32 // events that it has taken part in
}

// see takes down what is new in the state after the given events, with n processes.
func (m *names) see(events []trace.Event, n int) {
	b := birth{parent: -1, event: -1}
	if len(events) == 0 {
		m.procs = m.procs[:0]
	} else {
		e := &events[len(events)-1]
		b.parent, b.event = m.procs[e.Proc].name, m.procs[e.Proc].moves
		m.procs[e.Proc].moves++
		if e.Partner >= 0 {
			m.procs[e.Partner].moves++
		}
	}
	for ; len(m.procs) < n; b.rank++ {
		name := m.nameOf(b)
		m.at[name] = int32(len(m.procs))
		m.procs = append(m.procs, called{name: name})
	}
}

// nameOf returns the name of the next process. Mostly that is the process which had its number
// before.
func (m *names) nameOf(b birth) int32 {
	if n := len(m.procs); n < cap(m.procs) {
		if name := m.procs[:n+1][n].name; int(name) < len(m.births) && m.births[name] == b {
			return name
		}
	}
	return m.find(b)
}

// find is nameOf without a short cut.
func (m *names) find(b birth) int32 {
	if m.ids == nil {
		m.ids = map[birth]int32{}
	}
	name, ok := m.ids[b]
	if !ok {
		name = int32(len(m.at))
		m.ids[b] = name
		m.at, m.births = append(m.at, 0), append(m.births, b)
	}
	return name
}

// label names an alternative across executions: its processes, and the sender of the message that
// it takes, are names.
type label trace.Alt

// label returns the label of a; all is -1 for a process that is not there.
func (m *names) label(a trace.Alt) label {
	a.Proc = m.procs[a.Proc].name
	if a.Partner >= 0 {
		a.Partner = m.procs[a.Partner].name
	}
	if a.Takes.Number > 0 {
		a.Takes.Sender = m.procs[a.Takes.Sender].name
	}
	return label(a)
}

// number returns the process of the current execution that has a name, -1 if there is none.
func (m *names) number(name int32) int32 {
	if name < 0 {
		return -1
	}
	if k := m.at[name]; int(k) < len(m.procs) && m.procs[k].name == name {
		return k
	}
	return -1
}

// alt is the inverse of label; ok is false if a process is not there.
func (m *names) alt(l label) (a trace.Alt, ok bool) {
	a = trace.Alt(l)
	a.Proc, a.Partner, a.Takes = m.number(l.Proc), m.number(l.Partner), m.message(l.Takes)
	return a, a.Proc >= 0 && (a.Partner >= 0) == (l.Partner >= 0) && a.Takes.Sender >= 0
}

// message returns the message whose sender is given by its name; Sender is -1 if that is not there.
func (m *names) message(mail trace.Message) trace.Message {
	if mail.Number > 0 {
		mail.Sender = m.number(mail.Sender)
	}
	return mail
}
