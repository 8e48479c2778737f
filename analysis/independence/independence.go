// Package independence says which tasks of an actor commute: the relation indep(t1, t2) of E.
// Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing" (FORTE 2014), sect. 5, Definition 4 and Theorem 2.
//
//	paper                     here
//	R(t), W(t)                facts.Task.Accesses, package effects
//	indep(t1, t2)             facts.Pair without conflicts
//
// Deviations. The paper's mailboxes are bags, its actors share nothing, and its tasks end. So
// Theorem 2 is one kind of conflict among others. Beside memory, two tasks do not commute if both
// have operations that others notice: in one order a third process may act between the two, and in
// the other order not. Sends are special: the delivery model decides which of them conflict.
//
//	go      two sends never commute: in a channel the order stays; on two channels, who takes the first may act before
//	        the second is sent
//	pairs   two sends on one mailbox do not commute
//	actor   sends to mailboxes commute
//
// A channel that is no mailbox keeps the order under each model: two sends on it do not commute. It
// is a mailbox if all makes that it may come from are known to be those of mailboxes (package
// mailboxes). A send that has to wait is for the explorer to notice.
//
// And the theorem is refined: two updates x = x op e commute, and so do two writes of one value, or
// to different keys. If that depends on the messages, the pair gets a condition, which facts.Atom
// evaluates.
//
// Guarantees: if the table says that two tasks commute, both orders have the same result, provided
// that nothing of their actor runs between them. This holds within the limits of package effects;
// an unknown operation conflicts with everything.
//
// LIMITS: the table speaks of tasks that both run; the explorer checks that a mailbox has room for
// both messages. Processes of one family are taken to share only variables that they share with
// other goroutines, too; otherwise they have data races.
//
// A loop may end after a number of messages, as for range n. Then any task may be the last, and the
// code after the loop is a part of the last task. If two tasks both run, the first is not the last,
// in either order: each adds one to the counter, and only the end of the loop looks at the counter.
// So the code after the loop is left out here (facts.Task.Round): it comes after both tasks in any
// case.
package independence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/chains"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/mailboxes"
	"github.com/rehearse-go/rehearse/analysis/pointsto"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Find returns all facts about the main modules' packages.
func Find(l *load.Result) facts.Program { return With(l, Options{Pointers: true}) }

// Options change what Find does.
type Options struct {
	Pointers bool // analyse what pointers point to, and not go by the types alone
	// list accesses to objects that the task has made, too; the pairs are useless then
	KeepNew bool
	// Brief leaves out goroutines that are no actors, tests among them, as callers and as targets,
	// if there are more than maxOthers. Asked tells by their names which stay; nil: none.
	Brief bool
	Asked func(name string) bool
}

// maxOthers is how many goroutines that are no actors have their calls in a brief program. Each may
// reach most sends of its program, and each send most goroutines: the calls of a suite's thousands
// of tests are gigabytes.
const maxOthers = 200

// With is Find with options.
func With(l *load.Result, o Options) facts.Program {
	s := actors.LookAt(l)
	p := newProgram(l, s, o)
	p.summarise()
	p.tasks()
	p.others()
	out := facts.Program{Version: facts.Version, Inventory: s.Inventory(), Silent: p.silent}
	out.Calls = p.chains()
	out.Behaviours = p.behaviours()
	out.Sources = p.sources()
	return out
}

// program is what is being looked at.
type program struct {
	survey    *actors.Survey
	actors    []*actors.Actor
	functions []*ssa.Function // with bodies
	// roots of goroutines that are no actors, and of tests and programs
	plain   []*ssa.Function
	silent  int // others of them, whose calls are left out
	a       *effects.Analysis
	nodes   []*chains.Node // the actors, then the plain goroutines
	to      map[sending][]facts.Target
	foreign []*foreign         // by actor: what other goroutines access
	boxes   map[facts.Pos]bool // where mailboxes are made
}

// sending names a send of a task.
type sending struct {
	task  *effects.Task
	index int
}

func newProgram(l *load.Result, s *actors.Survey, o Options) *program {
	p := &program{survey: s, actors: s.Actors(), to: map[sending][]facts.Target{}}
	p.functions = withBodies(l.SSA())
	p.plain, p.boxes = plainRoots(l, s), boxes(l, s)
	if all := len(p.plain); o.Brief && all > maxOthers {
		p.plain = slices.DeleteFunc(p.plain, func(fn *ssa.Function) bool {
			return o.Asked == nil || !o.Asked(fn.String())
		})
		p.silent = all - len(p.plain)
	}
	types := effects.NewTypes(l.SSA(), p.functions)
	p.a = effects.New(effects.Config{
		Program: l.SSA(), Pos: s.Pos, Functions: p.functions, Actors: p.actors, Types: types,
		Aliases: aliases(l, types, o), KeepNew: o.KeepNew,
	})
	return p
}

