package depict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// alone says why process q, which declared a send or receive op, has no partner: the channel is
// nil, full or never closed, or its users have ended. Empty: the sentence says enough.
func (t reasons) alone(q int32, op *trace.Op, site string) string {
	o := single(op)
	switch {
	case o.Obj < 0 && t.At.codeOf(op, site) != "":
		return ", which is nil"
	case o.Obj < 0:
		return ""
	case o.Kind == trace.Recv && op.Loops:
		return ", which nobody closes"
	case o.Kind == trace.Send && t.blame().onlyFrom(q, o.Obj):
		return ", from which only it receives itself"
	case o.Kind == trace.Send && o.Cap > 0 && !trace.Mailbox(o.Cap):
		text := ", which " + t.filled(q, o.Obj)
		if last := t.last(&o); last != "" {
			return text + " and" + strings.TrimPrefix(last, ",")
		}
		return text
	case o.Cap != 0 || t.turned(q) != "":
		return ""
	}
	if text := t.last(&o); text != "" || t.decision != nil || t.blame().used(o.Obj) {
		return text
	}
	switch {
	case o.Kind == trace.Send:
		return ", from which nobody has received"
	case strings.HasSuffix(t.At.codeOf(op, site), "Done()"):
		return ", which nobody has closed"
	}
	return ", which nobody has sent to or closed"
}

// used reports whether a message was handed over on a channel.
func (n blame) used(obj int32) bool {
	return slices.ContainsFunc(n.X.Events, func(e trace.Event) bool {
		return e.Obj == obj && e.Partner >= 0
	})
}

// last says who was the last partner on the channel of op, if that process has ended.
func (t reasons) last(op *trace.Op) string {
	role, who, at := "receiver", int32(-1), ""
	if op.Kind == trace.Recv {
		role = "sender"
	}
	for i := range t.X.Events {
		e := &t.X.Events[i]
		sends := e.Proc
		switch receives := e.Partner; {
		case e.Obj != op.Obj:
		case op.Kind == trace.Recv && (receives >= 0 || e.Kind == trace.Send):
			who, at = sends, t.At.inBrackets(Site(t.X.Sites, i))
		case op.Kind == trace.Send && receives >= 0:
			who, at = receives, t.placeOf(i)
		case op.Kind == trace.Send && e.Kind == trace.Recv:
			who, at = e.Proc, t.placeOf(i)
		}
	}
	if who < 0 || !t.X.Procs[who].Ended {
		return ""
	}
	return ", whose last " + role + ", " + t.proc(who) + at + ", has ended"
}

// filled says that the buffer for which process q waits is full, and which one or two processes
// have sent all its values.
func (t reasons) filled(q, obj int32) string {
	const most = 2
	values, last := 0, 0
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
			last = i
		case trace.Recv:
			values--
			sent[e.Proc]--
		}
	}
	var who []string
	for p, n := range sent {
		if n < 0 || len(who) > most {
			return "is full"
		}
		values -= n
		if n > 0 {
			who = append(who, t.proc(int32(p)))
		}
	}
	switch {
	case values != 0 || len(who) == 0 || len(who) > most:
		return "is full"
	case len(who) == 1 && who[0] == t.proc(q):
		return "it has filled itself" + t.At.inBrackets(Site(t.X.Sites, last))
	case len(who) == 1:
		return who[0] + " has filled" + t.At.inBrackets(Site(t.X.Sites, last))
	}
	return strings.Join(who, " and ") + " have filled"
}

// undone says why the counter for which process q waits stays above zero when all others have
// ended: one or two processes have ended without Done, if each of them owes one. Empty: it is not
// so.
func (t reasons) undone(q int32) string {
	op := &t.X.Procs[q].Pending
	alive := func(p trace.Proc) bool { return !p.Ended }
	if op.Kind != trace.WgWait || isPipe(t.X, op.Obj) ||
		slices.IndexFunc(t.X.Procs, alive) != int(q) ||
		slices.ContainsFunc(t.X.Procs[q+1:], alive) {
		return ""
	}
	adds, called := map[int32]bool{}, map[int32]bool{}
	for i := range t.X.Events {
		switch e := &t.X.Events[i]; {
		case e.Kind != trace.WgAdd || e.Obj != op.Obj:
		case e.Op.N < 0:
			called[e.Proc] = true
		default:
			adds[e.Proc] = true
		}
	}
	var who []string
	for id := range t.X.Procs {
		if p := &t.X.Procs[id]; p.Ended && adds[p.Parent] && !called[int32(id)] {
			who = append(who, t.proc(int32(id)))
		}
	}
	switch n := t.counter(op.Obj); {
	case n <= 0:
		return ""
	case len(who) != n || n > 2:
		return "; all other goroutines have ended, and the counter is still " + strconv.Itoa(n)
	case n == 1:
		return "; " + who[0] + " has ended without calling Done"
	}
	return "; " + strings.Join(who, " and ") + " have ended without calling Done"
}

