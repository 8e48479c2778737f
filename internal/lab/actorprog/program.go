// Package actorprog has programs of the papers' actors, and an executor for them that needs no
// goroutines: the test bed of the searches that select actors and tasks.
//
// An actor has a few numbers and a few references to actors; a handler, which is a Go function,
// changes them, sends messages and makes actors. A message is a kind, a number and a reference. The
// main block is process 0, which takes no messages. The static facts are part of the program.
//
// Guarantees: a Machine and All run the same programs and have nothing else in common, so that one
// can be held against the other.
//
// LIMITS: handlers must be functions of their arguments, and programs must end.
package actorprog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Program is a program with its facts.
type Program struct {
	Main    func(*Self)
	Classes map[string]map[string]Handler // by the names of the class and of the handler
	Calls   []facts.Call
	// how many messages an actor of a class takes before it ends; none: it does not
	Rounds map[string]int
	End    map[string]func(*Self) // what it does then
}

// Handler is the code of a kind of tasks, with the bits of the numbers that it reads and writes.
type Handler struct {
	Run           func(*Self, Msg)
	Reads, Writes uint
	Sends         bool
}

// None is no reference.
const None int32 = -1

// Msg is a message.
type Msg struct {
	Kind string
	Val  int
	Ref  int32
}

// Self is the actor that runs a handler.
type Self struct {
	ID int32
	N  [4]int   // numbers
	R  [2]int32 // references

	parent int32 // -1: none
	class  string
	path   string
	kids   int
	taken  int  // messages, of a class with Rounds
	over   bool // it has ended
	sends  []sending
	spawn  func(parent *Self, class string, refs ...int32) int32
}

type sending struct {
	to  int32
	msg Msg
}

func newSelf(id int32, class, path string, refs []int32) *Self {
	a := &Self{ID: id, parent: -1, class: class, path: path, R: [2]int32{None, None}}
	copy(a.R[:], refs)
	return a
}

// run runs the task of m, and the end of a if it is the last one. It returns how many messages the
// task itself has sent.
func (p *Program) run(a *Self, m Msg) (sent int) {
	p.Classes[a.class][m.Kind].Run(a, m)
	sent = len(a.sends)
	if n := p.Rounds[a.class]; n > 0 {
		a.taken++
		if a.over = a.taken == n; a.over && p.End[a.class] != nil {
			p.End[a.class](a)
		}
	}
	return sent
}

// Send sends m to actor to.
func (a *Self) Send(to int32, m Msg) { a.sends = append(a.sends, sending{to, m}) }

// New makes an actor that holds refs.
func (a *Self) New(class string, refs ...int32) int32 { return a.spawn(a, class, refs...) }

// Independent is Theorem 2 for two kinds of messages. If messages of one sender stay in order,
// receivers can tell which of two tasks that send came first.
func (p *Program) Independent(model int32, class, k1, k2 string) bool {
	a, b := p.Classes[class][k1], p.Classes[class][k2]
	return !(model == trace.Pairs && a.Sends && b.Sends) && a.Reads&b.Writes == 0 &&
		b.Reads&a.Writes == 0 && a.Writes&b.Writes == 0
}

// calls makes calls of texts like "A::m -> B::n".
func calls(texts ...string) (list []facts.Call) {
	for _, text := range texts {
		from, to, _ := strings.Cut(text, " -> ")
		list = append(list, facts.Call{From: target(from), To: target(to)})
	}
	return list
}

func target(text string) facts.Target {
	actor, handler, _ := strings.Cut(text, "::")
	return facts.Target{Actor: actor, Handler: handler}
}

// describe tells the state of all actors.
func describe(actors []*Self) string {
	var list []string
	for _, a := range actors {
		text := fmt.Sprint(a.path, a.class, a.N)
		if a.taken > 0 {
			text += fmt.Sprint("#", a.taken)
		}
		for _, r := range a.R {
			if r != None {
				text += " " + actors[r].path
			}
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}
