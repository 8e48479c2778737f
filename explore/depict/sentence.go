package depict

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// mostExplained bounds the executions whose races are looked at for a sentence, in events.
const mostExplained = 4096

// Sentence explains in one sentence why x goes wrong as f says: it names two steps whose order is
// the other way round in the passing execution beside. x must have been run with sites. If no
// passing execution is known, Sentence says what f is about; empty: f says that itself.
//
//	buyer received from free (theatre.go:23) before theatre received main's book; in the passing
//	order after. Then: -1 seats left.
//
// The decision has the two steps; nil: they are not known.
func Sentence(f *Finding, x *trace.Execution, partings []Parting, b *Beside, at *Places) (string,
	*record.Decision) {
	t := &teller{names: NewNames(x, at), objects: map[string]int32{}, aliases: map[int32]string{}}
	text := t.sentence(f, partings, b)
	if t.unclear {
		t.numbered = true
		text = t.sentence(f, partings, b)
	}
	return text, t.decision
}

// Deciding returns the number, from 1, of the step that decides that x goes wrong as f says.
// Without a passing execution that tells, it is the step of a race's second access, or the last
// step of the first blocked process, or the last step of all.
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
		return unordered{t}.race(f)
	}
	if f.Kind == explore.Fail || f.Kind == explore.Panic {
		t.counts = reasons{t}.eventsOf()
		related := func(r depend.Race, all []depend.Race) bool {
			return b != nil && t.reversed(r, b) || blame{t.names}.meet(r, all)
		}
		if w, a := (blame{t.names}).addedLate(related); w >= 0 {
			t.decided(w, a)
			return t.compare(w, a) + "; nothing orders the two. Then: " + t.ended(f) + "."
		}
	}
	if len(partings) == 0 || b == nil || partings[0].Step >= len(t.X.Events) {
		if f.Kind == explore.Race && f.Message == trace.AddBesideWait {
			return unordered{t}.addedBeside()
		}
		if text := (unordered{t}).raced(f); text != "" {
			return text
		}
		return t.waiting(f)
	}
	return t.decides(partings[0], b) + " Then: " + t.ended(f) + "."
}

