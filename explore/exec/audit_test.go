package exec

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/explore/options"
)

// falseFacts are programs of two tasks that do not commute, which an audit must notice where it says.
var falseFacts = []struct {
	name   string
	task   string // of the message m, which is 1, 2 or 3; x is the actor's
	differ string // "" if there is nothing to notice
}{
	{"state", "x = 10*x + m", "the state after both tasks is not the same"},
	{"steps", "if m == 2 { x = 5 }; if x == 5 { out <- 0 }", "the tasks do recv"}, // after 2, all send
	{"sends", "x = max(x, m); out <- x", "the state after both tasks is not the same"},
	{"right", "x += m", ""},
}

const falseProgram = `package p

func actor(in, out chan int, n int, end chan int) {
	x := 0
	for range n {
		m := <-in
		TASK
	}
	end <- x
}
`

const falseTest = `package p

import "testing"

func TestActor(t *testing.T) {
	in, out, end := make(chan int), make(chan int, 10), make(chan int, 1) //rehearse:mailbox
	go actor(in, out, 3, end)
	for m := range 3 {
		go func() { in <- m + 1 }()
	}
	t.Log(<-end)
}
`

// TestFalseFacts: that all tasks commute is false for some programs, and an audit finds it out.
func TestFalseFacts(t *testing.T) {
	falsify = func(p *facts.Program) {
		for i := range p.Behaviours {
			for k := range p.Behaviours[i].Pairs {
				p.Behaviours[i].Pairs[k].Conflicts = nil
			}
		}
	}
	defer func() { falsify = nil }()
	for _, c := range falseFacts {
		t.Run(c.name, func(t *testing.T) {
			r := auditOf(t, strings.ReplaceAll(falseProgram, "TASK", c.task))
			if r.Audited.Pairs == 0 || r.Audited.States == 0 {
				t.Errorf("nothing was audited: %+v", r)
			}
			if c.differ == "" {
				if r.Verdict != "pass" || !r.Complete {
					t.Errorf("got %+v", r)
				}
				return
			}
			if r.Verdict != "error" || r.Complete || len(r.Findings) != 1 || r.Findings[0].Kind != "unsupported" {
				t.Fatalf("got %+v", r)
			}
			if f := r.Findings[0]; !strings.Contains(f.Message, "p.actor.in and in commute") || !strings.Contains(f.Message, c.differ) || f.Pos == "" {
				t.Errorf("got %s: %s\nwant %s", f.Pos, f.Message, c.differ)
			}
		})
	}
}

// setsProgram has an actor with fields, whose tasks make objects, have statements of several lines, and send by other functions.
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

// TestSets: what the actor's tasks access and send is in the facts; what is taken out of these is noticed.
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
				if r.Verdict != "pass" || !r.Complete || r.Audited.Accesses == 0 || r.Audited.Sends == 0 || r.Audited.Tasks == 0 {
					t.Errorf("got %+v", r)
				}
				return
			}
			if r.code != 2 || r.Verdict != "error" || r.Complete || len(r.Findings) == 0 || r.Findings[0].Kind != "unsupported" ||
				!strings.Contains(r.Findings[0].Message, "p.actor.run.in") || !strings.Contains(r.Findings[0].Message, c.finding) {
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
			task.Accesses = slices.DeleteFunc(task.Accesses, func(a facts.Access) bool { return a.Location.Name == location })
			if location == "send" {
				task.Sends = nil
			}
		}
	}
}

// auditResult is what -json says of an audited test.
type auditResult struct {
	Action, Verdict string
	Complete        bool
	Audited         struct{ Pairs, States, Met, Tasks, Sends, Accesses int }
	Findings        []struct{ Kind, Message, Pos string }
	Notes           []string
	code            int // the exit code
}

func auditOf(t *testing.T, program string) (r auditResult) {
	t.Helper()
	return auditProgram(t, map[string]string{"p.go": program, "p_test.go": falseTest})
}

func auditProgram(t *testing.T, files map[string]string) (r auditResult) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.org/p\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := options.Default()
	o.Model, o.Independence, o.Audit = "actor", "disjoint,commute", 10
	packages, err := Build(dir, o, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code, err := Run(packages[0].Binary, append(o.Encode(), "-json"), &stdout, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			r.code = code
			return r
		}
	}
	t.Fatalf("no result: %s%s", stdout.String(), stderr.String())
	return r
}
