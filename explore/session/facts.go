package session

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/stable"
	"github.com/rehearse-go/rehearse/explore/stable/live"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// advisor asks the static facts.
type advisor struct {
	*common
	facts *handlers.Table // nil: the options do not need any
}

// learn reads the facts about the program that travel with the binary, if the options need them.
func (d *advisor) learn() error {
	if d.pkg.Facts == "" && d.opts.Order == "" && d.opts.Ordering() != "" {
		d.opts.Order = "fifo" // nobody has asked for facts
	}
	if !d.opts.Facts() {
		return nil
	}
	if d.pkg.Facts == "" {
		return errors.New(
			"this binary was built without facts about the program: build it with the same -independence, -tasks and -order")
	}
	p, err := facts.Decode([]byte(d.pkg.Facts), d.pkg.Stamp)
	if err != nil {
		return err
	}
	d.facts = handlers.NewTable(p)
	return nil
}

// explainPair says what the facts say on the pair of -why. Of several packages, those that have the
// actor say it.
func (d *advisor) explainPair() error {
	if !d.opts.WhyTasks() {
		return nil
	}
	var text strings.Builder
	switch err := facts.Why(&text, d.facts.Program, d.opts.Why); {
	case err != nil && d.opts.Several:
	case err != nil:
		return fmt.Errorf("-why: %v", err)
	default:
		d.out.Why(d.opts.Why, text.String())
	}
	return nil
}

// advice is what the facts are to a strategy. The zero advice is none.
type advice struct {
	commute *handlers.Classifier // -independence: dpor leaves out orders of tasks that commute
	tasks   *handlers.Classifier // -tasks independent: likewise, by task selection
	actors  search.Order         // -order stable
	equal   bool                 // auto takes sends of equal values as one
	late    func() bool          // the turn is over
}

// advise returns the advice that the options ask for.
func (d *advisor) advise(o *options.Options) (a advice) {
	if !o.AboutActors() {
		return a
	}
	world := handlers.World{Place: notes.Place, LaunchedAt: notes.LaunchedAt, Sent: notes.Sent}
	all := handlers.NewClassifier(d.facts, world, facts.Model(o.Model),
		handlers.Refinement{Disjoint: true, Commute: true})
	if o.Refines() {
		allow := handlers.Refinement{Disjoint: true, Commute: o.Independent("commute")}
		a.commute = handlers.NewClassifier(d.facts, world, facts.Model(o.Model), allow)
	}
	if o.Tasks == "independent" {
		a.tasks = all
	}
	if o.Ordering() == "stable" {
		v := live.New(all)
		a.actors = stable.New(d.facts.Program.Calls, v).Tells(v.Tells)
	}
	return a
}

// pruned describes what m counts.
func (d *advisor) pruned(m *handlers.Matrix) (list []report.Pruned) {
	for _, c := range m.Cells() {
		first, second := d.facts.Target(c.First), d.facts.Target(c.Second)
		list = append(list, report.Pruned{Actor: first.Actor, First: first.Handler,
			Second: second.Handler, Fact: c.Fact, Count: c.Count})
	}
	return list
}

// joined describes joint receives, by the number of their group, and events that nobody sees.
func (d *advisor) joined(counts map[int32]int, unseen int) (list []report.Pruned) {
	for _, group := range slices.Sorted(maps.Keys(counts)) {
		fact := "equal values"
		if group != trace.NoGroup {
			sum := d.facts.Sum(group)
			fact = sum.Fact + " at " + sum.Receives[0].String()
		}
		list = append(list, report.Pruned{Joint: true, Fact: fact, Count: counts[group]})
	}
	if unseen > 0 {
		list = append(list, report.Pruned{Unseen: true,
			Fact:  "nobody receives the value that was sent, or reads the one that was stored",
			Count: unseen})
	}
	return list
}
