package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// send, receive and choose declare communications. The behaviour of a foreign channel is not known:
// a send or receive passes.
func (f *frame) send(i *skeleton.Instr) {
	o, v := f.h.Channel(f.get(i.Args[0])), f.get(i.Args[1])
	if o != nil && o.Foreign {
		f.p.note(trace.Send, o, i.Pos)
		f.h.Share(v)
		return
	}
	if o != nil && o.Open {
		f.h.Share(v)
	}
	f.p.declare(trace.Op{Kind: trace.Send, Obj: o.Number(), Cap: o.Capacity()}, i.Pos, nil)
	f.p.value = v
}

func (f *frame) receive(i *skeleton.Instr) {
	o := f.h.Channel(f.get(i.Args[0]))
	set := func(v heap.Value, ok heap.Value) {
		if i.Comma {
			v = heap.Tuple{v, ok}
		}
		f.set(i.Dst, v)
	}
	if o != nil && (o.Foreign || o.Message) {
		o.Message = false
		f.p.note(trace.Recv, o, i.Pos)
		o.Seen = o.Seen || signals(i.Type)
		set(f.h.Fresh(i.Type, "a message", i.Pos), f.h.Fresh(types.Typ[types.Bool],
			"whether the channel is open", i.Pos))
		return
	}
	f.p.declare(trace.Op{Kind: trace.Recv, Obj: o.Number(), Cap: o.Capacity()}, i.Pos,
		func(_ *trace.Event, _ int, got heap.Value, ok bool) {
			if !ok {
				got = heap.Zero(i.Type)
			}
			set(got, ok)
		})
}

// CaseFirst is what a decision assumes that takes a case of a select on a channel of others.
const CaseFirst = "this case comes first"

// choose declares a select. Whether a foreign case is ready is a decision.
func (f *frame) choose(i *skeleton.Instr) {
	var foreign []int
	ready := false // one of them
	for k, c := range i.Cases {
		if o := f.h.Channel(f.get(c.Ch)); o != nil && (o.Foreign || o.Message && !c.Send) {
			foreign = append(foreign, k)
			ready = ready || o.Seen && !c.Send
			f.p.note(trace.Select, o, c.Pos)
		}
	}
	if len(foreign) == 0 {
		f.select_(i, false)
		return
	}
	must := len(foreign) == len(i.Cases) && (i.Block || ready) // one of them must come
	if must && len(foreign) == 1 {
		f.takes(i, foreign[0], nil, false)
		return
	}
	d := &Decision{Name: f.p.nameDecision(i.Pos), Pos: i.Pos, Text: []string{""}, Empty: -1}
	d.At = []token.Pos{i.Pos}
	for _, k := range foreign {
		d.Text = append(d.Text, CaseFirst)
		d.At = append(d.At, i.Cases[k].Pos)
	}
	n := len(foreign) + 1
	first := 0
	if must {
		n, first = n-1, 1
		d.Text, d.At = d.Text[1:], d.At[1:]
	}
	f.p.declare(trace.Op{Kind: trace.Draw, Obj: -1, N: int32(n)}, i.Pos, func(_ *trace.Event,
		which int, _ heap.Value, _ bool) {
		which += first
		if which == 0 {
			f.select_(i, true)
			return
		}
		f.takes(i, foreign[which-1], nil, false)
	})
	f.p.decision = d
}

// select_ declares a select on what is not foreign.
func (f *frame) select_(i *skeleton.Instr, waits bool) {
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: !i.Block}
	var values []heap.Value
	var pos []token.Pos
	var which []int
	for k, c := range i.Cases {
		o := f.h.Channel(f.get(c.Ch))
		if o != nil && (o.Foreign || o.Message && !c.Send) {
			continue
		}
		kind := trace.Recv
		var v heap.Value
		if c.Send {
			kind, v = trace.Send, f.get(c.Val)
		}
		op.Cases = append(op.Cases, trace.Case{Kind: kind, Obj: o.Number(), Cap: o.Capacity()})
		values, pos, which = append(values, v), append(pos, c.Pos), append(which, k)
	}
	then := func(_ *trace.Event, n int, got heap.Value, ok bool) {
		if n < 0 {
			f.takes(i, -1, nil, false)
			return
		}
		if !i.Cases[which[n]].Send && !ok {
			got = heap.Zero(i.Cases[which[n]].Elements)
		}
		f.takes(i, which[n], got, ok)
	}
	if len(which) < len(i.Cases) {
		f.p.declare(op, i.Pos, then)
	} else {
		poll(f.p, i, op, then)
	}
	f.p.values, f.p.casePos, f.p.Waits = values, pos, waits
}

// signals reports whether a channel of type t carries nothing: it is closed when somebody is ready
// to be received from, and stays so.
func signals(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// takes sets the results of a select that has taken case k; got is nil if nobody knows it.
func (f *frame) takes(i *skeleton.Instr, k int, got heap.Value, ok bool) {
	out := heap.Tuple{int64(k), ok}
	if k >= 0 && !i.Cases[k].Send && signals(i.Cases[k].Elements) {
		if o := f.h.Channel(f.get(i.Cases[k].Ch)); o != nil && o.Foreign {
			o.Seen = true
		}
	}
	if k >= 0 && got == nil && !i.Cases[k].Send {
		if o := f.h.Channel(f.get(i.Cases[k].Ch)); o != nil {
			o.Message = false
		}
		got = f.h.Fresh(i.Cases[k].Elements, "a message", i.Pos)
		out[1] = f.h.Fresh(types.Typ[types.Bool], "whether the channel is open", i.Pos)
	}
	if k >= 0 && i.Cases[k].Send {
		if o := f.h.Channel(f.get(i.Cases[k].Ch)); o != nil && (o.Foreign || o.Open) {
			f.h.Share(f.get(i.Cases[k].Val))
		}
	}
	for n, c := range i.Cases {
		if c.Send {
			continue
		}
		v := heap.Zero(c.Elements)
		if n == k {
			v = got
		}
		out = append(out, v)
	}
	f.set(i.Dst, out)
}

func (f *frame) makeChan(i *skeleton.Instr) {
	room(f.p, f.get(i.Args[0]), i.Pos, func(n int64) {
		f.set(i.Dst, f.h.Object(trace.Channel, int32(max(0, min(n, maxRoom))), &f.p.Process, i.Pos))
	})
}
