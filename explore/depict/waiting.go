package depict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// waiting is the sentence for processes that wait for ever, or panic, if no passing execution is
// known.
func (t *teller) waiting(f *Finding) string {
	if text := t.forEver(f); text != "" && (f.Kind == explore.Deadlock || f.Kind == explore.Leak) {
		return text + "."
	}
	if f.Kind == explore.Livelock {
		return reasons{t}.endless()
	}
	if i, k := (blame{t.names}).closedBefore(); i >= 0 && f.Kind == explore.Panic {
		t.decided(i, k)
		return t.compare(i, k) + ". Then: " + t.ended(f) + "."
	}
	if f.Kind == explore.Panic && t.X.Crash != nil && !t.X.Stuck {
		return t.ended(f) + "."
	}
	return ""
}

// forEver says who waits for what: "a waits to lock mu (x.go:7) and b to send to ch (x.go:9), for
// ever".
func (t *teller) forEver(f *Finding) string {
	const most = 2
	var groups []*waiting
	all, turned := 0, ""
	for _, i := range t.waiters() {
		q := t.X.Blocked[i]
		p := &t.X.Procs[q]
		if t.hides(q) {
			continue
		}
		if !slices.ContainsFunc(f.Processes, func(o Process) bool {
			return o.Path == p.Path && o.State == "blocked"
		}) {
			continue
		}
		what := t.awaits(q, t.blockedSite(i))
		if place := t.At.Line(t.blockedSite(i)); place != "" {
			what += " (" + place + ")"
		}
		why := reasons{t}.whose(q, t.blockedSite(i))
		if all == 0 && (t.decision == nil || t.X.Procs[q].Pending.Kind == trace.WgWait) {
			turned = reasons{t}.turned(q)
		}
		all++
		k := slices.IndexFunc(groups, func(g *waiting) bool { return g.what == what })
		if k < 0 {
			k, groups = len(groups), append(groups, &waiting{what: what, why: why})
		}
		groups[k].who = append(groups[k].who, t.proc(q))
	}
	var parts []string
	and, end := " and ", " for ever"
	for _, g := range groups[:min(most, len(groups))] {
		parts = append(parts, g.String())
		all -= len(g.who)
		end = " for ever"
		if g.why != "" {
			and, end = ", and ", ", for ever"
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case all > 0:
		return strings.Join(parts, ", ") + ", and " + words.Plural(all, "other") + ", for ever"
	}
	return strings.Join(parts, and) + end + turned
}

// waiting are processes that wait for the same at the same place.
type waiting struct {
	who  []string
	what string // "waits to lock mu (x.go:7)"
	why  string // ", which b has locked (x.go:5)"; may be empty
}

// String returns "a waits to lock mu", or "a, b and 3 more wait to lock mu".
func (g *waiting) String() string {
	if len(g.who) == 1 {
		return g.who[0] + " " + g.what + g.why
	}
	what := "wait" + strings.TrimPrefix(g.what, "waits")
	if rest, sleeps := strings.CutPrefix(g.what, "sleeps"); sleeps {
		what = "sleep" + rest
	}
	if n := len(g.who); n > 3 {
		return g.who[0] + ", " + g.who[1] + " and " + strconv.Itoa(n-2) + " more " + what + g.why
	}
	last := len(g.who) - 1
	return strings.Join(g.who[:last], ", ") + " and " + g.who[last] + " " + what + g.why
}

// waiters are indices of Blocked. First come the processes that wait for something that only they
// themselves have, or an ended process. Then come the processes that take part in the decision, or
// wait for a lock that another one has, and then those that have it. Then come others that wait for
// an operation of some process, such as readers behind a writer that waits, and at last those that
// only wait for others to end.
func (t *teller) waiters() []int {
	order := make([]int, len(t.X.Blocked))
	for i := range order {
		order[i] = i
	}
	keepers := reasons{t}.keepers()
	rank := func(i int) int {
		q := t.X.Blocked[i]
		kind := t.X.Procs[q].Pending.Kind
		of, keeps := blame{t.names}.waitsFor(q), slices.Contains(keepers, q)
		switch {
		case blame{t.names}.isOwn(q):
			return -1
		case t.takesPart(q), keeps && of == kind:
			return 0
		case keeps && of != trace.WWait:
			return 1
		case kind == trace.Join || kind == trace.WgWait || kind == trace.Settle:
			return 3
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return order
}

// keepers are the blocked processes that wait for a lock which another blocked one has, and those
// that have it, if no step decides.
func (t reasons) keepers() (all []int32) {
	if t.decision != nil {
		return nil
	}
	for _, q := range t.X.Blocked {
		list, _ := t.blame().blockers(&t.X.Procs[q].Pending)
		for _, b := range list {
			if b.proc != q && slices.Contains(t.X.Blocked, b.proc) {
				all = append(all, q, b.proc)
			}
		}
	}
	return all
}

// waitsFor is the kind of the steps that keep process q waiting: of a reader behind a writer that
// waits itself, that is not its own kind. None: no process is to blame.
func (n blame) waitsFor(q int32) trace.Kind {
	list, of := n.blockers(&n.X.Procs[q].Pending)
	if len(list) == 0 {
		return trace.None
	}
	return of
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
	if text := t.waitsInside(q); text != "" {
		return text
	}
	switch op.Kind {
	case trace.Select:
		if len(op.Cases) != 1 {
			if in := (library{t}).within(q, site); in != "" {
				return "waits" + in
			}
			return "waits in its select" + reasons{t}.cases(op, site)
		}
	case trace.Fire:
		return "sleeps"
	case trace.WgWait, trace.CondWait, trace.Once:
		if isPipe(t.X, op.Obj) {
			return "waits to read from " + t.obj(op.Obj)
		}
		if in := (reasons{t}).forLibrary(q, op, site); in != "" {
			return "waits" + in
		}
		return "waits for " + t.objectAt(op, site)
	case trace.Join:
		return "waits for " + t.joined(op, site) + " to end"
	case trace.Settle:
		return "waits in synctest.Wait"
	}
	return "waits" + library{t}.within(q, site) + " to " + t.could(op, site)
}

// forLibrary says in which call of the library process q, which declared op, waits for a Cond that
// the library alone knows. Empty: it is not so.
func (t reasons) forLibrary(q int32, op *trace.Op, site string) string {
	if op.Kind != trace.CondWait {
		return ""
	}
	return library{t.teller}.within(q, site)
}

// cases says what a select waits for, if the code at a site has a name for each of a few cases:
// " to send to out or receive from done".
func (t reasons) cases(op *trace.Op, site string) string {
	if len(op.Cases) == 0 || len(op.Cases) > 3 {
		return ""
	}
	text, or := " to ", ""
	for i, c := range op.Cases {
		name := operands.Of(t.At.caseOf(site, i), c.Kind)
		if name == "" {
			return ""
		}
		verb := tolds[c.Kind].base
		if _, with, ok := strings.Cut(verb, " "); ok && i > 0 && op.Cases[i-1].Kind == c.Kind {
			verb = with // "receive from a or from b"
		}
		text += or + verb + " "
		if c.Obj < 0 {
			text, or = text+name+", which is nil", ", or "
		} else {
			text, or = text+t.name(name, c.Obj), " or "
		}
	}
	return text
}

// joined names the bubble, the subtest or the object for whose end a process waits at a site.
func (t *teller) joined(op *trace.Op, site string) string {
	switch code := t.At.Source(site); {
	case strings.Contains(code, "synctest.Test("):
		return "its bubble"
	case strings.Contains(code, ".Run("):
		return "its subtest"
	}
	return t.objectAt(op, site)
}

// blockedAt is where process q is blocked; empty: it is not.
func (t *teller) blockedAt(q int32) string {
	if i := slices.Index(t.X.Blocked, q); i >= 0 {
		return t.blockedSite(i)
	}
	return ""
}

// could is what a process that declared op at a site could not do.
func (t *teller) could(op *trace.Op, site string) string {
	o := single(op)
	kind, obj := o.Kind, o.Obj
	verb := tolds[kind].base
	switch {
	case kind == trace.TimerStop:
		return timers{t}.ofTimer("stop ", op)
	case kind == trace.TimerReset:
		return timers{t}.ofTimer("reset ", op)
	case kind == trace.WgAdd && op.N < 0:
		verb = "call Done of"
	case kind == trace.WgAdd:
		verb = "add to"
	}
	name := t.objectAt(op, site)
	if code := t.At.codeOf(op, site); code != "" && obj < 0 {
		return verb + " " + code // a channel that is nil
	}
	return t.act(verb, plainly[kind].base, kind, obj, name)
}

// objectAt is what the code at a site calls the object of op; else the object's number.
func (t *teller) objectAt(op *trace.Op, site string) string {
	obj := single(op).Obj
	code := t.At.codeOf(op, site)
	if _, told := t.aliases[obj]; code == "" && site == "" && obj >= 0 && !told {
		code = reasons{t}.elsewhere(obj)
	}
	return t.name(code, obj)
}