// closed says more about a panic: which channel it is about, and who had closed it; or which
// counter fell below zero, and who had called Done of it before. Empty: the panic is about
// something else, or the sentence says so by itself.
func (t reasons) closed() string {
	i, k := t.blame().closedBefore()
	had := " had closed"
	if i < 0 {
		i, k = t.blame().doneBefore()
		had = " had called Done before"
	}
	switch {
	case k < 0:
		return t.misused()
	case t.decision != nil && t.decision.First == int32(i) && t.decision.Second == int32(k):
		return ""
	case i < 0:
		return " of " + t.called(k) + ", to which nobody had added"
	}
	who := t.proc(t.X.Events[i].Proc)
	if t.X.Events[i].Proc == t.X.Events[k].Proc {
		who = "it"
	}
	if t.X.Events[k].Kind == trace.WgAdd {
		return " of " + t.called(k) + ", of which " + who + had + t.placeOf(i)
	}
	return " " + t.called(k) + ", which " + who + had + t.placeOf(i)
}

// misused says of a panic which variable has the nil channel that is closed, or which lock it is
// that was not locked, and who had unlocked it: " s.mu, which b had unlocked (x.go:7)". Empty: the
// panic is about something else.
func (t reasons) misused() string {
	unlocks := func(k trace.Kind) bool {
		return k == trace.Unlock || k == trace.WUnlock || k == trace.RUnlock
	}
	c := t.X.Crash
	if c == nil {
		return ""
	}
	isNil := strings.Contains(c.Text, "close of nil channel")
	isFree := strings.Contains(c.Text, "nlock of unlocked ")
	k := len(t.X.Events) - 1
	for ; k >= 0; k-- {
		if e := &t.X.Events[k]; e.Proc == c.Proc &&
			(isNil && e.Kind == trace.Close && e.Obj < 0 || isFree && unlocks(e.Kind)) {
			break
		}
	}
	if k < 0 {
		return ""
	}
	if name := operands.Of(t.At.Source(Site(t.X.Sites, k)), trace.Close); isNil {
		return strings.TrimRight(" "+name, " ")
	}
	used := false
	for i := k - 1; i >= 0; i-- {
		switch e := &t.X.Events[i]; {
		case e.Obj != t.X.Events[k].Obj:
		case e.Kind == t.X.Events[k].Kind:
			who := t.proc(e.Proc)
			if e.Proc == c.Proc {
				who = "it"
			}
			return " " + t.called(k) + ", which " + who + " had unlocked" + t.placeOf(i)
		default:
			used = true
		}
	}
	if used || t.X.Began(t.X.Events[k].Obj).Held {
		return " " + t.called(k)
	}
	return " " + t.called(k) + ", which nobody had locked"
}

// doneBefore returns the last two Done of a WaitGroup whose counter fell below zero, with which the
// execution ends. The first is -1 if there was none and no Add either, and both if the execution
// does not end so.
func (n blame) doneBefore() (first, second int) {
	first, second = -1, -1
	if n.X.Crash == nil || !strings.Contains(n.X.Crash.Text, "negative WaitGroup counter") {
		return first, second
	}
	added := false
	for k := len(n.X.Events) - 1; k >= 0; k-- {
		switch e := &n.X.Events[k]; {
		case e.Kind != trace.WgAdd:
		case second < 0 && (e.Proc != n.X.Crash.Proc || e.Op.N >= 0):
			return -1, -1
		case second < 0:
			second = k
		case e.Obj == n.X.Events[second].Obj && e.Op.N < 0:
			return k, second
		case e.Obj == n.X.Events[second].Obj:
			added = true
		}
	}
	if added || second >= 0 && n.X.Began(n.X.Events[second].Obj).Count != 0 {
		return -1, -1
	}
	return -1, second
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
		if name := operands.Of(t.At.Source(Site(t.X.Sites, i)), e.Kind); name != "" {
			return name
		}
	}
	return ""
}
