package depict

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/locks"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// blame finds the processes that keep others waiting in an execution, and the step that ends it.
type blame struct{ *names }

// reasons writes sentences about the processes and steps that blame finds.
type reasons struct{ *teller }

// blame returns the blame of t's execution.
func (t reasons) blame() blame { return blame{t.names} }

// blocker is a process that keeps others waiting, and the step by which it came to that.
type blocker struct {
	proc int32
	step int
}

// blockers are those that keep a process waiting which declared op, at the end of the execution. of
// is the kind of their steps: a lock's holders may read only, and a writer may wait itself.
func (n blame) blockers(op *trace.Op) (list []blocker, of trace.Kind) {
	switch op.Kind {
	case trace.Lock, trace.RLock, trace.WLock, trace.WWait:
		for _, h := range locks.Of(n.X, op.Obj) {
			if h.Read == (op.Kind == trace.WWait) {
				list = append(list, blocker{h.Proc, h.Step})
			}
		}
		if len(list) > 0 || op.Kind == trace.WWait {
			return list, op.Kind
		}
		of = trace.WWait
	case trace.Once:
		of = trace.Once
	default:
		return nil, of
	}
	for i := range n.X.Events {
		switch e := &n.X.Events[i]; {
		case e.Obj != op.Obj:
		case of == trace.Once && e.Kind == trace.Once && e.OK, of == trace.WWait && n.announced(i):
			list = []blocker{{e.Proc, i}}
		case e.Kind == trace.OnceDone:
			list = nil
		}
	}
	return list, of
}

// stillWaits reports whether event i is one of a writer that waits for the readers of an RWMutex
// and has not come to lock it.
func (n blame) stillWaits(i int) bool {
	e := &n.X.Events[i]
	return e.Kind == trace.WLock && !e.OK &&
		!slices.ContainsFunc(n.X.Events[i:], func(o trace.Event) bool {
			return o.Kind == trace.WWait && o.Proc == e.Proc && o.Obj == e.Obj
		})
}

// isOwn reports whether process q waits for what it has itself, or for what a process has that has
// ended: nobody else is to blame.
func (n blame) isOwn(q int32) bool {
	list, _ := n.blockers(&n.X.Procs[q].Pending)
	return slices.ContainsFunc(list, func(b blocker) bool {
		return b.proc == q || n.X.Procs[b.proc].Ended
	})
}

// whose says why process q, blocked at a site, cannot go on: ", which b has locked (x.go:7)".
// Empty: that is not known.
func (t reasons) whose(q int32, site string) string {
	op := &t.X.Procs[q].Pending
	list, of := t.blame().blockers(op)
	if len(list) == 0 {
		return t.unheard(q, op, site)
	}
	b := list[0]
	if i := slices.IndexFunc(list, func(b blocker) bool { return b.proc == q }); i >= 0 {
		b = list[i]
	}
	who, have, itself := t.proc(b.proc), "has", ""
	if n := len(list) - 1; n > 0 {
		who, have = who+" and "+words.Plural(n, "other"), "have"
	}
	if b.proc == q {
		who, itself = "it", " itself"
	}
	at := itself + t.At.inBrackets(Site(t.X.Sites, b.step))
	switch {
	case of == trace.WWait && op.Kind != trace.WWait:
		return ", for which " + who + " waits to write" + at
	case of == trace.Once:
		return ", which " + who + " is still doing" + at
	case op.Kind == trace.WWait && len(list) == 1 && t.X.Procs[b.proc].Ended:
		return ", which " + who + " has left read-locked" + at
	case op.Kind == trace.WWait:
		return ", which " + who + " " + have + " read-locked" + at
	case t.X.Procs[b.proc].Ended:
		return ", which " + who + " has left locked" + at
	}
	return ", which " + who + " has locked" + at
}

// unheard says what process q, which declared op, waits for in vain: a signal that came before it
// waited, the end of a channel, a counter that nobody is left to change.
func (t reasons) unheard(q int32, op *trace.Op, site string) string {
	switch op.Kind {
	case trace.CondWait:
		if t.forLibrary(q, op, site) != "" {
			return ""
		}
		if i, _ := t.blame().missed(q); i >= 0 && t.decision == nil {
			return ", which " + t.proc(t.X.Events[i].Proc) + " had signalled before" + t.placeOf(i)
		}
		if t.decision == nil && !t.blame().signalled(op.Obj) {
			return ", which nobody has signalled"
		}
		return t.wokeOther(q, op.Obj)
	}
	if text := t.pooled(q); text != "" {
		return text
	}
	if kind := single(op).Kind; kind == trace.Send || kind == trace.Recv {
		return t.alone(q, op, site)
	}
	return ""
}

