package depict

import (
	"cmp"
	"strings"

	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// told has the words for an operation: its past, and the form after "could".
type told struct{ past, base string }

var tolds = [trace.NumKinds]told{
	trace.Send: {"sent to", "send to"}, trace.Recv: {"received from", "receive from"},
	trace.Close: {"closed", "close"},
	trace.Len:   {"looked at the length of", "look at the length of"},
	trace.Lock:  {"locked", "lock"}, trace.TryLock: {"tried to lock", "try to lock"},
	trace.Unlock: {"unlocked", "unlock"},
	trace.WLock:  {"locked", "lock"}, trace.WWait: {"locked", "lock"},
	trace.WTryLock: {"tried to lock", "try to lock"},
	trace.WUnlock:  {"unlocked", "unlock"}, trace.RLock: {"read-locked", "read-lock"},
	trace.RTryLock: {"tried to read-lock", "try to read-lock"},
	trace.RUnlock:  {"read-unlocked", "read-unlock"},
	trace.WgAdd:    {"changed", "change"},
	trace.WgWait:   {"went on from waiting for", "wait for"}, trace.Once: {"entered", "enter"},
	trace.OnceDone: {"left", "leave"},
	trace.Join:     {"went on from waiting for", "wait for"}, trace.End: {"ended", "end"},
	trace.AtomicLoad: {"read", "read"}, trace.AtomicStore: {"wrote", "write"},
	trace.AtomicUpdate:  {"updated", "update"},
	trace.CondEnter:     {"began to wait for", "wait for"},
	trace.CondWait:      {"was woken by", "be woken by"},
	trace.CondSignal:    {"signalled", "signal"},
	trace.CondBroadcast: {"broadcast to", "broadcast to"},
	trace.PoolGet:       {"got from", "get from"}, trace.PoolPut: {"put into", "put into"},
	trace.StreamRead: {"read from", "read from"}, trace.StreamWrite: {"wrote to", "write to"},
	trace.StreamShut:   {"closed", "close"},
	trace.StreamSet:    {"changed the deadline of", "change the deadline of"},
	trace.StreamListen: {"listened at", "listen at"}, trace.StreamDial: {"dialled", "dial"},
	trace.StreamAccept: {"accepted at", "accept at"},
}

// plainly are those of operations on nothing that has a name.
var plainly = [trace.NumKinds]told{
	trace.Select:  {"went on in its select", "go on in its select"},
	trace.Default: {"took the default of its select", "take it"},
	trace.Yield:   {"yielded", "yield"}, trace.Log: {"reported to the test", "report to the test"},
	trace.Now:        {"read the clock", "read the clock"},
	trace.Settle:     {"went on from synctest.Wait", "go on from synctest.Wait"},
	trace.TimerStart: {"started a timer", "start a timer"},
	trace.TimerStop:  {"stopped a timer", "stop the timer"},
	trace.TimerReset: {"reset a timer", "reset the timer"},
	trace.Birth:      {"started a goroutine", "start a goroutine"},
	trace.Death:      {"ended", "end"}, trace.Count: {"counted goroutines", "count goroutines"},
	trace.Stop:  {"ended the program", "end the program"},
	trace.Draw:  {"drew a number", "draw a number"},
	trace.Pick:  {"took a key of a map", "take a key of a map"},
	trace.Fault: {"had no fault", "go on"},
}

// library and timers tell of calls of a library's functions, and of timers.
type (
	library struct{ *teller }
	timers  struct{ *teller }
)

// tells says what event i did: "buyer received from free".
func (t *teller) tells(i int) string {
	e := &t.X.Events[i]
	who, kind := e.Proc, e.Kind
	if e.Partner >= 0 { // of a rendezvous, the receiver is whom the program waits for
		who, kind = e.Partner, trace.Recv
	}
	if text, ok := t.special(i); ok {
		return text
	}
	if text := (library{t}).inLibrary(i, t.proc(who)); text != "" {
		return text
	}
	if kind == trace.WLock && (blame{t.names}).stillWaits(i) {
		return t.proc(who) + " began to wait to lock " + t.called(i)
	}
	return t.proc(who) + " " + t.act(tolds[kind].past, plainly[kind].past, kind, e.Obj, t.called(i))
}

// tellsFirst is tells for a step that is compared with a later one: the function of a timer has who
// stopped that too late.
func (t *teller) tellsFirst(i int) string {
	text, p := t.tells(i), t.X.Events[i].Proc
	if who := t.proc(p); strings.HasPrefix(text, who+" ") {
		text = who + timers{t}.stoppedLate(p) + text[len(who):]
	}
	return text
}

// tellsSecond is tells for a step that is compared with step first: a message has its sender, and a
// timer or a call is not named again.
func (t *teller) tellsSecond(i, first int) string {
	e := &t.X.Events[i]
	if text := (library{t}).didAgain(i, first); text != "" {
		return text
	}
	if e.Partner < 0 {
		return t.tells(i)
	}
	if name := t.called(i); isName().MatchString(name) {
		return t.proc(e.Partner) + " received " + t.proc(e.Proc) + "'s " + name
	}
	return t.proc(e.Partner) + " received from " + t.proc(e.Proc)
}

// beforeIt says what process q could not do any more: " before b could lock s.mu for `s.n++`
// (x.go:7)". Of a process that waits for that, the sentence has the place further on.
func (t reasons) beforeIt(q int32, p Parting) string {
	o, site, where := &t.X.Procs[q], t.blockedAt(q), ""
	if n := len(t.counts[q]); site == "" && o.Path == p.Instead.Proc &&
		o.Pending.Kind == p.Instead.Kind && (n == 0 || int(t.counts[q][n-1]) < p.Step) {
		site, where = p.Site, t.underAt(p.Site, o.Pending.Kind)+t.At.inBrackets(p.Site)
	}
	return " before " + t.proc(q) + " could " + t.could(&o.Pending, site) + where
}

// isName tells a variable from the number of a channel.
var isName = words.Pattern(`^[A-Za-z_]+$`)

// special are events whose objects have no use in a sentence.
func (t *teller) special(i int) (string, bool) {
	e := &t.X.Events[i]
	who := t.proc(e.Proc)
	if text := t.delivery(i); text != "" {
		return text, true
	}
	if _, begins := t.requests.begins[int32(i)]; begins {
		return "the handler of " + who + " began", true
	}
	switch {
	case (blame{t.names}).relocked(i):
		return who + " came back from waiting for " +
			cmp.Or(operands.Of(t.At.Source(Site(t.X.Sites, i)), e.Kind), t.obj(e.Obj)), true
	case e.Kind == trace.Fire && (e.Op.N == trace.Sleeper || t.X.Procs[e.Proc].Name != "timer"):
		return who + " woke up", true
	case e.Kind == trace.Fire:
		if !t.isTimer(e.Proc) {
			who = "the timer " + who
		}
		return who + " fired", true
	case e.Kind == trace.AtomicUpdate:
		text := library{t}.update(i)
		return who + " called " + text, text != ""
	case e.Kind == trace.Once && e.OK:
		return who + " began the function of " + t.called(i), true
	case e.Kind == trace.Once:
		return who + " came to " + t.called(i) + ", which was done", true
	case e.Kind == trace.TimerStop:
		return who + timers{t}.ofTimer(" stopped ", &e.Op), true
	case e.Kind == trace.TimerReset:
		return who + timers{t}.ofTimer(" reset ", &e.Op), true
	case e.Kind == trace.Recv && e.Closed:
		return who + " found " + t.called(i) + " closed", true
	case e.Kind == trace.WgAdd && isPipe(t.X, e.Obj):
		return who + " " + pipeWord(e) + "ed " + t.obj(e.Obj), true
	case e.Kind == trace.WgAdd && e.Op.N < 0:
		return who + " called Done of " + t.called(i), true
	case e.Kind == trace.WgAdd:
		return who + " added to " + t.called(i), true
	case (e.Kind == trace.AtomicLoad || e.Kind == trace.AtomicStore) && e.Op.N == trace.Plain:
		return who + " went on", true
	case e.Kind == trace.End && e.Op.N == trace.Ended:
		return who + " ended", true
	case stream.Disturbs(&e.Op):
		return who + " " + stream.Word(e) + " " + t.called(i), true
	case e.Kind == trace.Fault && e.Case > 0:
		return who + " " + t.did(i), true
	}
	return "", false
}

// act is a verb with its object.
func (t *teller) act(verb, alone string, kind trace.Kind, obj int32, name string) string {
	if verb == "" || obj < 0 && alone != "" {
		return cmp.Or(alone, kind.String())
	}
	return verb + " " + name
}

// called is what the code at event i calls its object: "s.free"; else the object's number.
func (t *teller) called(i int) string {
	e := &t.X.Events[i]
	for _, s := range []struct {
		site string
		op   *trace.Op
		kind trace.Kind
		n    int32
	}{
		{Site(t.X.Sites, i), &e.Op, e.Kind, e.Case},
		{Site(t.X.PartnerSites, i), &e.PartnerOp, trace.Recv, e.PartnerCase},
	} {
		if s.site == "" {
			continue
		}
		code := t.At.Source(s.site)
		if s.op.Kind == trace.Select {
			code = t.At.caseOf(s.site, int(s.n))
		}
		if name := operands.Of(code, s.kind); name != "" {
			return t.name(name, e.Obj)
		}
	}
	return t.name("", e.Obj)
}

// name is an object's name in the code, or its number if the code has no name for it.
func (t *teller) name(code string, obj int32) string {
	if obj < 0 {
		return t.obj(obj)
	}
	if what := t.description(obj); outside(what) {
		code, _, _ = strings.Cut(what, " first used") // the code names a function, or who calls it
	}
	alias, other := t.aliases[obj]
	if code == "" && other {
		code = alias // where this place does not say it, another one has
	}
	t.unclear = t.unclear || other && alias != code
	t.aliases[obj] = code
	if code == "" {
		code = library{t}.madeBy(obj)
	}
	if code == "" {
		return t.obj(obj)
	}
	o, known := t.objects[code]
	t.unclear = t.unclear || known && o != obj
	t.objects[code] = obj
	if t.numbered {
		return code + " [" + t.obj(obj) + "]"
	}
	return code
}

// update is the call by which event i updates its object, as the code there has it: "n.Add(-1)".
// Empty: it is not clear which, or the call is long.
func (t library) update(i int) string {
	if t.called(i) == t.obj(t.X.Events[i].Obj) {
		return ""
	}
	return operands.Update(t.At.Source(Site(t.X.Sites, i)))
}

// chooses reports whether a step of kind k only chooses.
func chooses(k trace.Kind) bool { return k == trace.Draw || k == trace.Pick || k == trace.Fault }

// codeOf is what the line of code at a site calls the object of op; empty: that is not clear.
func (p *Places) codeOf(op *trace.Op, site string) string {
	code, o := p.Source(site), single(op)
	if op.Kind == trace.Select && o.Kind != trace.Select {
		code = p.caseOf(site, 0)
	}
	if o.Kind != trace.Send && o.Kind != trace.Recv && o.Obj < 0 {
		return ""
	}
	return operands.Of(code, o.Kind)
}
