package depict

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// mostExplained bounds the executions whose races are looked at for a sentence, in events.
const mostExplained = 4096

// Sentence says in one sentence what decides that x, which must have been run with sites, goes
// wrong as f says: which step came before which, and that it is the other way round in the passing
// execution beside. Where none is known, it says what f is about; empty: f says that itself.
//
//	buyer received from free (theatre.go:14) before theatre received main's book; in the passing
//	order after. Then: -1 seats left.
//
// The decision has the two steps; nil: they are not known.
func Sentence(f *Finding, x *trace.Execution, partings []Parting, b *Beside, at *Places) (string, *record.Decision) {
	t := &teller{names: NewNames(x, at), objects: map[string]int32{}, aliases: map[int32]string{}}
	text := t.sentence(f, partings, b)
	if t.unclear {
		t.numbered = true
		text = t.sentence(f, partings, b)
	}
	return text, t.decision
}

// Deciding is the number, from 1, of the step that decides that x goes wrong as f says. Where no
// passing execution tells, that is the step of a race's second access, or the last step of the first
// process that is blocked, or the last of all.
func Deciding(f *Finding, x *trace.Execution, partings []Parting, b *Beside, at *Places) int {
	_, decision := Sentence(f, x, partings, b, at)
	switch {
	case decision != nil:
		return int(decision.First) + 1
	case len(partings) > 0:
		return min(partings[0].Step+1, len(x.Events))
	case len(f.Accesses) == 2:
		return max(1, f.Accesses[1].Step)
	}
	for i := len(x.Events); i > 0 && len(x.Blocked) > 0; i-- {
		if slices.Contains(parties(&x.Events[i-1]), x.Blocked[0]) {
			return i
		}
	}
	return len(x.Events)
}

func (t *teller) sentence(f *Finding, partings []Parting, b *Beside) string {
	if f.Kind == explore.Race && len(f.Accesses) == 2 {
		return t.race(f)
	}
	if len(partings) == 0 || b == nil || partings[0].Step >= len(t.X.Events) {
		return t.waiting(f)
	}
	return t.decides(partings[0], b) + " Then: " + t.ended(f) + "."
}

// ended is what went wrong, in a few words.
func (t *teller) ended(f *Finding) string {
	text := f.Message
	switch {
	case f.Kind == explore.Fail && len(f.Log) > 0:
		text = f.Log[0].Text
	case f.Kind == explore.Deadlock || f.Kind == explore.Leak:
		if all := t.forEver(f); all != "" {
			return all
		}
	}
	text = strings.TrimRight(Cut(OneLine(text), 120), ".:")
	if text == "" {
		text = "the test fails"
	}
	if f.Kind == explore.Panic {
		return "panic: " + text
	}
	return text
}

// teller tells about one execution.
type teller struct {
	*names
	counts   [][]int32 // by process: its events
	decision *record.Decision

	// what the code calls objects: one name may stand for several, and one may have several
	objects  map[string]int32
	aliases  map[int32]string
	unclear  bool // that is so
	numbered bool // names have the numbers of the chart
}

// name is an object as code calls it; where the code does not say, its number.
func (t *teller) name(code string, obj int32) string {
	if code == "" || obj < 0 {
		return t.obj(obj)
	}
	o, known := t.objects[code]
	alias, other := t.aliases[obj]
	t.unclear = t.unclear || known && o != obj || other && alias != code
	t.objects[code], t.aliases[obj] = obj, code
	if t.numbered {
		return code + " [" + t.obj(obj) + "]"
	}
	return code
}

// race is the sentence for two accesses.
func (t *teller) race(f *Finding) string {
	var ends []string
	for _, a := range f.Accesses {
		verb := "reads "
		what, written := strings.CutPrefix(a.What, "write of ")
		if written {
			verb = "writes "
		} else {
			what = strings.TrimPrefix(a.What, "read of ")
		}
		place := ""
		if len(a.Stack) > 0 {
			place = " (" + a.Stack[0].Pos + ")"
		}
		ends = append(ends, a.Process+" "+verb+what+place)
	}
	return ends[0] + " and " + ends[1] + "; " + f.unordered() + "."
}

// unordered says that nothing orders the accesses of a race, and which locks do not.
func (f *Finding) unordered() string {
	a, b := f.Accesses[0].Holding(false), f.Accesses[1].Holding(false)
	if x, y := f.Accesses[0].Holding(true), f.Accesses[1].Holding(true); a == b && x != y {
		a, b = x, y // the code calls two locks the same
	}
	switch first, second := f.Accesses[0].Process, f.Accesses[1].Process; {
	case a == "" && b == "":
		return "nothing orders the two"
	case a == b:
		return "both hold " + a + ", which does not order the two"
	case a == "":
		return "only " + second + " holds a lock, " + b + ", so nothing orders the two"
	case b == "":
		return "only " + first + " holds a lock, " + a + ", so nothing orders the two"
	default:
		return first + " holds " + a + ", " + second + " holds " + b + ", so nothing orders the two"
	}
}