// boxes returns the places of the makes of mailboxes. A mark that marks nothing is reported
// elsewhere.
func boxes(l *load.Result, s *actors.Survey) map[facts.Pos]bool {
	set := map[facts.Pos]bool{}
	makes, _ := mailboxes.In(l, s.Inventory())
	for _, m := range makes {
		set[s.Pos(m.Call.Pos())], set[s.Pos(m.Call.Lparen)] = true, true
	}
	return set
}

// aliases answers by a points-to analysis. If the program is too large for that, the types answer,
// which is as sound and less precise.
func aliases(l *load.Result, types *effects.Types, o Options) effects.Aliases {
	if o.Pointers {
		c := pointsto.ConfigOf(l)
		if r := pointsto.Analyze(c); !r.GaveUp() {
			return points{r, types, newInstances(c, r)}
		}
	}
	return types
}

// plainRoots returns the roots of goroutines that are no actors, and the functions that tests and
// programs begin with.
func plainRoots(l *load.Result, s *actors.Survey) []*ssa.Function {
	isActor := map[*ssa.Function]bool{}
	for _, a := range s.Actors() {
		for _, g := range a.Goroutines {
			isActor[g.Root] = true
		}
	}
	var out []*ssa.Function
	for _, g := range s.Goroutines {
		if !isActor[g.Root] {
			out = append(out, g.Root)
		}
	}
	for _, t := range l.Targets {
		entries := t.Tests()
		if main, ok := t.Main(); ok {
			entries = append(entries, main)
		}
		for _, e := range entries {
			if fn := e.SSA(l); fn != nil && len(fn.Blocks) > 0 {
				out = append(out, fn)
			}
		}
	}
	return out
}

func (p *program) summarise() {
	var codes []actors.Code
	for _, a := range p.actors {
		for _, h := range a.Tasks {
			codes = append(codes, h.Code)
		}
	}
	p.a.Summarise(codes, p.plain)
}

// tasks makes the nodes.
func (p *program) tasks() {
	for _, x := range p.actors {
		n := &chains.Node{Name: x.Package + "." + x.Name, Actor: x}
		for _, h := range x.Tasks {
			n.Tasks = append(n.Tasks, p.a.Task(x, h))
		}
		p.nodes = append(p.nodes, n)
	}
	for _, fn := range p.plain {
		t, taking := p.a.Function(fn)
		p.nodes = append(p.nodes,
			&chains.Node{Name: fn.String(), Tasks: []*effects.Task{t}, Taking: taking,
				Rest: p.a.Rest(fn)})
	}
}

func (p *program) chains() []facts.Call {
	return chains.Find(p.a, p.nodes,
		func(t *effects.Task, i int, to []facts.Target) { p.to[sending{t, i}] = to })
}

func (p *program) sources() []facts.Target {
	var out []facts.Target
	for _, n := range p.nodes[len(p.actors):] {
		if len(n.Tasks[0].Sends) > 0 {
			out = append(out, facts.Target{Actor: n.Name})
		}
	}
	return out
}

func (p *program) behaviours() []facts.Behaviour {
	var out []facts.Behaviour
	for i, x := range p.actors {
		n := p.nodes[i]
		b := facts.Behaviour{Actor: n.Name}
		var rounds []*effects.Task
		for k, t := range n.Tasks {
			b.Tasks = append(b.Tasks, p.task(x.Tasks[k], t, p.foreign[i]))
			rounds = append(rounds, t)
			if x.Tasks[k].Round != nil {
				rounds[k] = p.a.Round(x, x.Tasks[k])
				round := p.task(x.Tasks[k], rounds[k], p.foreign[i])
				round.Same, round.Sent = x.Tasks[k].Round.Same, sent(x.Tasks[k], rounds[k])
				b.Tasks[k].Round = &round
			}
		}
		for first := range n.Tasks {
			for second := first; second < len(n.Tasks); second++ {
				c := &comparison{p: p, a: rounds[first], b: rounds[second], foreign: p.foreign[i]}
				b.Pairs = append(b.Pairs,
					facts.Pair{First: first, Second: second, Conflicts: c.conflicts(),
						Commuting: c.commute})
			}
		}
		out = append(out, b)
	}
	return out
}
