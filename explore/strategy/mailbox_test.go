package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/race"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// under makes a machine of a program whose lines "box a" declare what a mailbox is under a delivery
// model: under Go's, a channel with room for all.
func under(model, program string) *micro.Machine {
	declared := map[string]string{"go": "chan NAME 9", "actor": "bag NAME",
		"pairs": "pairs NAME"}[model]
	var lines []string
	for line := range strings.Lines(program) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "box "); ok {
			line = strings.ReplaceAll(declared, "NAME", name) + "\n"
		}
		lines = append(lines, line)
	}
	return micro.New(micro.Parse(strings.Join(lines, "")))
}

// strategies are those that work under every delivery model and see all.
func strategies() map[string]explore.Strategy {
	return map[string]explore.Strategy{"exhaustive": exhaustive.New(), "dpor": dpor.New(false),
		"dpor+sleep": dpor.New(true)}
}

// TestTrapMacroSteps is the first trap of the design: the tasks of two actors must not run as one
// step each where the order of a mailbox is decided at the send. A sends 1 to C and then 2 to D, B
// sends 3 to D and then 4 to C. If A and B ran atomically, C could not see 1, 4 while D sees 3, 2,
// which Go can do, and so can both other models. Under those the order is decided at the receive,
// so that whoever sent first, C sees 1, 4 or 4, 1 and D 2, 3 or 3, 2: 4 traces, where under Go's
// the order of sends excludes one of the four, C 4, 1 with D 2, 3, for which the sends would be a
// circle.
func TestTrapMacroSteps(t *testing.T) {
	const program = "box c\nbox d\nA: c<-1; d<-2\nB: d<-3; c<-4\nC: <-c; <-c\nD: <-d; <-d"
	for model, traces := range map[string]int{"go": 3, "actor": 4, "pairs": 4} {
		for name, s := range strategies() {
			r := run(under(model, program), s, 1000000)
			if !r.outcomes["0[] 1[] 2[1 4] 3[3 2] [] 0"] || len(r.outcomes) != traces ||
				len(r.traces) != traces || !r.complete {
				t.Errorf("%s, %s: %d traces of %d, outcomes %q", model, name, len(r.traces), traces,
					keys(r.outcomes))
			}
		}
	}
}

// TestTrapIndependence is the second trap: what commutes depends on the model. Two sends to one
// mailbox do not commute under Go's, also if nobody looks; they do under the others, where only
// what is taken counts. P and Q send to M, and R looks at nothing, takes one, or takes both.
func TestTrapIndependence(t *testing.T) {
	for _, c := range []struct {
		sender, receiver   string
		inGo, actor, pairs int // traces
	}{
		{"m<-1", "yield", 2, 1, 1},
		{"m<-1", "<-m", 2, 2, 2},
		{"m<-1", "<-m; <-m", 2, 2, 2},
		// P's messages in either order, but only as they were sent in Go and with pairs
		{"m<-1; m<-3", "<-m; <-m; <-m", 3, 6, 3},
	} {
		program := "box m\nP: " + c.sender + "\nQ: m<-2\nR: " + c.receiver
		for model, want := range map[string]int{"go": c.inGo, "actor": c.actor, "pairs": c.pairs} {
			for name, s := range strategies() {
				if r := run(under(model, program), s, 1000000); len(r.traces) != want ||
					!r.complete {
					t.Errorf("%s, %s, %s: %d traces, want %d", model, name, c.receiver,
						len(r.traces), want)
				}
			}
		}
	}
	a := &trace.Event{Alt: trace.Alt{Proc: 1, Partner: -1}, Kind: trace.Send, Obj: 0,
		Cap: trace.Bag,
		Seq: 1}
	b := &trace.Event{Alt: trace.Alt{Proc: 2, Partner: -1}, Kind: trace.Send, Obj: 0,
		Cap: trace.Bag,
		Seq: 1}
	if dependent, why := depend.Dependent(a, b); dependent {
		t.Errorf("two sends to a mailbox are dependent: %s", why)
	}
	a.Cap, b.Cap = 2, 2
	if dependent, _ := depend.Dependent(a, b); !dependent {
		t.Error("two sends to a buffered channel commute")
	}
}

