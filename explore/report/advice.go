package report

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// An incomplete test has covered something, and something keeps it from being complete. The report
// tells both from a few executions, which are spread over the search. Its statements are true of
// these executions; others may have more of the same.

// spot is a kind of operation at a place.
type spot struct {
	kind  trace.Kind
	place string
	poll  string // how it polls; empty: it does not
	most  int    // in one execution
	procs int    // goroutines that did it, in one execution
	who   string // the function of one of them
}

// count adds the operations of an execution.
func (f *Filling) count(c *depict.Explanation) {
	x := c.X
	type key struct {
		kind        trace.Kind
		place, poll string
	}
	times, procs, waits := map[key]int{}, map[key]map[int32]bool{}, polling{}
	var order []key
	note := func(k key, p int32) {
		if times[k]++; times[k] == 1 {
			order, procs[k] = append(order, k), map[int32]bool{}
		}
		procs[k][p] = true
	}
	for i := range x.Events {
		e := &x.Events[i]
		poll := ""
		if waits.repeats(e) {
			poll = pollOf(e)
		}
		note(key{e.Kind, c.At.Line(depict.Site(x.Sites, i)), poll}, e.Proc)
		if e.Partner >= 0 {
			note(key{e.PartnerOp.Kind, c.At.Line(depict.Site(x.PartnerSites, i)), ""}, e.Partner)
		}
	}
	for _, k := range order {
		i := slices.IndexFunc(f.spots, func(s spot) bool {
			return s.kind == k.kind && s.place == k.place && s.poll == k.poll
		})
		if i < 0 {
			i = len(f.spots)
			f.spots = append(f.spots, spot{kind: k.kind, place: k.place, poll: k.poll})
		}
		s := &f.spots[i]
		s.most, s.procs = max(s.most, times[k]), max(s.procs, len(procs[k]))
		for p := range x.Procs {
			if procs[k][int32(p)] {
				s.who = x.Procs[p].Name
				break
			}
		}
	}
}

// polling has, by process, the idle steps that it has made since it last did anything else.
type polling map[int32]map[polled]bool

// polled tells idle steps of a process apart.
type polled struct {
	kind trace.Kind
	obj  int32
}

// repeats reports whether e repeats an idle step with only idle steps between. A process that looks
// at something once in each round of a loop, and does other things there, does not poll.
func (w polling) repeats(e *trace.Event) bool {
	if !e.Idle() || e.Partner >= 0 {
		delete(w, e.Proc)
		return false
	}
	if w[e.Proc] == nil {
		w[e.Proc] = map[polled]bool{}
	}
	step := polled{e.Kind, e.Obj}
	before := w[e.Proc][step]
	w[e.Proc][step] = true
	return before
}

// pollOf says how an event polls in vain; empty if it does not.
func pollOf(e *trace.Event) string {
	switch e.Kind {
	case trace.Default:
		return "select with default in a loop"
	case trace.TryLock, trace.WTryLock, trace.RTryLock:
		if !e.OK {
			return "TryLock in a loop"
		}
	case trace.Yield:
		return "runtime.Gosched in a loop"
	case trace.AtomicLoad:
		if !e.Op.IsPlain() {
			return "atomic load in a loop"
		}
	}
	return ""
}

// seen counts the pair of lines of a race, and remembers in which order it came. Of two steps of
// one line, the order is that of the goroutines.
func (f *Filling) seen(first, second string, reversed bool) {
	if first > second {
		first, second, reversed = second, first, !reversed
	}
	order := 1
	if reversed {
		order = 2
	}
	if f.orders == nil {
		f.orders = map[[2]string]int{}
	}
	f.orders[[2]string{first, second}] |= order
}

// conclude counts the pairs of lines.
func (f *Filling) conclude() {
	f.Lines, f.Both = len(f.orders), 0
	for _, order := range f.orders {
		if order == 3 {
			f.Both++
		}
	}
}

// covered says what an incomplete search has covered; empty if there is nothing to say.
func (f *Filling) covered(r *Test) string {
	var parts []string
	if f.Lines > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s of lines seen in both orders, in %s", f.Both,
			words.Plural(f.Lines, "racing pair"), words.Plural(f.Executions, "execution")))
	}
	if done := float64(r.Executions - r.Sampled); r.Total > done && done > 0 &&
		r.Spread < worthless {
		parts = append(parts, fmt.Sprintf("%s of about %s executions (within a factor of %s)",
			percent(done/r.Total), roughly(r.Total), factor(r.Spread)))
	}
	return strings.Join(parts, "; ")
}

