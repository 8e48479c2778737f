// Package race explores by race variants: G. Vidal, "Computing Race Variants in Message-Passing
// Concurrent Programming with Selective Receives", FORTE 2022. The search has no tree. An execution
// is a trace, and each message race in it gives a variant: the prefix of another trace. The variant
// drives an execution that goes on freely after it; and so on, until there is no new variant.
//
//	paper                                here
//	pid p, tag l                         names, trace.Message
//	trace                                vidalTrace
//	rec(l, cs)                           an event with a message that it Takes; cs is its Op
//	match(v, cs) (section 3)             vidalTrace.mailboxes
//	happened-before (Def. 2)             depend.Order.Before
//	race_set(l) (Def. 8)                 vidalTrace.raceSet
//	rdep, variant(l, l') (Def. 9)        vidalTrace.rdep, variant
//	orphan message (Example 4)           Orphans
//	subtrace of a trace (Def. 6)         Search.known, in part: see below
//
// Deviations.
//   - The constraint of a Go receive is the mailbox from which it receives, or those of the open
//     cases of a select; it does not depend on values. So an alternative is in a race: a message,
//     and the case that takes it.
//   - Condition 3 of Def. 8, that no older message of the same sender is there, is for -model
//     pairs; under actor it does not apply.
//   - Real processes do more than spawn, send and receive. Their other steps are part of the trace,
//     and happen before the events that depend on them. As long as none of them is in a race, they
//     follow from the order of the receives, as the paper assumes; otherwise the search is Partial.
//   - A variant of an execution that crashed or exited: the last event is left out, and another
//     process moves instead.
//   - The paper keeps traces. The search keeps hashes of variants: of those that were run and, for
//     each execution, of those from which it goes on. The latter have, for a receive, all events
//     that do not happen after it, and then this receive. A variant that is known is not run. So
//     some variants are run that are prefixes of a trace that was run already: those executions are
//     redundant, and counted as executions, not as traces. See TestRaceSubjects for how many.
//
// Why nothing is lost. Let t be a trace that was run and w a trace of the program. Let c be what
// they have in common, and e the first event of w beyond c, of process p. In t, p goes on in
// another way. If p only sends, it does so in both; so it receives. If p gets another message in t
// than in w, the message of w was sent in c, and races: the variant has all of c, and e. If p waits
// for ever in t, so it does in w. With each step t and w have more in common.
//
// LIMITS: memory is bounded, see MaxKnown and MaxWaiting; Partial says so when a variant was
// dropped.
package race

