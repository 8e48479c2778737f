package machine

import (
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// apply takes one alternative: it becomes an event, changes an object, and lets one or two
// processes go on.
func (m *Machine) apply(a trace.Alt) {
	p := m.Procs[a.Proc]
	m.x.Events = append(m.x.Events, trace.Event{Alt: a, Op: p.op, Kind: p.op.Kind, Obj: p.op.Obj,
		Cap: p.op.Cap})
	m.heap.Time = len(m.x.Events)
	ev := &m.x.Events[len(m.x.Events)-1]
	primitive.KeepCases(&ev.Op)
	m.state.Last = a.Proc
	st := Step{Proc: p, Func: p.Where(), Pos: p.At, Decision: p.decision, Choice: int(a.Case)}
	var got heap.Value
	ok, text, value := false, "", p.value
	if p.op.Kind == trace.Select {
		if ev.Case < 0 {
			ev.Kind, ev.Obj = trace.Default, -1
		} else {
			c := ev.Op.Cases[ev.Case]
			ev.Kind, ev.Obj, ev.Cap = c.Kind, c.Obj, c.Cap
			value, st.Pos = p.values[ev.Case], p.casePos[ev.Case]
		}
	}
	var partner *Proc
	switch {
	case ev.Kind == trace.Default || ev.Kind.Hidden() || ev.Kind == trace.Yield:
	case a.Partner >= 0:
		partner = m.Procs[a.Partner]
		ev.PartnerOp = partner.op
		primitive.KeepCases(&ev.PartnerOp)
		st.Partner, st.PartnerPos = partner, partner.At
		if partner.op.Kind == trace.Select {
			st.PartnerPos = partner.casePos[a.PartnerCase]
		}
	case primitive.IsComm(ev.Kind):
		got, ok, text = m.heap.Objects[ev.Obj].Transfer(ev, value)
	default:
		text = m.sync(p, ev)
	}
	if ev.Obj >= 0 {
		st.Obj = m.heap.Objects[ev.Obj]
	}
	st.Site = here(p, st.Pos)
	m.Steps = append(m.Steps, st)
	if text != "" && !(p.Outsider && st.Obj.Signals != nil) { // who closes knows of signals
		p.fails(ev, text)
		return
	}
	p.resume(ev, int(a.Case), got, ok)
	if partner != nil {
		partner.resume(ev, int(a.PartnerCase), value, true)
	}
	p.advance()
	if partner != nil {
		partner.advance()
	}
}

// sync does what is no communication, and notes who holds what.
func (m *Machine) sync(p *Proc, ev *trace.Event) (panics string) {
	if ev.Obj < 0 {
		return ""
	}
	o := m.heap.Objects[ev.Obj]
	if ev.Kind == trace.Close && o.Again && o.Closed {
		ev.Closed = true
		return ""
	}
	ev.OK = ev.Kind == trace.AtomicUpdate
	second, text := o.Do(ev)
	p.second = second
	switch ev.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.Once:
		if second != trace.WWait && (ev.Kind != trace.Once || second == trace.OnceDone) {
			o.Hold(&p.Process, ev.Kind == trace.RLock)
		}
	case trace.TryLock, trace.WTryLock, trace.RTryLock:
		if ev.OK {
			o.Hold(&p.Process, ev.Kind == trace.RTryLock)
		}
	case trace.WWait:
		o.Hold(&p.Process, false)
	case trace.Unlock, trace.WUnlock, trace.RUnlock, trace.OnceDone:
		o.Release(&p.Process, ev.Kind == trace.RUnlock, text != "")
	}
	return text
}

// fails makes p panic because of what ev did.
func (p *Proc) fails(ev *trace.Event, text string) {
	last := p.m.Steps[len(p.m.Steps)-1]
	f := &Failure{Proc: p, Text: text, Pos: last.Pos, Site: here(p, last.Pos), Obj: last.Obj,
		Event: len(p.m.x.Events) - 1}
	p.clear()
	if primitive.Fatal(ev.Kind) {
		p.m.crash(f)
		return
	}
	p.panics(f)
	p.advance()
}

// resume tells p what its operation did.
func (p *Proc) resume(ev *trace.Event, which int, got heap.Value, ok bool) {
	if p.second != trace.None && p.op.Kind == trace.WLock {
		p.op.Kind, p.second = p.second, trace.None
		return
	}
	switch p.op.Kind {
	case trace.Send, trace.Recv, trace.Select, trace.WgWait, trace.CondWait, trace.Once:
		p.waits++
	}
	then := p.then
	second := p.second
	p.clear()
	p.second = second
	p.m.state.Procs[p.ID] = nil
	if then != nil {
		then(ev, which, got, ok)
	}
	p.second = trace.None
}
