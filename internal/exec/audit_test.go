package exec

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/options"
)

// falseFacts are programs of two tasks that do not commute, which an audit must notice where it
// says.
var falseFacts = []struct {
	name   string
	task   string // of the message m, which is 1, 2 or 3; x is the actor's
	differ string // "" if there is nothing to notice
}{
	{"state", "x = 10*x + m", "the state after both tasks is not the same"},
	// after 2, all send
	{"steps", "if m == 2 { x = 5 }; if x == 5 { out <- 0 }", "the tasks do recv"},
	{"sends", "x = max(x, m); out <- x", "the state after both tasks is not the same"},
	// an ordinary channel: it keeps the order, whatever the model
	{"order", "out <- m", "the state after both tasks is not the same"},
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
	in, end := make(chan int), make(chan int, 1) //rehearse:mailbox
	out := make(chan int, 10)
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
			if r.Verdict != "error" || r.Complete || len(r.Findings) != 1 ||
				r.Findings[0].Kind != "unsupported" {
				t.Fatalf("got %+v", r)
			}
			if f := r.Findings[0]; !strings.Contains(f.Message, "p.actor.in and in commute") ||
				!strings.Contains(f.Message, c.differ) || f.Pos == "" {
				t.Errorf("got %s: %s\nwant %s", f.Pos, f.Message, c.differ)
			}
		})
	}
}

// sumProgram takes three values in a row, and does TASK with each.
const sumProgram = `package p

func total(c chan int, n int) int {
	x := 0
	for range n {
		m := <-c
		TASK
	}
	return x
}
`

const sumTest = `package p

import "testing"

func TestTotal(t *testing.T) {
	c, end := make(chan int, 3), make(chan int, 1)
	for m := range 3 {
		go func() { c <- m + 1 }()
	}
	go func() { end <- total(c, 3) }()
	t.Log(<-end > 0)
}

func TestHere(t *testing.T) {
	c := make(chan int, 3)
	for m := range 3 {
		go func() { c <- m + 1 }()
	}
	t.Log(total(c, 3))
}
`

// TestFalseSums: that a receiver only adds up is false for some programs, and an audit finds it
// out.
func TestFalseSums(t *testing.T) {
	falsify = func(p *facts.Program) {
		p.Sums = []facts.Sum{{Receives: []facts.Pos{{File: "p.go", Line: 6, Col: 8}},
			Fact: "x by +"}}
	}
	defer func() { falsify = nil }()
	const differs = "the state after the receives is not the same"
	for task, want := range map[string]string{ // what differs
		"x = 10*x + m":                     differs,
		"if x < 3 { x = max(x, 2*m-m%2) }": differs,
		"x += m":                           "",
	} {
		results := auditWith(t,
			map[string]string{"p.go": strings.ReplaceAll(sumProgram, "TASK", task),
				"p_test.go": sumTest},
			"-strategy=optimal", "-independence=commute")
		for _, test := range []string{"TestTotal", "TestHere"} {
			r := results[test]
			switch {
			case r.Audited.Pairs == 0 || r.Audited.States != r.Audited.Pairs:
				t.Errorf("%s, %s: not audited: %+v", task, test, r)
			case want == "" && (r.Verdict != "pass" || !r.Complete):
				t.Errorf("%s, %s: got %+v", task, test, r)
			case want != "" && (r.Verdict != "error" || r.Complete || len(r.Findings) != 1 ||
				r.code != 2 ||
				r.Findings[0].Pos != "p.go:6" ||
				!strings.Contains(r.Findings[0].Message,
					"received at p.go:6 does not matter (x by +), and it does: "+want)):
				t.Errorf("%s, %s: got %+v, want %s", task, test, r, want)
			}
		}
	}
}

// operationsProgram has an actor whose tasks do, beside sends, what others can notice in each of
// the ways that there are.
const operationsProgram = `package p

import (
	"sync"
	"sync/atomic"
)

type message struct {
	done chan struct{}
	back chan struct{}
}

type actor struct {
	mu    sync.Mutex
	count atomic.Int32
	last  chan int
}

func (a *actor) run(in chan message, n int, end chan int) {
	for range n {
		m := <-in
		a.guarded()
		a.count.Add(1)
		go a.tell(m.back)
		close(m.done)
		<-m.back
		select {
		case <-m.
			back:
		}
		own := make(chan struct{}, 1)
		own <- struct{}{}
		<-own
	}
	end <- n
}

func (a *actor) guarded() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == nil {
		return
	}
}

func (a *actor) tell(to chan struct{}) { to <- struct{}{} }
`

const operationsTest = `package p

import "testing"

func TestActor(t *testing.T) {
	in, end := make(chan message), make(chan int, 1) //rehearse:mailbox
	a := &actor{}
	go a.run(in, 2, end)
	for range 2 {
		m := message{make(chan struct{}, 1), make(chan struct{}, 3)}
		go func() {
			m.done <- struct{}{}
			m.back <- struct{}{}
			in <- m
		}()
	}
	t.Log(<-end)
}
`

