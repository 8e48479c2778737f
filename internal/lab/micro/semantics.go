package micro

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// alternatives lists what is enabled.
func (m *Machine) alternatives() {
	alts := m.state.Alts[:0]
	for i := range m.procs {
		q := m.procs[i]
		switch {
		case q.ended:
		case q.op.Kind == trace.Select:
			alts = m.selectAlts(int32(i), q, alts)
		case isComm(q.op.Kind):
			alts = m.commAlts(int32(i), 0, q.op.Kind, q.op.Obj, true, alts)
		case m.enabled(&q.op):
			alts = append(alts, trace.Alt{Proc: int32(i), Partner: -1})
		}
	}
	m.state.Alts = alts
}

func isComm(k trace.Kind) bool { return k == trace.Send || k == trace.Recv }

func (m *Machine) selectAlts(i int32, q *process, alts []trace.Alt) []trace.Alt {
	ready := false
	for j, c := range q.op.Cases {
		n := len(alts)
		alts = m.commAlts(i, int32(j), c.Kind, c.Obj, !q.op.Default, alts)
		ready = ready || len(alts) > n && alts[n].Partner < 0
	}
	if q.op.Default && !ready {
		alts = append(alts, trace.Alt{Proc: i, Case: -1, Partner: -1})
	}
	return alts
}

func (m *Machine) commAlts(i, index int32, k trace.Kind, obj int32, blocking bool, alts []trace.Alt) []trace.Alt {
	if obj < 0 {
		return alts
	}
	o, capacity := &m.objects[obj], m.capOf(obj)
	switch {
	case k == trace.Recv && len(o.mail) > 0:
		return o.deliveries(i, index, capacity, alts)
	case k == trace.Send && trace.Mailbox(capacity):
		return append(alts, trace.Alt{Proc: i, Case: index, Partner: -1})
	case o.closed, k == trace.Recv && len(o.buf) > 0, k == trace.Send && len(o.buf) < int(capacity):
		return append(alts, trace.Alt{Proc: i, Case: index, Partner: -1})
	case k == trace.Send && capacity == 0:
		return m.partners(i, index, obj, blocking, alts)
	}
	return alts
}

// deliveries lists the messages of a mailbox that may be taken.
func (o *object) deliveries(i, index, capacity int32, alts []trace.Alt) []trace.Alt {
	for n, mail := range o.mail {
		if capacity == trace.Bag || !slices.ContainsFunc(o.mail[:n], func(b trace.Message) bool { return b.Sender == mail.Sender }) {
			alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: -1, Takes: mail})
		}
	}
	return alts
}

func (m *Machine) partners(i, index, obj int32, blocking bool, alts []trace.Alt) []trace.Alt {
	for j := range m.procs {
		q := m.procs[j]
		switch {
		case int32(j) == i || q.ended:
		case q.op.Kind == trace.Recv && q.op.Obj == obj:
			alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: int32(j)})
		case q.op.Kind == trace.Select && (blocking || !q.op.Default):
			for n, c := range q.op.Cases {
				if c.Kind == trace.Recv && c.Obj == obj {
					alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: int32(j), PartnerCase: int32(n)})
				}
			}
		}
	}
	return alts
}

func (m *Machine) enabled(op *trace.Op) bool {
	if op.Obj < 0 {
		return true
	}
	switch o := m.object(op.Obj); op.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.Once:
		return !o.locked
	case trace.WWait:
		return o.readers == 0
	case trace.WgWait:
		return o.count == 0
	case trace.StreamRead, trace.StreamWrite, trace.StreamAccept:
		return o.stream.Enabled(op)
	}
	return true
}

func (m *Machine) object(obj int32) *object {
	if obj < 0 || obj == m.log {
		return &object{}
	}
	return &m.objects[obj]
}

