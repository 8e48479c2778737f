// Package handlers applies the static facts to a running program: it finds the task that a message
// causes, and tells whether two tasks of an actor commute.
//
// Vocabulary: a place is a line of the source, "file.go:12" with the file's directory. A task is
// the part of a process's run from the receive of a message up to its next such receive. A handler
// is the static class of a task (package facts). A delivery is a message together with the receive
// that takes it, or may take it.
//
// Guarantees: tasks are dependent unless the facts say that they commute. So unknown tasks are
// dependent: tasks at a place where no handler receives, and tasks of a message whose value is
// unknown. A delivery that may belong to several handlers commutes with another one only if all of
// them do.
//
// LIMITS: places have no columns: receives on one line are one place. The dynamic type of a message
// is known by its name with its package, so two types that are declared in functions and share
// their name are not told apart. Types without a name, and types of package main, remain unknown.
package handlers

import (
	"path/filepath"
	"strconv"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// Ref names a handler: Program.Actors[Actor].Handlers[Handler].
type Ref struct{ Actor, Handler int }

// Table is the facts, indexed by places. It does not change.
type Table struct {
	Program facts.Program
	// the handlers whose messages are taken at a place, of all actors that receive there
	receives map[string][]Ref
	launches map[string][]int // the actors that are started at a place
	pairs    [][]facts.Pair   // of each actor, by first*handlers+second
	// the group of the receives at a place: an index of Program.Sums, plus 1
	sums map[string]int32
}

// NewTable indexes p.
func NewTable(p facts.Program) *Table {
	t := &Table{Program: p, receives: map[string][]Ref{}, launches: map[string][]int{},
		sums: map[string]int32{}}
	for i, b := range p.Behaviours {
		for k, task := range b.Tasks {
			at := t.place(task.Receive)
			if task.Select.IsValid() {
				at = t.place(task.Select)
			}
			t.receives[at] = append(t.receives[at], Ref{i, k})
		}
		for _, l := range p.Actors[i].Launches {
			at := t.place(l.Pos)
			t.launches[at] = append(t.launches[at], i)
		}
		t.pairs = append(t.pairs, pairsOf(b))
	}
	for i, s := range p.Sums {
		for _, r := range s.Receives {
			t.sums[t.place(r)] = int32(i) + 1
		}
	}
	return t
}

// Group returns the number of the group of the receives at a place, as trace.Op.N has it;
// trace.NoGroup if they are in none.
func (t *Table) Group(place string) int32 { return t.sums[place] }

// Sum returns the group with a number.
func (t *Table) Sum(group int32) facts.Sum { return t.Program.Sums[group-1] }

// Receives reports whether tasks of some actors begin with a receive at a place.
func (t *Table) Receives(place string) bool { return len(t.receives[place]) > 0 }

// At returns the place of a position.
func (t *Table) At(p facts.Pos) string { return t.place(p) }

func (t *Table) place(p facts.Pos) string {
	file := p.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.Program.Dir, file)
	}
	return file + ":" + strconv.Itoa(p.Line)
}

// pairsOf returns the pairs of all handlers, in both orders.
func pairsOf(b facts.Behaviour) []facts.Pair {
	n := len(b.Tasks)
	out := make([]facts.Pair, n*n)
	for _, p := range b.Pairs {
		out[p.First*n+p.Second] = p
		if p.First != p.Second {
			out[p.Second*n+p.First] = p.Flip()
		}
	}
	return out
}

// Launched returns the actor that the go statement at a place starts; ok is false if it starts
// none, or an unknown one.
func (t *Table) Launched(place string) (actor int, ok bool) {
	if as := t.launches[place]; len(as) == 1 {
		return as[0], true
	}
	return 0, false
}

// Receiver returns the actor whose tasks begin with a receive at a place; ok is false if there is
// none, or several.
func (t *Table) Receiver(place string) (actor int, ok bool) {
	refs := t.receives[place]
	if len(refs) == 0 {
		return 0, false
	}
	for _, r := range refs {
		if r.Actor != refs[0].Actor {
			return 0, false
		}
	}
	return refs[0].Actor, true
}

// Handlers returns the handlers, all of one actor, that a message taken at a place may belong to: a
// single one if the message tells its kind. It returns none if the place has no such receive, or
// receives of several actors.
func (t *Table) Handlers(place string, message any) []Ref {
	if _, ok := t.Receiver(place); !ok {
		return nil
	}
	return t.narrow(t.receives[place], message)
}

// HandlersOf is Handlers for one case of a select.
func (t *Table) HandlersOf(place string, index int, message any) []Ref {
	if _, ok := t.Receiver(place); !ok {
		return nil
	}
	var refs []Ref
	for _, r := range t.receives[place] {
		if t.Program.Behaviours[r.Actor].Tasks[r.Handler].Case == index {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	return t.narrow(refs, message)
}

// Target names a handler as the facts do.
func (t *Table) Target(r Ref) facts.Target {
	b := &t.Program.Behaviours[r.Actor]
	return facts.Target{Actor: b.Actor, Handler: b.Tasks[r.Handler].Handler}
}

// Pair returns the facts on two handlers of an actor, in this order.
func (t *Table) Pair(a, b Ref) facts.Pair {
	return t.pairs[a.Actor][a.Handler*len(t.Program.Behaviours[a.Actor].Tasks)+b.Handler]
}
