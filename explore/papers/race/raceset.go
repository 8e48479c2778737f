package race

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Race sets, the definitions of the paper that is cited in race.go.

// vidalTrace is an execution as a trace in the sense of that paper.
type vidalTrace struct {
	x     *trace.Execution
	order *depend.Order
	n     int32     // the events of which happens-before is known
	mail  []message // in the order in which it was sent
	total uint64    // of the hashes of the n events
}

// message is one that was sent to a mailbox.
type message struct {
	trace.Message
	box     int32
	send    int32 // the event
	receipt int32 // likewise; never: it is an orphan
}

// never is after all events.
const never = 1<<31 - 1

// read reads x.
func (t *vidalTrace) read(o *depend.Order, x *trace.Execution) {
	t.x, t.order, t.n = x, o, int32(min(len(x.Events), depend.MaxEvents))
	t.mail, t.total = t.mail[:0], 0
	index := map[trace.Message]int{}
	for k := range x.Events {
		e := &x.Events[k]
		m := e.Message()
		if m.Number == 0 {
			continue
		}
		if e.Kind == trace.Send {
			index[m] = len(t.mail)
			t.mail = append(t.mail, message{m, e.Obj, int32(k), never})
		} else if i, ok := index[m]; ok {
			t.mail[i].receipt = int32(k)
		}
	}
	for k := range t.n {
		t.total += o.Past(k)
	}
}

// orphan returns the first orphan message, nil if there is none.
func (t *vidalTrace) orphan() *message {
	for i := range t.mail {
		if t.mail[i].receipt == never {
			return &t.mail[i]
		}
	}
	return nil
}

// mailboxes calls do for the constraint of op: the mailboxes from which op receives, with the
// number of the case of each.
func mailboxes(op *trace.Op, do func(number, box, capacity int32)) {
	if op.Kind == trace.Recv {
		do(0, op.Obj, op.Cap)
	}
	for i, c := range op.Cases {
		if c.Kind == trace.Recv && c.Obj >= 0 && trace.Mailbox(c.Cap) {
			do(int32(i), c.Obj, c.Cap)
		}
	}
}

// raceSet lists the alternatives of event i, which took a message. // Def. 8
func (t *vidalTrace) raceSet(i int32) (set []trace.Alt) {
	e := &t.x.Events[i]
	mailboxes(&e.Op, func(number, box, capacity int32) {
		first := map[int32]bool{} // senders that have one, under pairs
		for k := range t.mail {
			m := &t.mail[k]
			if m.box != box || m.receipt < i || first[m.Sender] || m.send >= t.n ||
				t.order.Before(i, m.send) {
				continue
			}
			first[m.Sender] = capacity == trace.Pairs
			if a := (trace.Alt{Proc: e.Proc, Case: number, Partner: -1,
				Takes: m.Message}); a != e.Alt {
				set = append(set, a)
			}
		}
	})
	return set
}

// rdep returns the events that do not happen after event i, and are not i, a bit for each. // Def.
// 9
func (t *vidalTrace) rdep(i int32) []uint64 {
	keep := make([]uint64, (t.n+63)>>6)
	for k := range t.n {
		if k != i && !t.order.Before(i, k) {
			keep[k>>6] |= 1 << (k & 63)
		}
	}
	return keep
}

// keptHash is the hash of the events that rdep keeps, the same in all executions that have these.
func (t *vidalTrace) keptHash(i int32) uint64 {
	sum := t.total - t.order.Past(i)
	for k := i + 1; k < t.n; k++ {
		if t.order.Before(i, k) {
			sum -= t.order.Past(k)
		}
	}
	return sum
}

// hashOfLabel spreads a label over 64 bits.
func hashOfLabel(l search.Label) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range [...]int32{l.Proc, l.Case, l.Partner, l.PartnerCase, l.Takes.Sender,
		l.Takes.Number} {
		hi, lo := bits.Mul64(h^uint64(uint32(v)+1), 0xd6e8feb86659fd93)
		h = hi ^ lo ^ h>>29
	}
	return h
}

// RaceSet is Def. 8 for event i of x.
func RaceSet(x *trace.Execution, i int) (set []trace.Alt) { return read(x).raceSet(int32(i)) }

// Rdep is what Def. 9 keeps of x without event i.
func Rdep(x *trace.Execution, i int) (kept []int) {
	depend.Each(read(x).rdep(int32(i)), func(k int32) bool {
		kept = append(kept, int(k))
		return true
	})
	return kept
}

func read(x *trace.Execution) *vidalTrace {
	o, t := &depend.Order{}, &vidalTrace{}
	for range x.Events {
		o.Add(x)
	}
	t.read(o, x)
	return t
}