// wokeOther says that the last signal of a condition, for which process q waited then as it does
// now, woke another process: ", whose last signal (x.go:7) woke b". Empty: it is not so.
func (t reasons) wokeOther(q, obj int32) string {
	waits, signal, woken := false, -1, int32(-1)
	for i := range t.X.Events {
		switch e := &t.X.Events[i]; {
		case e.Obj != obj:
		case e.Kind == trace.CondEnter && e.Proc == q:
			waits = true
		case e.Kind == trace.CondSignal:
			signal, woken = i, -1
			if !waits {
				signal = -1
			}
		case e.Kind == trace.CondBroadcast:
			signal = -1
		case e.Kind == trace.CondWait && e.Proc == q:
			waits, signal = false, -1
		case e.Kind == trace.CondWait && woken < 0:
			woken = e.Proc
		}
	}
	if signal < 0 || woken < 0 {
		return ""
	}
	return ", whose last signal" + t.placeOf(signal) + " woke " + t.proc(woken)
}

// signalled reports whether anybody has signalled a condition.
func (n blame) signalled(obj int32) bool {
	return slices.ContainsFunc(n.X.Events, func(e trace.Event) bool {
		return e.Obj == obj && (e.Kind == trace.CondSignal || e.Kind == trace.CondBroadcast)
	})
}

// onlyFrom reports whether process q has received from a channel, and no other one has.
func (n blame) onlyFrom(q, obj int32) bool {
	some := false
	for i := range n.X.Events {
		e := &n.X.Events[i]
		who := e.Proc
		if e.Partner >= 0 {
			who = e.Partner
		}
		if e.Obj != obj || e.Kind != trace.Recv && e.Partner < 0 {
			continue
		}
		some = true
		if who != q {
			return false
		}
	}
	return some
}

// missed returns the last signal of the condition that process q waits for, which came before it
// began to wait, and the step by which it began; -1: there was none.
func (t blame) missed(q int32) (signal, begin int) {
	signal, begin = -1, -1
	op := &t.X.Procs[q].Pending
	if op.Kind != trace.CondWait {
		return signal, begin
	}
	last := -1
	for i := range t.X.Events {
		switch e := &t.X.Events[i]; {
		case e.Obj != op.Obj:
		case e.Kind == trace.CondSignal || e.Kind == trace.CondBroadcast:
			last = i
		case e.Kind == trace.CondEnter && e.Proc == q:
			signal, begin = last, i
		}
	}
	return signal, begin
}

// addedLate returns a Wait of a WaitGroup whose counter was zero, and a later Add that it should
// have waited for, as nothing orders the two; -1: there is none. Only a pair for which matters
// holds counts.
func (t blame) addedLate(matters func(r depend.Race, all []depend.Race) bool) (wait, add int) {
	isWait := func(e trace.Event) bool { return e.Kind == trace.WgWait }
	isAdd := func(e *trace.Event) bool {
		return e.Kind == trace.WgAdd && e.Op.N > 0 && e.Seq == e.Op.N
	}
	if len(t.X.Events) > mostExplained ||
		!slices.ContainsFunc(t.X.Events, isWait) {
		return -1, -1
	}
	all := depend.Races(t.X)
	for _, r := range all {
		if r.Second >= 0 && t.X.Events[r.First].Kind == trace.WgWait &&
			isAdd(&t.X.Events[r.Second]) && matters(r, all) {
			return int(r.First), int(r.Second)
		}
	}
	return -1, -1
}

// meet reports whether the process of a late Add and that of the Wait have a race behind the Wait,
// on another object.
func (t blame) meet(late depend.Race, all []depend.Race) bool {
	add, wait := &t.X.Events[late.Second], &t.X.Events[late.First]
	return slices.ContainsFunc(all, func(r depend.Race) bool {
		if r.First <= late.First || r.Second < 0 || t.X.Events[r.First].Obj == add.Obj {
			return false
		}
		a, b := parties(&t.X.Events[r.First]), parties(&t.X.Events[r.Second])
		return slices.Contains(a, wait.Proc) && slices.Contains(b, add.Proc) ||
			slices.Contains(a, add.Proc) && slices.Contains(b, wait.Proc)
	})
}