// Holding lists the locks of an access: "s.mu and t.mu for reading", with their numbers if asked.
func (e *RaceEnd) Holding(numbered bool) string {
	var list []string
	for _, l := range e.Holds {
		name := cmp.Or(l.Code, l.Name)
		if numbered && l.Code != "" {
			name += " [" + l.Name + "]"
		}
		if l.Read {
			name += " for reading"
		}
		list = append(list, name)
	}
	return strings.Join(list, " and ")
}

// waiting is the sentence for those that wait for ever, or panic, where no passing execution is
// known.
func (t *teller) waiting(f *Finding) string {
	if text := t.forEver(f); text != "" && (f.Kind == explore.Deadlock || f.Kind == explore.Leak) {
		return text + "."
	}
	if f.Kind == explore.Panic && len(f.Processes) > 0 && f.Processes[0].Pos != "" {
		return f.Processes[0].Name + " panics (" + t.At.Line(f.Processes[0].Pos) + "): " + strings.TrimRight(Cut(OneLine(f.Message), 160), ".") + "."
	}
	return ""
}

// forEver says who waits for what: "a waits to lock mu (x.go:7) and b to send to ch (x.go:9), for
// ever".
func (t *teller) forEver(f *Finding) string {
	const most = 2
	var groups []*waiting
	all := 0
	for _, i := range t.waiters() {
		q := t.X.Blocked[i]
		p := &t.X.Procs[q]
		if !slices.ContainsFunc(f.Processes, func(o Process) bool { return o.Path == p.Path && o.State == "blocked" }) {
			continue
		}
		what := t.awaits(q, blockedSite(t.X, i))
		if place := t.At.Line(blockedSite(t.X, i)); place != "" {
			what += " (" + place + ")"
		}
		all++
		k := slices.IndexFunc(groups, func(g *waiting) bool { return g.what == what })
		if k < 0 {
			k, groups = len(groups), append(groups, &waiting{what: what})
		}
		groups[k].who = append(groups[k].who, t.proc(q))
	}
	var parts []string
	for _, g := range groups[:min(most, len(groups))] {
		parts = append(parts, g.String())
		all -= len(g.who)
	}
	switch {
	case len(parts) == 0:
		return ""
	case all > 0:
		return strings.Join(parts, ", ") + ", and " + Plural(all, "other") + ", for ever"
	}
	return strings.Join(parts, " and ") + " for ever"
}

// waiting are processes that wait for the same at the same place.
type waiting struct {
	who  []string
	what string // "waits to lock mu (x.go:7)"
}

// String returns "a waits to lock mu", or "a, b and 3 more wait to lock mu".
func (g *waiting) String() string {
	if len(g.who) == 1 {
		return g.who[0] + " " + g.what
	}
	what := "wait" + strings.TrimPrefix(g.what, "waits")
	if rest, sleeps := strings.CutPrefix(g.what, "sleeps"); sleeps {
		what = "sleep" + rest
	}
	if n := len(g.who); n > 3 {
		return g.who[0] + ", " + g.who[1] + " and " + strconv.Itoa(n-2) + " more " + what
	}
	last := len(g.who) - 1
	return strings.Join(g.who[:last], ", ") + " and " + g.who[last] + " " + what
}

