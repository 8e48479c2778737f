package exec

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// setsProgram has an actor with fields, whose tasks make objects, have statements of several lines,
// and send by other functions.
const setsProgram = `package p

type message struct {
	n  int
	re chan *note
}

type note struct {
	text string
	n    int
}

type actor struct {
	sum, count int
	seen       map[int]bool
	notes      []*note
	last       *note
}

var total int

func (a *actor) run(in chan message, n int, end chan int) {
	for range n {
		m := <-in
		a.add(m)
		defer func() { total++ }()
	}
	end <- a.sum
}

func (a *actor) add(m message) {
	a.sum +=
		m.n
	a.count++
	a.seen[m.n] = true
	n := &note{text: "x"}
	n.n = m.
		n
	n.text += "y"
	if a.last != nil {
		a.last.n++
	}
	a.last = n
	a.notes = append(a.notes, n)
	total += len(a.notes[0].text)
	a.answer(m,
		n)
}

func (a *actor) answer(m message, n *note) {
	m.re <- &note{
		text: n.text,
		n: a.
			count,
	}
}
`

const setsTest = `package p

import "testing"

func TestActor(t *testing.T) {
	in, re, end := make(chan message), make(chan *note, 10), make(chan int, 1) //rehearse:mailbox
	a := &actor{seen: map[int]bool{}}
	go a.run(in, 3, end)
	for m := range 3 {
		go func() { in <- message{m + 1, re} }()
	}
	t.Log(<-end)
}
`

// TestSets: the accesses and sends of the actor's tasks are in the facts; the audit notices each
// one that is taken out.
func TestSets(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds three programs")
	}
	defer func() { falsify = nil }()
	for _, c := range []struct {
		name, location string // of accesses that are taken out; "send": the sends
		finding        string
	}{
		{name: "right"},
		{"access", "note.n", "does a write at p.go:41 of a variable that is older than the task"},
		{"send", "send", "does a send at p.go:51 that is not in the sets of its tasks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			falsify = func(p *facts.Program) { takeOut(p, c.location) }
			r := auditProgram(t, map[string]string{"p.go": setsProgram, "p_test.go": setsTest})
			if c.finding == "" {
				if r.Verdict != "pass" || !r.Complete || r.Audited.Accesses == 0 ||
					r.Audited.Sends == 0 ||
					r.Audited.Tasks == 0 {
					t.Errorf("got %+v", r)
				}
				return
			}
			if r.code != 2 || r.Verdict != "error" || r.Complete || len(r.Findings) == 0 ||
				r.Findings[0].Kind != "unsupported" ||
				!strings.Contains(r.Findings[0].Message, "p.actor.run.in") ||
				!strings.Contains(r.Findings[0].Message, c.finding) {
				t.Errorf("exit code %d, %+v", r.code, r)
			}
		})
	}
}

// takeOut takes accesses to a location, or the sends, out of the facts.
func takeOut(p *facts.Program, location string) {
	for i := range p.Behaviours {
		for k := range p.Behaviours[i].Tasks {
			task := &p.Behaviours[i].Tasks[k]
			task.Accesses = slices.DeleteFunc(task.Accesses, func(a facts.Access) bool {
				return a.Location.Name == location
			})
			if location == "send" {
				task.Sends = nil
			}
		}
	}
}
