package micro

import (
	"slices"

	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// alternatives lists what is enabled.
func (m *Machine) alternatives() {
	m.state.Alts = m.scene.Alternatives(m.state.Alts[:0])
}

// mail lists what case index of process i can do with a mailbox.
func (m *Machine) mail(alts []trace.Alt, i, index int32, c trace.Case) ([]trace.Alt, bool) {
	o := m.object(c.Obj)
	switch {
	case c.Kind == trace.Recv && len(o.mail) > 0:
		return o.deliveries(i, index, c.Cap, alts), true
	case c.Kind == trace.Send && trace.Mailbox(c.Cap):
		return append(alts, trace.Alt{Proc: i, Case: index, Partner: -1}), true
	}
	return alts, false
}

// deliveries lists the messages of a mailbox that may be taken.
func (o *object) deliveries(i, index, capacity int32, alts []trace.Alt) []trace.Alt {
	for n, mail := range o.mail {
		if capacity == trace.Bag || !slices.ContainsFunc(o.mail[:n], func(b trace.Message) bool {
			return b.Sender == mail.Sender
		}) {
			alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: -1, Takes: mail})
		}
	}
	return alts
}

// shut reports whether op is one of a connection that cannot be done.
func (m *Machine) shut(op *trace.Op) bool {
	switch op.Kind {
	case trace.StreamRead, trace.StreamWrite, trace.StreamAccept:
		return !m.object(op.Obj).stream.Enabled(op)
	}
	return false
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
	m.x.Events = append(m.x.Events, trace.Event{Alt: a, Op: q.op, Kind: q.op.Kind, Obj: q.op.Obj,
		Cap: q.op.Cap})
	ev := &m.x.Events[len(m.x.Events)-1]
	primitive.KeepCases(&ev.Op)
	m.state.Last = a.Proc
	q.inside = q.op.IsInner()
	if a.Partner >= 0 {
		m.procs[a.Partner].inside = m.procs[a.Partner].op.IsInner()
	}
	text := ""
	switch {
	case q.op.Kind == trace.Stop:
		m.stop(a.Proc)
		return
	case primitive.IsComm(q.op.Kind) || q.op.Kind == trace.Select:
		text = m.communicate(q, ev)
	default:
		text = m.synchronise(q, ev)
	}
	switch {
	case text != "" && primitive.Fatal(ev.Kind):
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
	case ev.Kind == trace.Send && o.Closed:
		ev.Closed = true
		return "send on closed channel"
	case ev.Kind == trace.Send && trace.Mailbox(ev.Cap):
		q.posts++
		ev.Seq = q.posts
		o.Buf, o.mail = append(o.Buf, value),
			append(o.mail, trace.Message{Sender: ev.Proc, Number: q.posts})
	case ev.Takes.Number > 0:
		n := slices.Index(o.mail, ev.Takes)
		ev.Seq = ev.Takes.Number
		q.receive(o.Buf[n])
		o.Buf, o.mail = slices.Delete(o.Buf, n, n+1), slices.Delete(o.mail, n, n+1)
	default:
		got, ok, text := o.Transfer(ev, value)
		if ev.Kind == trace.Recv && !ok {
			got = -1
		}
		if ev.Kind == trace.Recv {
			q.receive(got)
		}
		return text
	}
	return ""
}

func (m *Machine) meet(ev *trace.Event, value int) {
	r := m.procs[ev.Partner]
	ev.PartnerOp = r.op
	primitive.KeepCases(&ev.PartnerOp)
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

// synchronise does what is neither send, receive nor select.
func (m *Machine) synchronise(q *process, ev *trace.Event) (panics string) {
	o := m.object(ev.Obj)
	if ev.Kind.OfStream() {
		q.pending = trace.None
		m.flow(o, q, ev)
		return ""
	}
	q.pending, panics = o.Do(ev)
	switch ev.Kind {
	case trace.Len:
		q.seen = append(q.seen, len(o.Buf))
	case trace.AtomicLoad:
		m.load(o, q)
	case trace.AtomicStore:
		o.Count = q.val
	case trace.AtomicUpdate:
		m.update(o, q, ev)
	case trace.Log:
		m.logged(q)
	case trace.TryLock, trace.WTryLock, trace.RTryLock, trace.Once:
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
		q.seen = append(q.seen, o.Count)
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
		o.Count += q.val
	case trace.BlindOr:
		o.Count |= q.val
	default:
		q.seen, o.Count = append(q.seen, o.Count), q.val
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