// TestMailboxes has what a mailbox does beside sends and receives: a select has an alternative per
// case and message, all that is pending comes before the end of a closed one, len counts what is
// pending.
func TestMailboxes(t *testing.T) {
	for _, c := range []struct {
		name, program string
		actor, pairs  []string // what the last process sees
	}{
		{"select", "box m\nbox n\nA: m<-1; m<-2; n<-3; go R\n*R: select <-m | <-n",
			[]string{"[100 1]", "[100 2]", "[101 3]"}, []string{"[100 1]", "[101 3]"}},
		{"close", "box m\nA: m<-1; m<-2; close m; go R\n*R: <-m; <-m; <-m",
			[]string{"[1 2 -1]", "[2 1 -1]"}, []string{"[1 2 -1]"}},
		{"len", "box m\nA: m<-1; m<-2; go R\n*R: len m; <-m; len m", []string{"[2 1 1]", "[2 2 1]"},
			[]string{"[2 1 1]"}},
		{"default", "box m\nA: m<-1; go R\n*R: select <-m | default; select <-m | default",
			[]string{"[100 1 99]"}, []string{"[100 1 99]"}},
		{"never full", "box m\nA: m<-1; m<-1; m<-1; m<-1; select m<-1 | default; go R\n*R: len m",
			[]string{"[5]"}, []string{"[5]"}},
	} {
		for model, want := range map[string][]string{"actor": c.actor, "pairs": c.pairs} {
			for name, s := range strategies() {
				var got []string
				for o := range run(under(model, c.program), s, 1000000).outcomes {
					_, seen, _ := strings.Cut(o, " 0.0")
					seen, _, _ = strings.Cut(seen, " []")
					got = append(got, seen)
				}
				if len(got) != len(want) || len(missing(set(want), set(got))) > 0 {
					t.Errorf("%s, %s, %s: %q, want %q", c.name, model, name, got, want)
				}
			}
		}
	}
}

// TestRealMail is TestReal with mailboxes.
func TestRealMail(t *testing.T) {
	for model, capacity := range map[string]int32{"bag": trace.Bag, "pairs": trace.Pairs} {
		compared := 0
		for n := range uint64(100) {
			text := micro.RandomMail(rand.New(rand.NewPCG(n, 9)), model)
			p := micro.Parse(text)
			want := run(micro.New(p), exhaustive.New(), 5000)
			if !want.complete || want.crashes > 0 {
				continue
			}
			compared++
			compareReal(t, &real{p: p, model: capacity, crowd: n%2 == 1}, dpor.New(true), want,
				fmt.Sprintf("%s, program %d:\n%s", model, n, text))
		}
		t.Logf("%s: %d programs", model, compared)
	}
}

// TestRealActors is TestReal with programs of deliveries, and with the strategies that are for
// them.
func TestRealActors(t *testing.T) {
	for model, capacity := range map[string]int32{"bag": trace.Bag, "pairs": trace.Pairs} {
		for n := range uint64(60) {
			text := micro.RandomActors(rand.New(rand.NewPCG(n, 21)), model, 1)
			p := micro.Parse(text)
			want := run(micro.New(p), exhaustive.New(), 5000)
			if !want.complete {
				continue
			}
			compareReal(t, &real{p: p, model: capacity, crowd: n%2 == 1}, race.New(nil), want,
				fmt.Sprintf("%s, program %d, race:\n%s", model, n, text))
			for form, make := range actorForms {
				what := fmt.Sprintf("%s, program %d, %s:\n%s", model, n, form, text)
				compareReal(t, &real{p: p, model: capacity, crowd: n%2 == 1},
					make(orderOf(t, orderNames[1+n%3])), want, what)
			}
		}
	}
}

// TestOvertaking: a message cannot overtake another one of its sender in the same mailbox under
// pairs, but in another one it can.
func TestOvertaking(t *testing.T) {
	const program = "box a\nbox b\nA: select <-a | <-b | default\nB: len b\nC: a<-0; len b; b<-0"
	for model := range map[string]bool{"actor": true, "pairs": true} {
		want := run(under(model, program), exhaustive.New(), 1000000)
		for _, order := range orderNames {
			for _, sleep := range []bool{false, true} {
				d := dpor.New(sleep)
				d.Prefer(orderOf(t, order))
				check(t, fmt.Sprintf("%s, order %s, sleep sets %v", model, order, sleep), program,
					run(under(model, program), d, 1000), want)
			}
		}
	}
}

func set(list []string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}