// waiters are indices of Blocked: first those that take part in what decides, then others who wait
// for something that somebody must do, then those who only wait for others to end.
func (t *teller) waiters() []int {
	order := make([]int, len(t.X.Blocked))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) int {
		q := t.X.Blocked[i]
		switch k := t.X.Procs[q].Pending.Kind; {
		case t.takesPart(q):
			return 0
		case k == trace.Join || k == trace.WgWait || k == trace.Settle:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return order
}

// takesPart reports whether process q does one of the two steps that decide.
func (t *teller) takesPart(q int32) bool {
	d := t.decision
	if d == nil {
		return false
	}
	if d.Second >= 0 && slices.Contains(parties(&t.X.Events[d.Second]), q) {
		return true
	}
	return q == d.Proc || slices.Contains(parties(&t.X.Events[d.First]), q)
}

// awaits says what process q waits for, which is blocked at a site.
func (t *teller) awaits(q int32, site string) string {
	op := &t.X.Procs[q].Pending
	switch op.Kind {
	case trace.Select:
		if len(op.Cases) != 1 {
			return "waits in its select" + t.cases(op, site)
		}
	case trace.Fire:
		return "sleeps"
	case trace.WgWait, trace.CondWait, trace.Once:
		return "waits for " + t.objectAt(op, site)
	case trace.Join:
		return "waits for " + t.joined(op, site) + " to end"
	case trace.Settle:
		return "waits in synctest.Wait"
	}
	return "waits to " + t.could(op, site)
}

// cases says what a select waits for, if the code at a site has a name for each of a few cases:
// " to send to out or receive from done".
func (t *teller) cases(op *trace.Op, site string) string {
	if len(op.Cases) == 0 || len(op.Cases) > 3 {
		return ""
	}
	var list []string
	for i, c := range op.Cases {
		name := operand(t.At.caseOf(site, i), c.Kind)
		if name == "" {
			return ""
		}
		list = append(list, tolds[c.Kind].base+" "+t.name(name, c.Obj))
	}
	return " to " + strings.Join(list, " or ")
}

// joined is what a process waits for the end of: what the code at a site has started.
func (t *teller) joined(op *trace.Op, site string) string {
	switch code := t.At.Source(site); {
	case strings.Contains(code, "synctest.Test("):
		return "its bubble"
	case strings.Contains(code, ".Run("):
		return "its subtest"
	}
	return t.objectAt(op, site)
}

// decides says which two steps decide.
func (t *teller) decides(p Parting, b *Beside) string {
	t.counts = make([][]int32, len(t.X.Procs))
	for i := range t.X.Events {
		for _, q := range parties(&t.X.Events[i]) {
			t.counts[q] = append(t.counts[q], int32(i))
		}
	}
	e := &t.X.Events[p.Step]
	if p.Value != "" && e.Kind == p.Instead.Kind && t.X.Procs[e.Proc].Path == p.Instead.Proc {
		return t.proc(e.Proc) + " " + t.did(p.Step) + t.placeOf(p.Step) + "; in the passing order it " + p.Value + "."
	}
	if r, ok := t.swapped(p, b); ok {
		t.decision = &record.Decision{First: r.First, Second: r.Second, Proc: r.Proc, Object: t.object(r.Object), Rule: r.Rule}
		return t.pair(r.First, r.Second, r.Proc)
	}
	return t.parted(p)
}

// swapped returns the race that decides step p.Step: of those that come the other way round in the
// passing execution, the one that explains the step best.
func (t *teller) swapped(p Parting, b *Beside) (best depend.Race, ok bool) {
	if len(t.X.Events) > mostExplained {
		return best, false
	}
	c := &Explanation{names: t.names, races: depend.Races(t.X)}
	for range t.X.Events {
		c.order.Add(t.X)
	}
	other, most := c.withPath(p.Instead.Proc), 0
	for _, r := range c.races {
		rank := c.rank(r, int32(p.Step), other)
		if rank == 0 || !t.reversed(r, b) {
			continue
		}
		if r.Second >= 0 {
			rank += 8 // what has been done is easier to see than what has not
		}
		if rank > most || rank == most && r.First < best.First {
			best, most = r, rank
		}
	}
	return best, most > 0
}

// reversed reports whether the second of a race comes before the first in the passing execution.
func (t *teller) reversed(r depend.Race, b *Beside) bool {
	first := t.beside(int(r.First), b)
	second := b.next(t.X.Procs[r.Proc].Path, len(t.counts[r.Proc]))
	if r.Second >= 0 {
		second = t.beside(int(r.Second), b)
	}
	return second >= 0 && (first < 0 || second < first)
}

// beside is where event i came in the passing execution, -1 if it did not.
func (t *teller) beside(i int, b *Beside) int {
	return b.same(t.X, i, func(p int32) int {
		n, _ := slices.BinarySearch(t.counts[p], int32(i))
		return n
	})
}

// pair says that first came before second, which process q does; -1: q has not done it.
func (t *teller) pair(first, second, q int32) string {
	text := t.tells(int(first)) + t.placeOf(int(first))
	if second < 0 {
		return text + " before " + t.proc(q) + " could " + t.could(&t.X.Procs[q].Pending, t.blockedAt(q)) + "; in the passing order after."
	}
	return t.compare(int(first), int(second)) + "; in the passing order after."
}

// compare says that event i came before event k. Of two messages to one process, it names the
// senders.
func (t *teller) compare(i, k int) string {
	a, b := &t.X.Events[i], &t.X.Events[k]
	if a.Partner >= 0 && a.Partner == b.Partner && a.Proc != b.Proc {
		return t.proc(a.Partner) + " received from " + t.proc(a.Proc) + t.placeOf(i) + " before it received from " + t.proc(b.Proc)
	}
	return t.tells(i) + t.placeOf(i) + " before " + t.tellsSecond(k)
}

// blockedAt is where process q is blocked; empty: it is not.
func (t *teller) blockedAt(q int32) string {
	if i := slices.Index(t.X.Blocked, q); i >= 0 {
		return blockedSite(t.X, i)
	}
	return ""
}

// parted says what was done where the passing execution did something else.
func (t *teller) parted(p Parting) string {
	text := t.tells(p.Step) + t.placeOf(p.Step)
	for i := p.Step + 1; i < len(t.X.Events); i++ {
		if e := &t.X.Events[i]; t.X.Procs[e.Proc].Path == p.Instead.Proc && trace.ChoiceOf(e, t.X.Procs) == p.Instead {
			t.decision = &record.Decision{First: int32(p.Step), Second: int32(i), Proc: e.Proc}
			return t.compare(p.Step, i) + "; in the passing order after."
		}
	}
	instead := p.Instead.Proc
	for i, q := range t.X.Procs {
		if q.Path == instead {
			instead = t.proc(int32(i))
		}
	}
	place := ""
	if p.Site != "" {
		place = " (" + t.At.Line(p.Site) + ")"
	}
	return text + "; in the passing order " + instead + " went on there" + place + "."
}

// placeOf is the place of event i, in brackets.
func (t *teller) placeOf(i int) string {
	if place := t.At.Line(Site(t.X.Sites, i)); place != "" {
		return " (" + place + ")"
	}
	return ""
}

// told is what people say of an operation: the past, and what comes after "could".
type told struct{ past, base string }

var tolds = [trace.NumKinds]told{
	trace.Send: {"sent to", "send to"}, trace.Recv: {"received from", "receive from"},
	trace.Close: {"closed", "close"}, trace.Len: {"looked at the length of", "look at the length of"},
	trace.Lock: {"locked", "lock"}, trace.TryLock: {"tried to lock", "try to lock"}, trace.Unlock: {"unlocked", "unlock"},
	trace.WLock: {"locked", "lock"}, trace.WWait: {"locked", "lock"}, trace.WTryLock: {"tried to lock", "try to lock"},
	trace.WUnlock: {"unlocked", "unlock"}, trace.RLock: {"read-locked", "read-lock"},
	trace.RTryLock: {"tried to read-lock", "try to read-lock"}, trace.RUnlock: {"read-unlocked", "read-unlock"},
	trace.WgAdd:  {"changed", "be done with"},
	trace.WgWait: {"went on from waiting for", "wait for"}, trace.Once: {"entered", "enter"}, trace.OnceDone: {"left", "leave"},
	trace.Join: {"went on from waiting for", "wait for"}, trace.End: {"ended", "end"},
	trace.AtomicLoad: {"read", "read"}, trace.AtomicStore: {"wrote", "write"}, trace.AtomicUpdate: {"updated", "update"},
	trace.CondEnter: {"began to wait for", "wait for"}, trace.CondWait: {"was woken by", "be woken by"},
	trace.CondSignal: {"signalled", "signal"}, trace.CondBroadcast: {"broadcast to", "broadcast to"},
	trace.PoolGet: {"got from", "get from"}, trace.PoolPut: {"put into", "put into"},
	trace.StreamRead: {"read from", "read from"}, trace.StreamWrite: {"wrote to", "write to"},
	trace.StreamShut:   {"closed", "close"},
	trace.StreamSet:    {"changed the deadline of", "change the deadline of"},
	trace.StreamListen: {"listened at", "listen at"}, trace.StreamDial: {"dialled", "dial"},
	trace.StreamAccept: {"accepted at", "accept at"},
}

// plainly are those of operations on nothing that has a name.
var plainly = [trace.NumKinds]told{
	trace.Select: {"went on in its select", "go on in its select"}, trace.Default: {"took the default of its select", "take it"},
	trace.Yield: {"yielded", "yield"}, trace.Log: {"reported to the test", "report to the test"},
	trace.Now: {"read the clock", "read the clock"}, trace.Settle: {"went on from synctest.Wait", "go on from synctest.Wait"},
	trace.TimerStart: {"started a timer", "start a timer"}, trace.TimerStop: {"stopped a timer", "stop the timer"},
	trace.TimerReset: {"reset a timer", "reset the timer"}, trace.Birth: {"started a goroutine", "start a goroutine"},
	trace.Death: {"ended", "end"}, trace.Count: {"counted goroutines", "count goroutines"}, trace.Stop: {"ended the program", "end the program"},
	trace.Draw: {"drew a number", "draw a number"}, trace.Pick: {"took a key of a map", "take a key of a map"},
}

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
	return t.proc(who) + " " + t.act(tolds[kind].past, plainly[kind].past, kind, e.Obj, t.called(i))
}