func percent(share float64) string {
	switch p := 100 * share; {
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return "less than 0.01 %"
}

// Bounds from which on something is taken for the cause.
const (
	longExecution = 20_000      // steps
	slowExecution = time.Second // for one execution
	manyPolls     = 50          // in one execution
)

// advise says in a line what keeps a test from being complete, and what helps; empty if it does not
// know.
func (f *Filling) advise(r *Test) string {
	for _, advice := range []func(*Test) string{
		f.behind, f.counts, f.polls, f.long, f.locks, f.others,
	} {
		if text := advice(r); text != "" {
			return text
		}
	}
	return ""
}

// behind is for a test that leaves a timer behind which fires again and again.
func (f *Filling) behind(r *Test) string {
	for _, l := range r.Cut {
		if strings.HasPrefix(l.What, trace.Afterwards) && len(l.Places) > 0 {
			return fmt.Sprintf(
				"a timer of %s fires on after the test has returned: stop it, and what waits for it, "+
					"at the end of the test", path.Base(l.Places[0]))
		}
	}
	return ""
}

// counts is for a test that goes round a counting loop beyond the bound on steps.
func (f *Filling) counts(r *Test) string {
	for _, l := range r.Cut {
		if l.What == trace.GetsOn && len(l.Places) > 0 {
			return fmt.Sprintf(
				"the loop at %s had not come to its end after %s: let it make fewer rounds, or raise "+
					"-max-steps", path.Base(l.Places[0]), words.Plural(r.MaxDepth, "step"))
		}
	}
	return ""
}

func (f *Filling) polls(*Test) string {
	s := f.top(func(s *spot) bool { return s.poll != "" && s.most >= manyPolls })
	if s == nil || s.most < f.steps/10 {
		return ""
	}
	return fmt.Sprintf("an execution polls %s at %s, in %s (%s): let it wait, or lower -max-spins",
		atLeast(f.cut, words.Plural(s.most, "time")), s.place, s.who, s.poll)
}

func atLeast(cut bool, text string) string {
	if cut {
		return "at least " + text
	}
	return text
}

func (f *Filling) long(r *Test) string {
	runs := r.Executions + r.Blocked
	each := r.Result.Elapsed / time.Duration(max(runs, 1))
	s := f.top(func(*spot) bool { return true })
	if s == nil || each < slowExecution && (r.MaxDepth < longExecution || runs > 1000) && runs > 0 {
		return ""
	}
	more := ""
	if runs == 0 {
		more = "more than "
	}
	return fmt.Sprintf(
		"one execution takes %s%v: %s%s, most of them in %s at %s; let the test do less, or use -short",
		more, words.Rounded(each), more,
		words.Plural(max(r.MaxDepth, r.Unfinished, f.steps), "step"),
		s.who, s.place)
}

// top returns the spot with the most operations in one execution, of some.
func (f *Filling) top(is func(*spot) bool) (top *spot) {
	for i := range f.spots {
		if s := &f.spots[i]; is(s) && (top == nil || s.most > top.most) {
			top = s
		}
	}
	return top
}

// spotOf finds the spot of one end of a pair.
func (f *Filling) spotOf(p *FillingPair) *spot {
	first, _, _ := strings.Cut(p.First, " to ")
	return f.top(func(s *spot) bool { return operationOf(s.kind, s.place) == first })
}

func (f *Filling) locks(r *Test) string {
	if len(f.Pairs) == 0 {
		return ""
	}
	s := f.spotOf(&f.Pairs[0])
	if s == nil || s.procs < 2 ||
		!strings.HasPrefix(f.Pairs[0].First, "lock ") &&
			!strings.HasPrefix(f.Pairs[0].First, "rlock ") {
		return ""
	}
	text := fmt.Sprintf("%s lock at %s", words.Plural(s.procs, "goroutine"), s.place)
	for _, l := range r.Sections {
		mu, place, _ := strings.Cut(l.Lock, " at ")
		if place != s.place {
			continue
		}
		text = fmt.Sprintf("%s lock %s at %s", words.Plural(s.procs, "goroutine"), mu, s.place)
		switch {
		case len(l.Contended) > 0:
			text += "; their sections do not commute because of " + Shortly(l.Contended)
		case len(l.Ordinary) > 0:
			text += "; their sections keep their order: " + Shortly(l.Ordinary)
		}
	}
	return text + "; fewer of them make the search smaller"
}

// Shortly is a list of two at most: of more, it has the first, and how many there are.
func Shortly(list []string) string {
	if n := len(list); n > 2 {
		return fmt.Sprintf("%s and %d more", list[0], n-1)
	}
	return strings.Join(list, ", ")
}

func (f *Filling) others(r *Test) string {
	if len(f.Pairs) == 0 {
		return ""
	}
	p := &f.Pairs[0]
	s := f.spotOf(p)
	if s == nil || s.procs < 2 {
		return fmt.Sprintf(
			"most of all, %s and %s have an order (%s); fewer of them make the search smaller",
			p.First,
			p.Second, p.Rule)
	}
	help := "fewer of them make the search smaller"
	if s.kind == trace.Send && r.Model == "go" {
		help = "fewer of them, or -independence equal,commute if the receiver only adds up, make the search smaller"
	}
	return fmt.Sprintf("%s %s at %s; each order of them counts; %s",
		words.Plural(s.procs, "goroutine"), operationOf(s.kind, ""), s.place, help)
}

// operationOf describes operations of a kind at a place.
func operationOf(k trace.Kind, place string) string {
	if k == trace.WLock { // to want a lock and to get it are two steps, and one thing for people
		k = trace.WWait
	}
	words := []string{Verb(k)}
	if c := k.Operation().Class; c != trace.Nameless {
		words = append(words, string(c))
	} else if k == trace.Fire {
		words = append(words, "timer")
	}
	if place != "" {
		words = append(words, place)
	}
	return strings.Join(words, " ")
}

// coverage prints what an incomplete search has covered, and what helps.
func (t *Text) coverage(r *Test) {
	f := r.Filling
	if f == nil || r.Complete {
		return
	}
	if text := f.covered(r); text != "" {
		t.printf("    covered  %s\n", text)
	}
	if f.Advice != "" {
		t.printf("    advice   %s\n", f.Advice)
	}
}
