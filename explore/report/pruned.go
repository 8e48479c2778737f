package report

import (
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Pruned is a cell of the handler matrix: the number of times that one order of two tasks was left
// out because, by the facts, both orders lead to the same state.
type Pruned struct {
	Actor         string // package, dot, name; empty: it is not known which two tasks these are
	First, Second string // handlers
	// "disjoint", or the variables that both change in a way that commutes, or the condition that
	// held; "context": a state was met again; "twins started at" a place
	Fact string
	// deliveries that were put off behind another one in vain; Joint: joint receives; Unseen: such
	// events
	Count int
	// sends and stores whose order nobody sees
	Unseen bool `json:",omitempty"`
	// sends whose values one process received in a row, and whose order does not matter
	Joint bool `json:",omitempty"`
}

// what names the things that p counts.
func (p *Pruned) what() string {
	switch {
	case p.Joint:
		return "receives in a row that were taken as one"
	case p.Unseen:
		return "sends and stores that were taken to have no order"
	case strings.HasPrefix(p.Fact, "twins"):
		return "orders of first moves that were left out"
	}
	return "orders of tasks that were left out"
}

// pruned prints the handler matrix.
func (t *Text) pruned(r *Test) {
	if len(r.Pruned) == 0 || !t.Verbose {
		return
	}
	for i, p := range r.Pruned {
		if what := p.what(); i == 0 || what != r.Pruned[i-1].what() {
			t.printf("    %s, how often, and why\n", what)
		}
		if p.Actor == "" {
			t.printf("    %6d  %s\n", p.Count, p.Fact)
			continue
		}
		t.printf("    %6d  %s: %s, %s  %s\n", p.Count, p.Actor, p.First, p.Second, p.Fact)
	}
}

type jsonWhy struct {
	head
	Pair, Text string
}

// Why implements Reporter.
func (t *Text) Why(_, text string) { t.printf("%s", text) }

// Why implements Reporter.
func (j *JSON) Why(pair, text string) {
	j.write(jsonWhy{j.head("why", ""), pair, strings.TrimSuffix(text, "\n")})
}

// Audited says how many pairs of tasks, or of sends, were audited: run in both orders, from one
// state, and compared.
type Audited struct {
	Sums  bool `json:",omitempty"` // the pairs are of sends whose values are only added up
	Steps bool `json:",omitempty"` // the pairs are of neighbouring steps
	// executions instead of pairs, whose order inside of the library was drawn; States of them have
	// shown an outcome of their own
	Inner bool `json:",omitempty"`
	Wrong bool `json:",omitempty"` // some of these did not commute

	Pairs  int // that were compared
	States int // of them, those where the states after both tasks were compared, too
	Met    int // pairs that the facts said to commute, in all states that were looked at

	// tasks that ran on the way, and those of their effects that were looked up in the facts' sets
	Tasks, Sends, Operations, Accesses int
}

// audited prints what was audited, with -v.
func (t *Text) audited(a *Audited) {
	switch {
	case a == nil || !t.Verbose:
		return
	case a.Inner:
		t.printf(
			"    audit  %s whose order inside of the library was drawn, %d of them with an outcome of their own\n",
			words.Plural(a.Pairs, "execution"), a.States)
		return
	case a.Steps:
		t.printf(
			"    audit  %s of neighbouring steps run in both orders, of %d that were taken to commute in some of the executions\n",
			words.Plural(a.Pairs, "pair"), a.Met)
		return
	}
	what := "tasks"
	if a.Sums {
		what = "sends"
	}
	t.printf(
		"    audit  %s of %s run in both orders, of %d that the facts say to commute; of %d the states were compared, too\n",
		words.Plural(a.Pairs, "pair"), what, a.Met, a.States)
	if !a.Sums {
		t.printf(
			"    audit  %d sends, %d other operations and %d accesses of %s were looked up in the facts' sets\n",
			a.Sends, a.Operations, a.Accesses, words.Plural(a.Tasks, "task"))
	}
}
