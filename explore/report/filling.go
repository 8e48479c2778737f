package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Filling says what fills the tree of a search: pairs of operations in a race, each of which the search has to reverse. They are
// counted in a few of its executions, which are spread over the search.
type Filling struct {
	Executions int // that were looked at
	Reversals  int // races in them
	Pairs      []FillingPair
}

// FillingPair is a pair of operations.
type FillingPair struct {
	First, Second string // operation and place: "lock mu cache.go:40"
	Rule          string // why their order matters
	Count         int    // races
}

// Look adds what x has, which was run with sites.
func (f *Filling) Look(x *trace.Execution, at *Places) {
	c := &causes{names: newNames(x, at)}
	f.Executions++
	for _, r := range depend.Races(x) {
		a, b := c.operation(c.did1(r)), c.operation(c.did2(r))
		if b < a {
			a, b = b, a
		}
		f.Reversals++
		i := slices.IndexFunc(f.Pairs, func(p FillingPair) bool { return p.First == a && p.Second == b && p.Rule == r.Rule })
		if i < 0 {
			i = len(f.Pairs)
			f.Pairs = append(f.Pairs, FillingPair{First: a, Second: b, Rule: r.Rule})
		}
		f.Pairs[i].Count++
	}
}

// Sort puts the pairs with the most races first.
func (f *Filling) Sort() {
	slices.SortStableFunc(f.Pairs, func(a, b FillingPair) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.First+a.Second, b.First+b.Second))
	})
}

// did1 returns the kind and the place of what came first in r, and did2 those of what came second.
func (c *causes) did1(r depend.Race) (trace.Kind, string) {
	return c.x.Events[r.First].Kind, c.eventPlace(int(r.First))
}

func (c *causes) did2(r depend.Race) (trace.Kind, string) {
	if r.Second < 0 {
		return c.x.Procs[r.Proc].Pending.Kind, c.second(r).Pos
	}
	e := &c.x.Events[r.Second]
	if e.Partner == r.Proc && int(r.Second) < len(c.x.PartnerSites) {
		return trace.Recv, c.at.Line(c.x.PartnerSites[r.Second])
	}
	return e.Kind, c.eventPlace(int(r.Second))
}

// operation describes an operation at a place.
func (c *causes) operation(k trace.Kind, place string) string {
	words := []string{cmp.Or(verbs[k], k.String())}
	if f := family(k); f != "obj" {
		words = append(words, f)
	}
	if place != "" {
		words = append(words, place)
	}
	return strings.Join(words, " ")
}

// mostFilling bounds the pairs that are listed.
const mostFilling = 5

// filling prints what fills the tree, with -v.
func (t *Text) filling(f *Filling, executions int) {
	if f == nil || !t.Verbose || len(f.Pairs) == 0 {
		return
	}
	t.printf("    what fills the tree: %s in %d of the %s\n", plural(f.Reversals, "reversal"), f.Executions, plural(executions, "execution"))
	rest := f.Reversals
	for i, p := range f.Pairs {
		if i == mostFilling {
			t.printf("    %6d reversals of %s\n", rest, plural(len(f.Pairs)-i, "other pair"))
			break
		}
		t.printf("    %6d reversals: %s against %s (%s)\n", p.Count, p.First, p.Second, p.Rule)
		rest -= p.Count
	}
}
