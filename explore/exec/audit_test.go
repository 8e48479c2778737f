package exec

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
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

// auditResult is what -json says of an audited test.
type auditResult struct {
	Action, Verdict string
	Complete        bool
	Audited         struct{ Pairs, States, Met int }
	Findings        []struct{ Kind, Message, Pos string }
	Notes           []string
}

func auditOf(t *testing.T, program string) (r auditResult) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/p\n\ngo 1.26\n", "p.go": program, "p_test.go": falseTest} {
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
	if _, err := Run(packages[0].Binary, append(o.Encode(), "-json"), &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			return r
		}
	}
	t.Fatalf("no result: %s%s", stdout.String(), stderr.String())
	return r
}