// panics says who panics, and where: "a panics (x.go:7): ".
func (t reasons) panics() string {
	c := t.X.Crash
	if c == nil || t.X.Stuck {
		return "panic: "
	}
	return t.proc(c.Proc) + " panics" + t.At.inBrackets(crashSite(c, t.At)) + ": "
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
	text = strings.TrimRight(words.Cut(words.Gist(text), 120), ".:")
	if text == "" {
		text = "the test fails"
	}
	if f.Kind == explore.Panic {
		return reasons{t}.panics() + text + reasons{t}.closed()
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return "the test fails: " + text
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

// proc is what sentences call a process: timers are named by the code that makes them.
func (t *teller) proc(p int32) string {
	name := t.names.proc(p)
	if !t.isTimer(p) {
		return name
	}
	text := timers{t}.timerName(p)
	if text == "" {
		return "the " + name
	}
	for q := range t.X.Procs {
		if q := int32(q); q != p && t.isTimer(q) && (timers{t}).timerName(q) == text {
			return text + " [" + name + "]"
		}
	}
	return text
}

// decides says which two steps decide.
func (t *teller) decides(p Parting, b *Beside) string {
	t.counts = reasons{t}.eventsOf()
	e := &t.X.Events[p.Step]
	if p.Value != "" && e.Kind == p.Instead.Kind && t.X.Procs[e.Proc].Path == p.Instead.Proc {
		return t.proc(e.Proc) + " " + t.did(p.Step) + t.placeOf(p.Step) +
			"; in the passing order it " +
			p.Value + "."
	}
	if i, k, ok := t.unawaited(b); ok {
		t.decided(i, k)
		return t.compare(i, k) + "; in the passing order after."
	}
	if r, ok := t.swapped(p, b); ok {
		t.decision = &record.Decision{First: r.First, Second: r.Second, Proc: r.Proc,
			Object: t.object(r.Object), Rule: r.Rule}
		after := "after"
		if t.beside(int(r.First), b) < 0 { // it is not done there
			after = t.proc(r.Proc) + " came first"
		}
		return t.pair(r.First, r.Second, r.Proc, p) + "; in the passing order " + after + "."
	}
	return t.parted(p, b)
}

// eventsOf returns the events of each process.
func (t reasons) eventsOf() [][]int32 {
	of := make([][]int32, len(t.X.Procs))
	for i := range t.X.Events {
		for _, q := range parties(&t.X.Events[i]) {
			of[q] = append(of[q], int32(i))
		}
	}
	return of
}

// decided notes the two steps that decide.
func (t *teller) decided(first, second int) {
	t.decision = &record.Decision{First: int32(first), Second: int32(second),
		Proc: t.X.Events[second].Proc}
}

// unawaited returns a signal of a condition, and the step by which somebody begins to wait for it,
// too late: in the passing execution the wait comes first.
func (t *teller) unawaited(b *Beside) (signal, begin int, ok bool) {
	for _, q := range t.X.Blocked {
		i, k := blame{t.names}.missed(q)
		r := depend.Race{First: int32(i), Second: int32(k), Proc: q}
		if i >= 0 && t.reversed(r, b) {
			return i, k, true
		}
	}
	return -1, -1, false
}

// swapped returns the race that decides step p.Step: among the races that are reversed in the
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
		if rank == 0 || !t.reversed(r, b) ||
			r.Second < 0 && t.X.Procs[r.Proc].Pending.Kind == trace.None { // a timer was called off
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

// reversed reports whether the second event of a race comes first in the passing execution: before
// the race's first event, or before the event that takes its place in the same process.
func (t *teller) reversed(r depend.Race, b *Beside) bool {
	first := t.beside(int(r.First), b)
	if p := t.X.Events[r.First].Proc; first < 0 {
		n, _ := slices.BinarySearch(t.counts[p], r.First)
		if first = b.next(t.X.Procs[p].Path, n); first >= 0 {
			first++ // that may be the second of the race itself: a rendezvous of both
		}
	}
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
func (t *teller) pair(first, second, q int32, p Parting) string {
	if second < 0 {
		return t.tells(int(first)) + reasons{t}.under(int(first)) + t.placeOf(int(first)) +
			reasons{t}.beforeIt(q, p)
	}
	return t.compare(int(first), int(second))
}

// compare says that event i came before event k. Of two messages to one process, it names the
// senders.
func (t *teller) compare(i, k int) string {
	a, b := &t.X.Events[i], &t.X.Events[k]
	if a.Partner >= 0 && a.Partner == b.Partner && a.Proc != b.Proc {
		return t.proc(a.Partner) + " received from " + t.proc(a.Proc) + t.placeOf(i) +
			" before it received from " + t.proc(b.Proc)
	}
	place := t.placeOf(i)
	if text := (reasons{t}).between(i, k); text != "" {
		return text
	}
	if text := (reasons{t}).meanwhile(i, k); text != "" {
		return text
	}
	first, then := t.tellsFirst(i), t.tellsSecond(k, i)
	for _, q := range parties(b) {
		if who := t.proc(q) + " "; strings.HasPrefix(first, who) && strings.HasPrefix(then, who) {
			then = "it " + then[len(who):]
		}
	}
	text := first + reasons{t}.under(i) + place + reasons{t}.panicked(i) + " before " + then +
		reasons{t}.under(k)
	if second := t.placeOf(k); place == "" || second != place && !ofChannel(&t.X.Events[k]) {
		return text + second
	}
	return text
}

// ofChannel reports whether e is about a channel: its name says more than its place.
func ofChannel(e *trace.Event) bool { return e.Kind.Operation().Class == trace.Channel }

// between says that process a has taken a lock between two times that process b has taken it: what
// b has seen the first time need not hold the second time. Empty: it is not so.
func (t reasons) between(i, k int) string {
	a, b := &t.X.Events[i], &t.X.Events[k]
	if a.Kind != b.Kind || a.Kind != trace.Lock && a.Kind != trace.WLock || a.Obj != b.Obj {
		return ""
	}
	takes := func(e *trace.Event) bool {
		return e.Obj == b.Obj && (e.Kind == b.Kind || e.Kind == trace.RLock)
	}
	for j := i - 1; j >= 0; j-- {
		e := &t.X.Events[j]
		if !takes(e) || e.Proc == a.Proc {
			continue
		}
		if e.Proc == b.Proc && t.placeOf(j) != "" {
			return t.tells(i) + t.under(i) + t.placeOf(i) + " between " + t.proc(b.Proc) + "'s " +
				t.sections(j, k)
		}
		return ""
	}
	return ""
}

// sections names two sections of a lock, which begin at events j and k.
func (t reasons) sections(j, k int) string {
	first, second := t.under(j)+t.placeOf(j), t.under(k)+t.placeOf(k)
	if first == second {
		return "two turns with it" + first
	}
	return "two turns with it" + first + " and" + second
}

// under says for which statement event i takes a lock: " for `n++`". Empty: it takes none, or that
// is not clear.
func (t reasons) under(i int) string {
	if t.delivery(i) != "" {
		return ""
	}
	return t.underAt(Site(t.X.Sites, i), t.X.Events[i].Kind)
}

// underAt is under for an operation of a kind at a site.
func (t reasons) underAt(site string, k trace.Kind) string {
	s := t.At.underLock(site)
	if k != trace.Lock && k != trace.WLock && k != trace.RLock || s == "" {
		return ""
	}
	return " for `" + s + "`"
}

// parted says what was done where the passing execution did something else.
func (t *teller) parted(p Parting, b *Beside) string {
	for i := p.Step + 1; i < len(t.X.Events); i++ {
		if e := &t.X.Events[i]; t.X.Procs[e.Proc].Path == p.Instead.Proc &&
			trace.ChoiceOf(e, t.X.Procs) == p.Instead {
			t.decision = &record.Decision{First: int32(p.Step), Second: int32(i), Proc: e.Proc}
			return t.compare(p.Step, i) + "; in the passing order after."
		}
	}
	if i, k := (blame{t.names}).closedBefore(); i >= 0 {
		t.decided(i, k)
		if text := t.compare(i, k); t.beside(k, b) < 0 {
			return text + "; in the passing order " + t.proc(t.X.Events[k].Proc) + " does not do that."
		}
	}
	for q := range t.X.Procs {
		o, path := &t.X.Procs[q], t.X.Procs[q].Path
		if path == p.Instead.Proc && o.Pending.Kind == p.Instead.Kind && !o.Ended &&
			o.Pending.Obj >= 0 && o.Pending.Obj == t.X.Events[p.Step].Obj {
			t.decision = &record.Decision{First: int32(p.Step), Second: -1, Proc: int32(q)}
			return t.tells(p.Step) + t.placeOf(p.Step) + reasons{t}.beforeIt(int32(q), p) +
				"; in the passing order " + t.proc(int32(q)) + " came first."
		}
	}
	if text := (reasons{t}).dropped(p); text != "" {
		return text
	}
	i := reasons{t}.own(p)
	return t.tells(i) + t.placeOf(i) + reasons{t}.leaving(p, i) + "; in the passing order " +
		t.instead(p, i) + "."
}

// leaving says how many values a select leaves in the channel from which it received in the passing
// execution.
func (t reasons) leaving(p Parting, i int) string {
	e, c := &t.X.Events[i], &p.Instead
	if c.Kind != trace.Select || c.Proc != t.X.Procs[e.Proc].Path || e.Op.Kind != trace.Select ||
		c.Case < 0 || int(c.Case) >= len(e.Op.Cases) {
		return ""
	}
	left, from := 0, e.Op.Cases[c.Case]
	for k := range t.X.Events[:i] {
		switch o := &t.X.Events[k]; {
		case o.Obj != from.Obj || o.Partner >= 0 || o.Closed:
		case o.Kind == trace.Send:
			left++
		case o.Kind == trace.Recv:
			left--
		}
	}
	if from.Kind != trace.Recv || left <= 0 {
		return ""
	}
	name := t.name(operands.Of(t.At.caseOf(p.Site, int(c.Case)), trace.Recv), from.Obj)
	return ", with " + words.Plural(left, "value") + " left in " + name
}

// own is the event to name for a parting: its step, unless the step is inside the library, such as
// a lock that a timer takes. Then the process that went on in the passing execution is told of: its
// next event, if that is in the program's own code.
func (t reasons) own(p Parting) int {
	if Site(t.X.Calls, p.Step) == "" {
		return p.Step
	}
	for i := p.Step + 1; i < len(t.X.Events); i++ {
		for _, q := range parties(&t.X.Events[i]) {
			if path := t.X.Procs[q].Path; (path == p.Instead.Partner || path == p.Instead.Proc) &&
				Site(t.X.Calls, i) == "" {
				return i
			}
		}
	}
	return p.Step
}

// instead says what was done in the passing execution for which event i is told of.
func (t *teller) instead(p Parting, i int) string {
	c, e := &p.Instead, &t.X.Events[i]
	kind, code := c.Kind, t.At.Source(p.Site)
	if c.Kind == trace.Select {
		code = t.At.caseOf(p.Site, int(c.Case))
		kind = operands.KindOfCase(code, c.Case)
	}
	name, place := operands.Of(code, kind), t.At.inBrackets(p.Site)
	subject, who := e.Proc, c.Proc
	if e.Partner >= 0 {
		subject = e.Partner
	}
	did := t.X.Procs[subject].Path
	if c.Partner != "" && who != did { // of a rendezvous, the receiver is told of
		who, kind, place = c.Partner, trace.Recv, ""
	}
	text, timer := "it", false
	if who != did {
		text = who
		for q := range t.X.Procs {
			if t.X.Procs[q].Path == who {
				text, timer = t.proc(int32(q)), t.isTimer(int32(q))
			}
		}
	}
	if timer && kind == trace.Fire {
		return text + " fired first" + place
	}
	if e.Kind == kind && who == did && chooses(kind) {
		return text + " chose otherwise"
	}
	if kind == trace.WgAdd && name != "" {
		if strings.Contains(code, ".Done()") {
			return text + " called Done of " + name + place
		}
		return text + " added to " + name + place
	}
	if who != did {
		place += " first"
	}
	switch told, plain := tolds[kind].past, plainly[kind].past; {
	case told != "" && name != "":
		return text + " " + told + " " + name + place
	case plain != "":
		return text + " " + plain + place
	}
	return text + " went on there" + place
}

// placeOf is the place of event i, in brackets: of a rendezvous, that of the receiver, as it is the
// one that sentences tell of.
func (t *teller) placeOf(i int) string {
	if t.delivery(i) != "" {
		return "" // inside the library
	}
	site := Site(t.X.Sites, i)
	if t.X.Events[i].Partner >= 0 {
		site = cmp.Or(Site(t.X.PartnerSites, i), site)
	}
	return t.At.inBrackets(site)
}

// inBrackets is a site as it stands behind what was done there; "" for "".
func (p *Places) inBrackets(site string) string {
	if place := p.Line(site); place != "" {
		return " (" + place + ")"
	}
	return ""
}