// taken are operations that are taken out of the facts about one copy of operationsProgram, and
// what comes of it.
var taken = []struct {
	name    string
	kind    facts.OperationKind
	lines   []int // that of the operations
	finding string
}{
	{"None", "", nil, ""},
	{"Close", facts.Closes, []int{25}, "a close at close.go:25"},
	{"Receive", facts.Receives, []int{26}, "a receive at receive.go:26"},
	{"Select", facts.Receives, []int{28, 29}, "a receive at select.go:27"},
	{"Start", facts.Spawns, []int{24}, "a start of a goroutine at start.go:24"},
	{"Lock", facts.Blocks, []int{39}, "a lock at lock.go:39"},
	{"Unlock", facts.Blocks, []int{40}, "an unlock at unlock.go:42"},
	{"Atomic", facts.Blocks, []int{23}, "an update at atomic.go:23"},
}

// TestOperations: the other operations of the actor's tasks are in the facts; the audit notices
// each one that is taken out.
func TestOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	files := map[string]string{}
	for _, c := range taken {
		names := strings.NewReplacer("actor", "actor"+c.name, "message", "message"+c.name,
			"TestActor",
			"Test"+c.name)
		files[strings.ToLower(c.name)+".go"] = names.Replace(operationsProgram)
		files[strings.ToLower(c.name)+"_test.go"] = names.Replace(operationsTest)
	}
	falsify = func(p *facts.Program) {
		for _, c := range taken {
			if n := takeOutOperations(p, strings.ToLower(c.name)+".go", c.kind,
				c.lines); n != len(c.lines) && c.name != "Select" {
				t.Errorf("%s: %d operations taken out", c.name, n)
			}
		}
	}
	defer func() { falsify = nil }()
	results := auditAll(t, files)
	for _, c := range taken {
		t.Run(c.name, func(t *testing.T) {
			r := results["Test"+c.name]
			switch wrong := r.Verdict == "error" && !r.Complete && len(r.Findings) > 0 &&
				r.Findings[0].Kind == "unsupported"; {
			case r.Audited.Operations == 0 || r.Audited.Tasks == 0:
				t.Errorf("nothing was looked up: %+v", r)
			case c.finding == "":
				if r.Verdict != "pass" || !r.Complete {
					t.Errorf("got %+v", r)
				}
			case !wrong || !strings.Contains(r.Findings[0].Message,
				c.finding+" that is not in the sets of its tasks") ||
				!strings.Contains(r.Findings[0].Message, "p.actor"+c.name+".run.in"):
				t.Errorf("got %+v", r)
			}
		})
	}
}

// takeOutOperations takes operations of a kind that are at lines of a file out of the facts, and
// returns how many.
func takeOutOperations(p *facts.Program, file string, kind facts.OperationKind,
	lines []int) (n int) {
	for i := range p.Behaviours {
		for k := range p.Behaviours[i].Tasks {
			operations := p.Behaviours[i].Tasks[k].Operations
			for o := range operations {
				op := &operations[o]
				before := len(op.At)
				op.At = slices.DeleteFunc(op.At, func(at facts.Pos) bool {
					return op.Kind == kind && filepath.Base(at.File) == file &&
						slices.Contains(lines, at.Line)
				})
				n += before - len(op.At)
			}
		}
	}
	return n
}

// auditResult is what -json says of an audited test.
type auditResult struct {
	Action, Test, Verdict string
	Complete              bool
	Audited               struct{ Pairs, States, Met, Tasks, Sends, Operations, Accesses int }
	Findings              []struct{ Kind, Message, Pos string }
	Notes                 []string
	code                  int // the exit code
}

func auditOf(t *testing.T, program string) (r auditResult) {
	t.Helper()
	return auditProgram(t, map[string]string{"p.go": program, "p_test.go": falseTest})
}

// auditProgram audits the only test of a program.
func auditProgram(t *testing.T, files map[string]string) (r auditResult) {
	t.Helper()
	for _, r = range auditAll(t, files) {
	}
	return r
}

// auditAll audits a program, and returns the results by the names of the tests.
func auditAll(t *testing.T, files map[string]string) map[string]auditResult {
	t.Helper()
	return auditWith(t, files, "-model=actor", "-independence=disjoint,commute")
}

// auditWith is auditAll with other flags.
func auditWith(t *testing.T, files map[string]string, flags ...string) map[string]auditResult {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.org/p\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o, _, err := options.Parse(append(flags, "-audit=10"))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := Build(dir, o, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code, err := Run(packages[0].Binary, append(o.Encode(), "-json"), &stdout, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]auditResult{}
	for line := range bytes.Lines(stdout.Bytes()) {
		var r auditResult
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			r.code = code
			results[r.Test] = r
		}
	}
	if len(results) == 0 {
		t.Fatalf("no result: %s%s", stdout.String(), stderr.String())
	}
	return results
}
