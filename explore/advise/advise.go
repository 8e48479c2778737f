// Package advise makes the strategy of a search: of the options, and of what the static facts say
// about the program.
//
// Vocabulary: advice is what a strategy is told beside the options. Most of it comes from the facts
// that travel with the binary.
package advise

import (
	"errors"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/stable"
	"github.com/rehearse-go/rehearse/explore/stable/live"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Read reads the facts about the program that travel with the binary, if the options need them; nil
// if they do not. text is what the binary has, and stamp is the fingerprint of its sources.
func Read(text, stamp string, o *options.Options) (*handlers.Table, error) {
	if text == "" && o.Order == "" && o.Ordering() != "" {
		o.Order = "fifo" // nobody has asked for facts
	}
	if !o.Facts() {
		return nil, nil
	}
	if text == "" {
		return nil, errors.New(
			"this binary was built without facts about the program: build it with the same -independence, -tasks and -order")
	}
	p, err := facts.Decode([]byte(text), stamp)
	if err != nil {
		return nil, err
	}
	return handlers.NewTable(p), nil
}

// Advice is what a strategy is told beside the options. The zero Advice says nothing.
type Advice struct {
	Commute *handlers.Classifier // -independence: dpor leaves out orders of tasks that commute
	Tasks   *handlers.Classifier // -tasks independent: likewise, by task selection
	Actors  search.Order         // -order stable
	Equal   bool                 // auto takes sends of equal values as one
	Late    func() bool          // the turn is over
}

// For returns the advice of facts t that the options ask for.
func For(t *handlers.Table, o *options.Options) (a Advice) {
	if !o.AboutActors() {
		return a
	}
	world := handlers.World{Place: notes.Place, LaunchedAt: notes.LaunchedAt, Sent: notes.Sent}
	all := handlers.NewClassifier(t, world, facts.Model(o.Model),
		handlers.Refinement{Disjoint: true, Commute: true})
	if o.Refines() {
		allow := handlers.Refinement{Disjoint: true, Commute: o.Independent("commute")}
		a.Commute = handlers.NewClassifier(t, world, facts.Model(o.Model), allow)
	}
	if o.Tasks == "independent" {
		a.Tasks = all
	}
	if o.Ordering() == "stable" {
		v := live.New(all)
		a.Actors = stable.New(t.Program.Calls, v).Tells(v.Tells)
	}
	return a
}

// Strategy makes the strategy that the options ask for. name is the one asked for, or what auto is
// instead of a mixture.
func Strategy(o *options.Options, a Advice) (s explore.Strategy, name string, err error) {
	p := o.Plan()
	p.Tasks, p.Select, p.Actors, p.Joint = a.Commute, a.Tasks, a.Actors, a.Equal
	p.Late = a.Late
	if o.Independent("context") {
		p.Context = look
	}
	if o.Compares() {
		p.Stateful.Look = look
	}
	s, err = strategy.New(p)
	return s, p.Name, err
}

// look returns the fingerprint of the present state; why says why there is none.
func look() (state [16]byte, why string) {
	state, why = states.StateNow()
	return state, why
}

// Pruned describes what m counts of the facts t.
func Pruned(t *handlers.Table, m *handlers.Matrix) (list []report.Pruned) {
	for _, c := range m.Cells() {
		first, second := t.Target(c.First), t.Target(c.Second)
		list = append(list, report.Pruned{Actor: first.Actor, First: first.Handler,
			Second: second.Handler, Fact: c.Fact, Count: c.Count})
	}
	return list
}

// Joined describes joint receives, by the number of their group in the facts t, and events that
// nobody sees.
func Joined(t *handlers.Table, counts map[int32]int, unseen int) (list []report.Pruned) {
	for _, group := range slices.Sorted(maps.Keys(counts)) {
		fact := "equal values"
		switch group {
		case trace.NoGroup:
		case trace.Dropped:
			fact = "equal values, as their receiver drops them"
		default:
			sum := t.Sum(group)
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