import (
	"fmt"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// MaxKnown bounds the variants whose hashes are remembered, MaxWaiting the bytes of those that are
// to be run.
var MaxKnown, MaxWaiting = 1 << 20, 64 << 20

// Search is the strategy. See New.
type Search struct {
	order  depend.Order
	trace  vidalTrace
	names  search.Names
	fair   explore.Fair
	first  search.First // where the variant does not drive
	fresh  bool         // nothing has run yet
	script []search.Label
	alts   []trace.Alt // of the last state
	run    []trace.Alt // the choices whose events order has

	waiting []variant       // the last one is run first
	known   map[uint64]bool // variants by hash; true: no need to run it any more
	weight  int             // bytes of waiting

	gap     *explore.Refusal // something else than messages was in a race
	orphans explore.Orphans
	dropped bool // a variant was, for there were too many
	long    bool // some execution was longer than depend.MaxEvents
	spun    bool // something was held back because its process polls
}

// variant is a race variant: the events that are kept of an execution, and the receive after them.
type variant struct {
	of   *performed
	keep []uint64 // a bit for each event of it
	next search.Label
	key  uint64
}

// performed is an execution that has variants.
type performed struct {
	choices []search.Label // empty if it has no variants
	events  int
	left    int // variants that wait
}

// New returns the strategy before its first execution. A nil order is lca. With it, fewest
// executions are redundant: the process that is started last goes as far as it can before others
// see its messages.
func New(order search.Order) *Search {
	if order == nil {
		order = search.ByCreation(-1)
	}
	r := &Search{fresh: true, known: map[uint64]bool{}, first: search.First{Order: order}}
	// nobody waits for ever, and the order of steps that are in no race does not matter
	r.fair.Patience = math.MaxInt32
	return r
}

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (r *Search) SetSpins(n int) { r.fair.Bound = n }

// Begin implements explore.Strategy.
func (r *Search) Begin() bool {
	r.fair.Reset()
	r.script = r.script[:0]
	if r.fresh {
		r.fresh = false
		return true
	}
	for len(r.waiting) > 0 {
		if v := r.pop(); !r.known[v.key] {
			r.known[v.key] = true
			r.drive(v)
			return true
		}
	}
	return false
}

// drive makes v drive the next execution.
func (r *Search) drive(v variant) {
	depend.Each(v.keep, func(k int32) bool {
		r.script = append(r.script, v.of.choices[k])
		return true
	})
	r.script = append(r.script, v.next)
}

// Choose implements explore.Strategy.
func (r *Search) Choose(s *trace.State) int {
	r.names.See(s.Events, len(s.Procs))
	r.fair.See(s)
	i := 0
	if s.Depth < len(r.script) {
		if i = r.again(s); i < 0 {
			return -1
		}
	} else {
		i = r.first.Of(s, func(i int) bool {
			waits := r.fair.Waits(&s.Alts[i])
			r.spun = r.spun || waits
			return waits
		})
	}
	r.watch(s, i)
	r.alts = append(r.alts[:0], s.Alts...)
	return i
}

// again returns the choice of the script. If there is no such alternative, that is the program's
// fault, unless the order of other events is known to matter: then the execution is cut off.
func (r *Search) again(s *trace.State) int {
	want, ok := r.names.Alt(r.script[s.Depth])
	i := slices.Index(s.Alts, want)
	if ok && i >= 0 {
		return i
	}
	if r.gap == nil {
		panic(explore.Mismatch{Depth: s.Depth,
			Want: fmt.Sprintf("process %d moves (%+v)", want.Proc,
				want), Got: search.DescribeAll(s)})
	}
	return -1
}

// watch looks for alternatives of s to alternative i that are no messages.
func (r *Search) watch(s *trace.State, i int) {
	if a := s.Alts[i]; slices.ContainsFunc(s.Alts, func(b trace.Alt) bool {
		mail := a.Takes.Number > 0 && b.Takes.Number > 0
		return b != a && !mail && (b.Involves(a.Proc) || a.Partner >= 0 && b.Involves(a.Partner))
	}) {
		r.note(s.Depth, "a %v has a choice that is none of messages", s.Procs[a.Proc].Kind)
	}
	if last := s.Alts[len(s.Alts)-1]; len(s.Alts) > 1 && s.Procs[last.Proc].Kind.Late() {
		r.note(s.Depth, "a timer may fire while others can move")
	}
}

// note keeps the first reason why the search is not complete: step of this execution.
func (r *Search) note(step int, format string, args ...any) {
	if r.gap == nil {
		r.gap = &explore.Refusal{Step: step,
			Why: "-strategy race varies the order of messages and nothing else, and here " +
				fmt.Sprintf(format, args...) + "; -strategy dpor varies all"}
	}
}

// End implements explore.Strategy.
func (r *Search) End(x *trace.Execution) {
	if x.End != trace.Cut {
		r.order.Rewind(r.common(x))
		r.vet(x)
		r.trace.read(&r.order, x)
		r.noteOrphans(x)
		r.findVariants(x)
	}
	if r.gap != nil && r.gap.Choices == nil {
		r.gap.Choices = explore.Choices(x)
		if r.gap.Step >= len(x.Events) {
			r.gap.Step = -1
		}
	}
}

// common returns how many events of x order has, and takes its choices down.
func (r *Search) common(x *trace.Execution) int {
	n := 0
	for n < len(r.run) && n < len(x.Events) && r.run[n] == x.Events[n].Alt {
		n++
	}
	r.run = r.run[:n]
	for k := n; k < len(x.Events); k++ {
		r.run = append(r.run, x.Events[k].Alt)
	}
	return n
}

// vet notes the races of x in which something else than a delivery is.
func (r *Search) vet(x *trace.Execution) {
	r.long = r.long || len(x.Events) > depend.MaxEvents
	deliveries.OtherRaces(&r.order, x, takesMessage, r.note)
	if search.Final(x) && len(x.Events) > 0 && len(x.Events) <= depend.MaxEvents {
		deliveries.LateLogs(&r.order, x, int32(len(x.Events)-1), r.note)
	}
}

// takesMessage reports whether e received a message. In a select it may have waited for something
// else, too; that is in a race of its own if it matters.
func takesMessage(e *trace.Event) bool { return e.Takes.Number > 0 }

// findVariants adds the variants of x, all of whose own beginnings are known now.
func (r *Search) findVariants(x *trace.Execution) {
	t := &r.trace
	all := &performed{events: int(t.n)}
	for i := range t.n {
		e := &x.Events[i]
		if e.Takes.Number == 0 {
			continue
		}
		kept := t.keptHash(i)
		r.cover(kept + hashOfLabel(r.names.Label(e.Alt)))
		keep := []uint64(nil)
		for _, a := range t.raceSet(i) {
			next := r.names.Label(a)
			key := kept + hashOfLabel(next)
			if !r.isNew(key) {
				continue
			}
			if keep == nil {
				keep = t.rdep(i)
			}
			r.add(variant{all, keep, next, key})
		}
	}
	if search.Final(x) && t.n > 0 && int(t.n) == len(x.Events) {
		r.varyEnd(x, all)
	}
	if all.left > 0 {
		for k := range t.n {
			all.choices = append(all.choices, r.names.Label(x.Events[k].Alt))
		}
	}
}

// varyEnd adds the alternatives of other processes in the place of the event that ended x.
func (r *Search) varyEnd(x *trace.Execution, all *performed) {
	t := &r.trace
	end := &x.Events[t.n-1]
	for _, a := range r.alts {
		if a.Involves(end.Proc) || end.Partner >= 0 && a.Involves(end.Partner) {
			continue
		}
		next := r.names.Label(a)
		if key := t.keptHash(t.n-1) + hashOfLabel(next); r.isNew(key) {
			r.add(variant{all, t.rdep(t.n - 1), next, key})
		}
	}
}

// isNew reports whether a variant with this hash has to be run.
func (r *Search) isNew(key uint64) bool {
	_, is := r.known[key]
	return !is
}

// cover takes down that an execution goes on from a variant.
func (r *Search) cover(key uint64) {
	if !r.isNew(key) || len(r.known) < MaxKnown {
		r.known[key] = true
	}
}

// add adds a variant that is to be run.
func (r *Search) add(v variant) {
	if len(r.known) >= MaxKnown || r.weight >= MaxWaiting {
		r.dropped = true
		return
	}
	r.known[v.key] = false
	r.waiting = append(r.waiting, v)
	r.weight += v.weight()
	v.of.left++
}

// pop takes the variant that comes next.
func (r *Search) pop() variant {
	last := len(r.waiting) - 1
	v := r.waiting[last]
	r.waiting[last] = variant{}
	r.waiting = r.waiting[:last]
	v.of.left--
	r.weight -= v.weight()
	return v
}

// weight returns about how many bytes v needs. Those of the execution count if no other variant of
// it waits.
func (v *variant) weight() int {
	const perVariant, perWord, perEvent = 128, 8, 28
	if v.of.left > 0 {
		return perVariant + perWord*len(v.keep)
	}
	return perVariant + perWord*len(v.keep) + perEvent*v.of.events
}

// noteOrphans counts x if it has orphan messages.
func (r *Search) noteOrphans(x *trace.Execution) {
	if x.End != trace.Quiet {
		return
	}
	if m := r.trace.orphan(); m != nil {
		if r.orphans.Executions++; r.orphans.Executions == 1 {
			r.orphans.Choices, r.orphans.Step = explore.Choices(x), int(m.send)
		}
	}
}

// leftOut says what had to be left out; empty: nothing.
func (r *Search) leftOut() string {
	switch {
	case r.gap != nil:
		return r.gap.Why
	case r.dropped:
		return fmt.Sprintf(
			"of the race variants, only %d are remembered, and only %d MB of those that are to be run",
			MaxKnown, MaxWaiting>>20)
	case r.long:
		return fmt.Sprintf("of an execution, only the order of the first %d events is varied",
			depend.MaxEvents)
	}
	return search.SpinBound(r.spun, &r.fair)
}

// Last implements explore.Strategy.
func (r *Search) Last() explore.Last { return explore.Last{Hash: r.order.Hash(), Hashed: true} }

// Summary implements explore.Strategy.
func (r *Search) Summary() explore.Summary {
	return explore.Summary{Partial: r.leftOut(), Planned: len(r.waiting), Gap: r.gap,
		Orphans: r.orphans}
}
