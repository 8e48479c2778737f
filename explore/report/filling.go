package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Filling lists pairs of operations in a race that fill the tree of a search: the search has to
// reverse each of these races. They are counted in a few of its executions, which are spread over
// the search.
type Filling struct {
	Executions int // that were looked at
	Reversals  int // races in them
	Pairs      []FillingPair
	Lines      int // pairs of source lines that are in a race in them
	Both       int // of these, those that came in both orders
	// what keeps the search from being complete, and what helps
	Advice string `json:",omitempty"`

	spots []spot // what was done most
	steps int    // of the longest of the executions
	cut   bool   // not all steps of that were looked at
	// of pairs of lines: 1 if they came in the order of their names, 2 if in the other one, 3 if in
	// both
	orders map[[2]string]int
}

// FillingPair is a pair of operations.
type FillingPair struct {
	First, Second string // operation and place: "lock mu cache.go:40"
	Rule          string // why their order matters
	Count         int    // races
}

// Look adds what x has, which was run with sites.
func (f *Filling) Look(x *trace.Execution, at *depict.Places) {
	c := depict.NewExplanation(x, at)
	f.Executions++
	f.steps = max(f.steps, len(x.Events))
	f.count(c)
	reversals := depend.ReversalsOf(x)
	for _, r := range depend.Races(x) {
		if !reversals.Possible(r) {
			continue
		}
		kind, first := c.FirstOf(r)
		other, second := c.SecondOf(r)
		a, b := operationOf(kind, first), operationOf(other, second)
		if r.Second >= 0 {
			f.seen(first, second, first == second && x.Events[r.First].Proc > r.Proc)
		}
		if b < a {
			a, b = b, a
		}
		f.Reversals++
		i := slices.IndexFunc(f.Pairs, func(p FillingPair) bool {
			return p.First == a && p.Second == b && p.Rule == r.Rule
		})
		if i < 0 {
			i = len(f.Pairs)
			f.Pairs = append(f.Pairs, FillingPair{First: a, Second: b, Rule: r.Rule})
		}
		f.Pairs[i].Count++
	}
}

// Glance adds the operations of the beginning of an execution that is too long to be looked at.
func (f *Filling) Glance(x *trace.Execution, at *depict.Places) {
	f.steps, f.cut = max(f.steps, len(x.Events)), true
	f.count(depict.NewExplanation(x, at))
}

// Conclude puts the pairs with the most races first, and says what was covered of test r, and what
// helps.
func (f *Filling) Conclude(r *Test) {
	f.Sort()
	f.conclude()
	f.Advice = f.advise(r)
}

// Sort puts the pairs with the most races first.
func (f *Filling) Sort() {
	slices.SortStableFunc(f.Pairs, func(a, b FillingPair) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.First+a.Second, b.First+b.Second))
	})
}

// mostFilling bounds the pairs that are listed.
const mostFilling = 5

// filling prints what fills the tree of a search, with -v.
func (t *Text) filling(f *Filling, of string, executions int) {
	if f == nil || !t.Verbose || len(f.Pairs) == 0 {
		return
	}
	in := fmt.Sprintf("%d of the %s", f.Executions, words.Plural(executions, "execution"))
	if executions == 0 {
		in = "the beginning of the first execution"
	}
	t.printf("    what fills the tree%s: %s in %s\n", of, words.Plural(f.Reversals, "reversal"), in)
	rest := f.Reversals
	for i, p := range f.Pairs {
		if i == mostFilling {
			t.printf("    %6d reversals of %s\n", rest, words.Plural(len(f.Pairs)-i, "other pair"))
			break
		}
		t.printf("    %6d reversals: %s against %s (%s)\n", p.Count, p.First, p.Second, p.Rule)
		rest -= p.Count
	}
}
