package depict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// alone says why process q, which declared a send or receive op, has no partner: the channel is
// nil, full or never closed, or its users have ended. Empty: the sentence says enough.
func (t reasons) alone(q int32, op *trace.Op, site string) string {
	switch {
	case op.Obj < 0 && operand(t.At.Source(site), op.Kind) != "":
		return ", which is nil"
	case op.Obj < 0:
		return ""
	case op.Kind == trace.Recv && op.Loops:
		return ", which nobody closes"
	case op.Kind == trace.Send && t.blame().onlyFrom(q, op.Obj):
		return ", from which only it receives itself"
	case op.Kind == trace.Send && op.Cap > 0 && !trace.Mailbox(op.Cap):
		return ", which " + t.filled(op.Obj)
	case t.decision != nil || op.Cap != 0 || t.turned(q) != "":
		return ""
	}
	return t.last(op)
}

// last says who was the last partner on the channel of op, if that process has ended.
func (t reasons) last(op *trace.Op) string {
	role, who := "receiver", int32(-1)
	if op.Kind == trace.Recv {
		role = "sender"
	}
	for i := range t.X.Events {
		if e := &t.X.Events[i]; e.Obj == op.Obj && e.Partner >= 0 {
			if who = e.Partner; op.Kind == trace.Recv {
				who = e.Proc
			}
		}
	}
	if who < 0 || !t.X.Procs[who].Ended {
		return ""
	}
	return ", whose last " + role + ", " + t.proc(who) + ", has ended"
}

// filled says that a buffer is full, and which one or two processes have sent all its values.
func (t reasons) filled(obj int32) string {
	most, values := 2, 0
	sent := make([]int, len(t.X.Procs))
	for i := range t.X.Events {
		e := &t.X.Events[i]
		if e.Obj != obj || e.Partner >= 0 || e.Closed {
			continue
		}
		switch e.Kind {
		case trace.Send:
			values++
			sent[e.Proc]++
		case trace.Recv:
			values--
			sent[e.Proc]--
		}
	}
	var who []string
	for q, n := range sent {
		if n < 0 || len(who) > most {
			return "is full"
		}
		if values -= n; n > 0 {
			who = append(who, t.proc(int32(q)))
		}
	}
	switch {
	case values != 0 || len(who) == 0 || len(who) > most:
		return "is full"
	case len(who) == 1:
		return who[0] + " has filled"
	}
	return strings.Join(who, " and ") + " have filled"
}

// undone says why a counter of n stays above zero when all others have ended, and names the one or
// two processes that have ended without Done, if each of them owes one.
func (t reasons) undone(obj int32, n int) string {
	text := ", whose counter is " + strconv.Itoa(n) + " though all others have ended"
	adds, called := map[int32]bool{}, map[int32]bool{}
	for i := range t.X.Events {
		switch e := &t.X.Events[i]; {
		case e.Kind != trace.WgAdd || e.Obj != obj:
		case e.Op.N < 0:
			called[e.Proc] = true
		default:
			adds[e.Proc] = true
		}
	}
	var who []string
	for q := range t.X.Procs {
		if p := &t.X.Procs[q]; p.Ended && adds[p.Parent] && !called[int32(q)] {
			who = append(who, t.proc(int32(q)))
		}
	}
	if len(who) != n || n > 2 {
		return text
	}
	return text + ", " + strings.Join(who, " and ") + " without calling Done"
}

// closed says which channel a panic is about, and who had closed it; empty: the panic is about
// something else, or the sentence says so by itself.
func (t reasons) closed(f *Finding) string {
	i, k := t.blame().closedBefore()
	if f.Kind != explore.Panic || i < 0 ||
		t.decision != nil && t.decision.First == int32(i) && t.decision.Second == int32(k) {
		return ""
	}
	return " " + t.called(k) + t.placeOf(k) + ", which " + t.proc(t.X.Events[i].Proc) +
		" had closed" + t.placeOf(i)
}

// relocked reports whether event i locks the mutex of a condition again, as its process was woken.
func (n blame) relocked(i int) bool {
	e := &n.X.Events[i]
	if e.Kind != trace.Lock && e.Kind != trace.WLock {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		if slices.Contains(parties(&n.X.Events[k]), e.Proc) {
			return n.X.Events[k].Kind == trace.CondWait
		}
	}
	return false
}

// elsewhere is what the code calls an object at the first step on it that has a name for it.
func (t reasons) elsewhere(obj int32) string {
	for i := range t.X.Events {
		e := &t.X.Events[i]
		if e.Obj != obj || (blame{t.names}).relocked(i) {
			continue
		}
		if name := operand(t.At.Source(Site(t.X.Sites, i)), e.Kind); name != "" {
			return name
		}
	}
	return ""
}
