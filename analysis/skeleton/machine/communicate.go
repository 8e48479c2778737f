package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// send, receive and choose declare communications. What a foreign channel does is not known: a send
// or receive passes.
func (m *Machine) send(p *Proc, f *frame, i *skeleton.Instr) {
	o, v := m.channel(m.get(f, i.Args[0])), m.get(f, i.Args[1])
	if o != nil && o.Foreign {
		m.note(p, trace.Send, o, i.Pos)
		m.share(v)
		return
	}
	m.declare(p, trace.Op{Kind: trace.Send, Obj: id(o), Cap: capacity(o)}, i.Pos, nil)
	p.value = v
}

func (m *Machine) receive(p *Proc, f *frame, i *skeleton.Instr) {
	o := m.channel(m.get(f, i.Args[0]))
	set := func(v Value, ok Value) {
		if i.Comma {
			v = Tuple{v, ok}
		}
		f.set(i.Dst, v)
	}
	if o != nil && o.Foreign {
		m.note(p, trace.Recv, o, i.Pos)
		set(m.fresh(i.Type, "a message", i.Pos), m.fresh(types.Typ[types.Bool],
			"whether the channel is open", i.Pos))
		return
	}
	m.declare(p, trace.Op{Kind: trace.Recv, Obj: id(o), Cap: capacity(o)}, i.Pos,
		func(_ *trace.Event, _ int, got Value, ok bool) {
			if !ok {
				got = zero(i.Type)
			}
			set(got, ok)
		})
}

func id(o *Object) int32 {
	if o == nil {
		return -1
	}
	return o.ID
}

func capacity(o *Object) int32 {
	if o == nil {
		return 0
	}
	return o.Cap
}

// CaseFirst is what a decision assumes that takes a case of a select on a channel of others.
const CaseFirst = "this case comes first"

// choose declares a select. Whether a foreign case is ready is a decision.
func (m *Machine) choose(p *Proc, f *frame, i *skeleton.Instr) {
	var foreign []int
	for k, c := range i.Cases {
		if o := m.channel(m.get(f, c.Ch)); o != nil && o.Foreign {
			foreign = append(foreign, k)
			m.note(p, trace.Select, o, c.Pos)
		}
	}
	if len(foreign) == 0 {
		m.select_(p, f, i, false)
		return
	}
	if len(foreign) == len(i.Cases) && i.Block && len(foreign) == 1 {
		m.takes(f, i, foreign[0], nil, false)
		return
	}
	d := &Decision{Name: m.nameDecision(i.Pos, p), Pos: i.Pos, Text: []string{""}}
	d.At = []token.Pos{i.Pos}
	for _, k := range foreign {
		d.Text = append(d.Text, CaseFirst)
		d.At = append(d.At, i.Cases[k].Pos)
	}
	n := len(foreign) + 1
	first := 0
	if len(foreign) == len(i.Cases) && i.Block { // one of them must come
		n, first = n-1, 1
		d.Text, d.At = d.Text[1:], d.At[1:]
	}
	m.declare(p, trace.Op{Kind: trace.Draw, Obj: -1, N: int32(n)}, i.Pos, func(_ *trace.Event,
		which int, _ Value, _ bool) {
		which += first
		if which == 0 {
			m.select_(p, f, i, true)
			return
		}
		m.takes(f, i, foreign[which-1], nil, false)
	})
	p.decision = d
}

// select_ declares a select on what is not foreign.
func (m *Machine) select_(p *Proc, f *frame, i *skeleton.Instr, waits bool) {
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: !i.Block}
	var values []Value
	var pos []token.Pos
	var which []int
	for k, c := range i.Cases {
		o := m.channel(m.get(f, c.Ch))
		if o != nil && o.Foreign {
			continue
		}
		kind := trace.Recv
		var v Value
		if c.Send {
			kind, v = trace.Send, m.get(f, c.Val)
		}
		op.Cases = append(op.Cases, trace.Case{Kind: kind, Obj: id(o), Cap: capacity(o)})
		values, pos, which = append(values, v), append(pos, c.Pos), append(which, k)
	}
	m.declare(p, op, i.Pos, func(_ *trace.Event, n int, got Value, ok bool) {
		if n < 0 {
			m.takes(f, i, -1, nil, false)
			return
		}
		if !i.Cases[which[n]].Send && !ok {
			got = zero(i.Cases[which[n]].Elements)
		}
		m.takes(f, i, which[n], got, ok)
	})
	p.values, p.casePos, p.Waits = values, pos, waits
}

// takes sets the results of a select that has taken case k; got is nil if nobody knows it.
func (m *Machine) takes(f *frame, i *skeleton.Instr, k int, got Value, ok bool) {
	out := Tuple{int64(k), ok}
	if k >= 0 && got == nil && !i.Cases[k].Send {
		got = m.fresh(i.Cases[k].Elements, "a message", i.Pos)
		out[1] = m.fresh(types.Typ[types.Bool], "whether the channel is open", i.Pos)
	}
	if k >= 0 && i.Cases[k].Send {
		if o := m.channel(m.get(f, i.Cases[k].Ch)); o != nil && o.Foreign {
			m.share(m.get(f, i.Cases[k].Val))
		}
	}
	for n, c := range i.Cases {
		if c.Send {
			continue
		}
		v := zero(c.Elements)
		if n == k {
			v = got
		}
		out = append(out, v)
	}
	f.set(i.Dst, out)
}

func (m *Machine) makeChan(p *Proc, f *frame, i *skeleton.Instr) {
	m.concrete(p, m.get(f, i.Args[0]), i.Pos, func(n int64) {
		o := m.object(trace.Channel, int32(max(0, min(n, 1<<20))), p, i.Pos)
		if c, ok := i.Type.Underlying().(*types.Chan); ok {
			o.Elem = c.Elem()
		}
		f.set(i.Dst, o)
	})
}