// apply takes one alternative.
func (m *Machine) apply(a trace.Alt) {
	q := m.procs[a.Proc]
	m.x.Events = append(m.x.Events, trace.Event{Alt: a, Op: q.op, Kind: q.op.Kind, Obj: q.op.Obj, Cap: q.op.Cap})
	ev := &m.x.Events[len(m.x.Events)-1]
	m.keepCases(&ev.Op)
	m.state.Last = a.Proc
	text := ""
	switch {
	case q.op.Kind == trace.Stop:
		m.stop(a.Proc)
		return
	case isComm(q.op.Kind) || q.op.Kind == trace.Select:
		text = m.communicate(q, ev)
	default:
		text = m.synchronise(q, ev)
	}
	switch {
	case text != "" && fatal(ev.Kind):
		m.crash(a.Proc, text)
		return
	case text != "":
		q.moved = true
		m.panics(q, text)
		m.run(a.Proc)
		return
	}
	m.next(a.Proc)
	if a.Partner >= 0 {
		m.next(a.Partner)
	}
}

// fatal reports whether an operation of kind k that goes wrong ends the program there and then:
// nothing can recover it.
func fatal(k trace.Kind) bool { return k == trace.Unlock || k == trace.WUnlock || k == trace.RUnlock }

// keepCases copies a select's cases: the process reuses their memory.
func (m *Machine) keepCases(op *trace.Op) {
	if op.Kind == trace.Select {
		op.Cases = append([]trace.Case(nil), op.Cases...)
	}
}

// next moves process i on.
func (m *Machine) next(i int32) {
	q := m.procs[i]
	if q.moved = true; q.pending == trace.None {
		q.pc++
	}
	m.run(i)
}

func (m *Machine) communicate(q *process, ev *trace.Event) (panics string) {
	value := q.val
	if q.op.Kind == trace.Select {
		q.seen = append(q.seen, 100+int(ev.Case))
		if ev.Case < 0 {
			ev.Kind, ev.Obj = trace.Default, -1
			return ""
		}
		c := q.op.Cases[ev.Case]
		ev.Kind, ev.Obj, ev.Cap = c.Kind, c.Obj, c.Cap
		value = q.cases[ev.Case]
	}
	o := m.object(ev.Obj)
	switch {
	case ev.Partner >= 0:
		m.meet(ev, value)
	case ev.Kind == trace.Send && o.closed:
		ev.Closed = true
		return "send on closed channel"
	case ev.Kind == trace.Send && trace.Mailbox(ev.Cap):
		q.posts++
		ev.Seq = q.posts
		o.buf, o.mail = append(o.buf, value), append(o.mail, trace.Message{Sender: ev.Proc, Number: q.posts})
	case ev.Takes.Number > 0:
		n := slices.Index(o.mail, ev.Takes)
		ev.Seq = ev.Takes.Number
		q.receive(o.buf[n])
		o.buf, o.mail = slices.Delete(o.buf, n, n+1), slices.Delete(o.mail, n, n+1)
	case ev.Kind == trace.Send:
		ev.Seq, o.buf = o.sent, append(o.buf, value)
		o.sent++
	case len(o.buf) == 0:
		ev.Closed = true
		q.receive(-1)
	default:
		ev.Seq = o.received
		q.receive(o.buf[0])
		o.buf = append(o.buf[:0], o.buf[1:]...)
		o.received++
	}
	return ""
}

func (m *Machine) meet(ev *trace.Event, value int) {
	r := m.procs[ev.Partner]
	ev.PartnerOp = r.op
	m.keepCases(&ev.PartnerOp)
	if r.op.Kind == trace.Select {
		r.seen = append(r.seen, 100+int(ev.PartnerCase))
	}
	r.receive(value)
}

// receive observes a value, or adds it to what is observed later.
func (q *process) receive(value int) {
	if q.op.Kind == trace.Recv && q.op.N > 0 {
		q.sum, q.group = q.sum+value, q.op.N
		return
	}
	q.seen = append(q.seen, value)
}

