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

// learn reads the facts about the program that travel with the binary, if the options need them.
func (s *suite) learn() error {
	if s.pkg.Facts == "" && s.opts.Order == "" && s.opts.Ordering() != "" {
		s.opts.Order = "fifo" // nobody has asked for facts
	}
	if !s.opts.Facts() {
		return nil
	}
	if s.pkg.Facts == "" {
		return errors.New(
			"this binary was built without facts about the program: build it with the same -independence, -tasks and -order")
	}
	p, err := facts.Decode([]byte(s.pkg.Facts), s.pkg.Stamp)
	if err != nil {
		return err
	}
	s.facts = handlers.NewTable(p)
	return nil
}

// explainPair says what the facts say on the pair of -why. Of several packages, those that have the
// actor say it.
func (s *suite) explainPair() error {
	if !s.opts.WhyTasks() {
		return nil
	}
	var text strings.Builder
	switch err := facts.Why(&text, s.facts.Program, s.opts.Why); {
	case err != nil && s.opts.Several:
	case err != nil:
		return fmt.Errorf("-why: %v", err)
	default:
		s.out.Why(s.opts.Why, text.String())
	}
	return nil
}

// advice is what the facts are to a strategy. The zero advice is none.
type advice struct {
	commute *handlers.Classifier // -independence: dpor leaves out orders of tasks that commute
	tasks   *handlers.Classifier // -tasks independent: likewise, by task selection
	actors  search.Order         // -order stable
	equal   bool                 // auto takes sends of equal values as one
}

// advise returns the advice that the options ask for.
func (s *suite) advise(o *options.Options) (a advice) {
	if !o.AboutActors() {
		return a
	}
	world := handlers.World{Place: notes.Place, LaunchedAt: notes.LaunchedAt, Sent: notes.Sent}
	all := handlers.NewClassifier(s.facts, world, facts.Model(o.Model),
		handlers.Refinement{Disjoint: true, Commute: true})
	if o.Refines() {
		allow := handlers.Refinement{Disjoint: true, Commute: o.Independent("commute")}
		a.commute = handlers.NewClassifier(s.facts, world, facts.Model(o.Model), allow)
	}
	if o.Tasks == "independent" {
		a.tasks = all
	}
	if o.Ordering() == "stable" {
		v := live.New(all)
		a.actors = stable.New(s.facts.Program.Calls, v).Tells(v.Tells)
	}
	return a
}

// pruned describes what m counts.
func (s *suite) pruned(m *handlers.Matrix) (list []report.Pruned) {
	for _, c := range m.Cells() {
		first, second := s.facts.Target(c.First), s.facts.Target(c.Second)
		list = append(list, report.Pruned{Actor: first.Actor, First: first.Handler,
			Second: second.Handler, Fact: c.Fact, Count: c.Count})
	}
	return list
}

// joined describes joint receives, by the number of their group, and events that nobody sees.
func (s *suite) joined(counts map[int32]int, unseen int) (list []report.Pruned) {
	for _, group := range slices.Sorted(maps.Keys(counts)) {
		fact := "equal values"
		if group != trace.NoGroup {
			sum := s.facts.Sum(group)
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