// closedBefore returns the step that closed a channel, and a later send to it, or another close,
// with which the execution ends; -1: it does not end so.
func (t blame) closedBefore() (first, second int) {
	if t.X.Crash == nil {
		return -1, -1
	}
	for k := len(t.X.Events) - 1; k >= 0; k-- {
		e := &t.X.Events[k]
		if !e.Closed || e.Kind != trace.Send && e.Kind != trace.Close ||
			e.Proc != t.X.Crash.Proc {
			continue
		}
		i := slices.IndexFunc(t.X.Events[:k], func(c trace.Event) bool {
			return c.Kind == trace.Close && c.Obj == e.Obj && !c.Closed
		})
		return i, k
	}
	return -1, -1
}

// turned says who received something else instead of what process q sends for ever: "; a received
// from timeout (x.go:9) instead"; empty: nobody did.
func (t reasons) turned(q int32) string {
	op := &t.X.Procs[q].Pending
	if op.Kind != trace.Send {
		return t.undone(q)
	}
	gone := -1
	for i := range t.X.Events {
		e := &t.X.Events[i]
		takes := func(c trace.Case) bool { return c.Kind == trace.Recv && c.Obj == op.Obj }
		switch {
		case e.Obj == op.Obj && (e.Kind == trace.Recv || e.Partner >= 0):
			gone = -1
		case e.Op.Kind == trace.Select && e.Proc != q && slices.ContainsFunc(e.Op.Cases, takes):
			gone = i
		}
	}
	if gone < 0 || t.delivery(gone) != "" {
		return ""
	}
	return "; " + t.tells(gone) + t.placeOf(gone) + " instead"
}

// endless is the sentence for an execution without an end: what its last steps were.
func (t reasons) endless() string {
	const tail, most = 200, 3
	var who []int32
	var did []string
	first := max(0, len(t.X.Events)-tail)
	for i := len(t.X.Events) - 1; t.X.End == trace.Vain && i >= first; i-- {
		if e := &t.X.Events[i]; !e.Idle() || e.Partner >= 0 {
			first = i + 1
		}
	}
	for i := first; i < len(t.X.Events); i++ {
		e := &t.X.Events[i]
		if !slices.Contains(who, e.Proc) {
			who = append(who, e.Proc)
		}
		if text := t.tells(i) + t.placeOf(i); !slices.Contains(did, text) {
			did = append(did, text)
		}
	}
	if len(who) > most || len(did) == 0 {
		return ""
	}
	if n := len(did) - most; n > 0 {
		did = append(did[:most], "took "+words.Plural(n, "more step"))
	}
	head := t.proc(who[0])
	if len(who) == 1 {
		for i, text := range did[1:] {
			did[i+1] = strings.TrimPrefix(text, head+" ")
		}
	}
	if n := len(did); n > 1 {
		did = []string{strings.Join(did[:n-1], ", ") + " and " + did[n-1]}
	}
	return did[0] + ", again and again."
}

// meanwhile says that step i of process a came between two steps of process b: a look at a variable
// or a channel, and step k, which relies on that look. Empty: it is not so.
func (t reasons) meanwhile(i, k int) string {
	a, b := &t.X.Events[i], &t.X.Events[k]
	if a.Obj != b.Obj || a.Obj < 0 || a.Proc == b.Proc ||
		a.Kind == trace.AtomicLoad && a.Op.IsPlain() {
		return ""
	}
	did := ""
	switch b.Kind {
	case trace.AtomicStore:
		did = "write to"
	case trace.AtomicUpdate:
		did = "update of"
	case trace.Close:
		did = "close of"
	default:
		return ""
	}
	for j := i - 1; j >= 0; j-- {
		e := &t.X.Events[j]
		if e.Proc != b.Proc {
			continue
		}
		looks := e.Kind == trace.AtomicLoad && e.Obj == b.Obj && !e.Op.IsPlain() ||
			e.Kind == trace.Default && slices.ContainsFunc(e.Op.Cases, func(c trace.Case) bool {
				return c.Obj == b.Obj
			})
		if looks && t.placeOf(j) != "" && t.placeOf(k) != "" {
			return t.tells(i) + t.placeOf(i) + " between " + t.proc(b.Proc) + "'s look at it" +
				t.placeOf(j) + " and its " + did + " it" + t.placeOf(k)
		}
		if e.Obj == b.Obj {
			return ""
		}
	}
	return ""
}