// tellsSecond is tells for a step that is compared with another one: a message has its sender.
func (t *teller) tellsSecond(i int) string {
	e := &t.X.Events[i]
	if e.Partner < 0 {
		return t.tells(i)
	}
	if name := t.called(i); isName.MatchString(name) {
		return t.proc(e.Partner) + " received " + t.proc(e.Proc) + "'s " + name
	}
	return t.proc(e.Partner) + " received from " + t.proc(e.Proc)
}

// isName tells a variable from the number of a channel.
var isName = regexp.MustCompile(`^[A-Za-z_]+$`)

// special are events whose objects have no use in a sentence.
func (t *teller) special(i int) (string, bool) {
	e := &t.X.Events[i]
	who := t.proc(e.Proc)
	switch {
	case e.Kind == trace.Fire && e.Op.N == trace.Sleeper:
		return who + " woke up", true
	case e.Kind == trace.Fire:
		return "the timer " + who + " fired", true
	case e.Kind == trace.Recv && e.Closed:
		return who + " found " + t.called(i) + " closed", true
	case e.Kind == trace.WgAdd && e.Op.N < 0:
		return who + " was done with " + t.called(i), true
	case e.Kind == trace.WgAdd:
		return who + " added to " + t.called(i), true
	case (e.Kind == trace.AtomicLoad || e.Kind == trace.AtomicStore) && e.Op.N == trace.Plain:
		return who + " went on", true
	case e.Kind == trace.End && e.Op.N == trace.Ended:
		return who + " ended", true
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

// could is what a process that declared op at a site could not do.
func (t *teller) could(op *trace.Op, site string) string {
	kind, obj := op.Kind, op.Obj
	if kind == trace.Select && len(op.Cases) == 1 && !op.Default {
		kind, obj = op.Cases[0].Kind, op.Cases[0].Obj
	}
	return t.act(tolds[kind].base, plainly[kind].base, kind, obj, t.objectAt(op, site))
}

// objectAt is what the code at a site calls the object of op; else the object's number.
func (t *teller) objectAt(op *trace.Op, site string) string {
	code, kind, obj := t.At.Source(site), op.Kind, op.Obj
	if kind == trace.Select && len(op.Cases) == 1 {
		code, kind, obj = t.At.caseOf(site, 0), op.Cases[0].Kind, op.Cases[0].Obj
	}
	return t.name(operand(code, kind), obj)
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
		{Site(t.X.Sites, i), &e.Op, e.Kind, e.Case}, {Site(t.X.PartnerSites, i), &e.PartnerOp, trace.Recv, e.PartnerCase},
	} {
		if s.site == "" {
			continue
		}
		code := t.At.Source(s.site)
		if s.op.Kind == trace.Select {
			code = t.At.caseOf(s.site, int(s.n))
		}
		if name := operand(code, s.kind); name != "" {
			return t.name(name, e.Obj)
		}
	}
	return t.name("", e.Obj)
}

// variable is an expression that people would say as the name of a variable.
const variable = `([A-Za-z_][\w.]*(?:\[\w+\])?)`

var (
	sends    = regexp.MustCompile(variable + `\s*<-`)
	receives = regexp.MustCompile(`(?:<-|\brange )\s*` + variable + `(?:[^\w.(\[]|$)`)
	closes   = regexp.MustCompile(`\bclose\(` + variable + `\)`)
	methods  = regexp.MustCompile(variable + `\.(?:Lock|Unlock|RLock|RUnlock|TryLock|TryRLock|Wait|Add|Done|Do|Signal|Broadcast|Get|Put|Load|Store|Swap|CompareAndSwap|Go)\(`)
)

// operand is the object of an operation in a line of code; empty: it is not clear which.
func operand(code string, k trace.Kind) string {
	pattern := methods
	switch k {
	case trace.Send:
		pattern = sends
	case trace.Recv:
		pattern = receives
	case trace.Close:
		pattern = closes
	}
	found := ""
	for _, m := range pattern.FindAllStringSubmatch(code, -1) {
		switch {
		case m[1] == "chan": // of a type
		case found != "" && found != m[1]:
			return ""
		default:
			found = m[1]
		}
	}
	return found
}