// synchronise does what is neither send, receive nor select: a flat table.
func (m *Machine) synchronise(q *process, ev *trace.Event) (panics string) {
	o := m.object(ev.Obj)
	q.pending = trace.None
	if ev.Kind.OfStream() {
		m.flow(o, q, ev)
		return ""
	}
	switch ev.Kind {
	case trace.Close:
		if ev.Closed = o.closed; o.closed {
			return "close of closed channel"
		}
		o.closed = true
	case trace.Len:
		q.seen = append(q.seen, len(o.buf))
	case trace.Lock:
		o.locked = true
	case trace.TryLock:
		ev.OK = !o.locked
		o.locked = true
	case trace.Unlock:
		if !o.locked {
			return "unlock of unlocked mutex"
		}
		o.locked = false
	case trace.WgAdd:
		o.count += int(ev.Op.N)
		ev.Seq = int32(o.count)
		if ev.OK = o.count >= 0; !ev.OK {
			return "negative WaitGroup counter"
		}
	case trace.Once:
		if ev.OK = !o.done; ev.OK {
			o.locked, q.pending = true, trace.OnceDone
		}
	case trace.OnceDone:
		o.locked, o.done = false, true
	case trace.AtomicLoad:
		m.load(o, q)
	case trace.AtomicStore:
		o.count = q.val
	case trace.AtomicUpdate:
		m.update(o, q, ev)
	case trace.Log:
		m.logged(q)
	default:
		panics = m.readWrite(o, q, ev)
	}
	if ev.Kind == trace.TryLock || ev.Kind == trace.WTryLock || ev.Kind == trace.RTryLock || ev.Kind == trace.Once {
		q.seen = append(q.seen, truth(ev.OK))
	}
	return panics
}

func (m *Machine) load(o *object, q *process) {
	switch s := m.stmt(q); s.Word {
	case "get":
		q.seen = append(q.seen, o.entries[s.Key])
	case "all":
		q.seen = append(q.seen, o.entries[:]...)
	default:
		q.seen = append(q.seen, o.count)
	}
}

// stmt is the statement that q has come to.
func (m *Machine) stmt(q *process) *Stmt { return &m.p.Procs[q.code].Code[q.pc] }

func (m *Machine) update(o *object, q *process, ev *trace.Event) {
	ev.OK = true
	switch s := m.stmt(q); s.Word {
	case "put":
		o.entries[s.Key] = s.Value
		return
	case "offer":
		q.seen = append(q.seen, o.entries[s.Key])
		if ev.OK = o.entries[s.Key] == 0; ev.OK {
			o.entries[s.Key] = s.Value
		}
		return
	case "clear":
		o.entries = [4]int{}
		return
	}
	switch ev.Op.N {
	case trace.BlindAdd:
		o.count += q.val
	case trace.BlindOr:
		o.count |= q.val
	default:
		q.seen, o.count = append(q.seen, o.count), q.val
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m *Machine) logged(q *process) {
	s := &m.p.Procs[q.code].Code[q.pc]
	if s.Word == "fail" {
		m.x.Failed = true
	} else {
		m.x.Log = append(m.x.Log, s.Text)
	}
}

func (m *Machine) readWrite(o *object, q *process, ev *trace.Event) (panics string) {
	switch ev.Kind {
	case trace.WLock:
		o.locked, o.writing = true, o.readers == 0
		if ev.OK = o.writing; !ev.OK {
			q.pending = trace.WWait
		}
	case trace.WWait:
		o.writing = true
	case trace.WTryLock:
		if ev.OK = !o.locked && o.readers == 0; ev.OK {
			o.locked, o.writing = true, true
		}
	case trace.WUnlock:
		if !o.writing {
			return "unlock of unlocked RWMutex"
		}
		o.locked, o.writing = false, false
	case trace.RLock:
		o.readers++
	case trace.RTryLock:
		if ev.OK = !o.locked; ev.OK {
			o.readers++
		}
	case trace.RUnlock:
		if o.readers == 0 {
			return "RUnlock of unlocked RWMutex"
		}
		o.readers--
	}
	return ""
}
