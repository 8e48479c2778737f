package independence

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// The figures and examples are those of the paper that the package's doc names.

func find(t *testing.T, dir string) facts.Program {
	t.Helper()
	if !strings.Contains(dir, "/") {
		dir = "testdata/" + dir
	}
	l, err := load.Load(load.Config{Patterns: []string{"./" + dir}})
	if err != nil {
		t.Fatal(err)
	}
	return Find(l)
}

// sets returns R(t) and W(t) of each handler. An update reads and writes.
func sets(v facts.Program, actor string) map[string]string {
	out := map[string]string{}
	for i, a := range v.Actors {
		if a.Name != actor {
			continue
		}
		for k, task := range v.Behaviours[i].Tasks {
			var r, w []string
			for _, x := range task.Accesses {
				if x.Location.Where != facts.Field {
					continue
				}
				if x.Mode != facts.Writes && !slices.Contains(r, x.Location.Name) {
					r = append(r, x.Location.Name)
				}
				if x.Mode != facts.Reads && !slices.Contains(w, x.Location.Name) {
					w = append(w, x.Location.Name)
				}
			}
			out[a.Handlers[k].Kind] = "R " + strings.Join(r, " ") + " W " + strings.Join(w, " ")
		}
	}
	return out
}

func equal(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for k, w := range want {
		if got[k] != w {
			t.Errorf("%s of %s is %q, want %q", what, k, got[k], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %v", what, got)
	}
}

// TestExample1 has the fields that the tasks of Fig. 3 access: p writes f, m and t write g, and
// each reads what it writes. Every handler also reads the field of its mailbox, to receive the next
// message. A worker reads its mailbox and the registry's, and writes nothing.
func TestExample1(t *testing.T) {
	v := find(t, "fig3")
	equal(t, "Reg", sets(v, "Reg.loop"), map[string]string{
		"p": "R Reg.f W Reg.f", "m": "R Reg.g W Reg.g", "t": "R Reg.g W Reg.g",
	})
	equal(t, "Worker1", sets(v, "Worker1.loop"), map[string]string{"": "R Reg.inbox W "})
	equal(t, "Worker2", sets(v, "Worker2.loop"), map[string]string{"": "R Reg.inbox W "})
}

// chains returns Ch(A::m), in words, without the package.
func chainsOf(v facts.Program, actor, handler string) []string {
	var from facts.Target
	for i, a := range v.Actors {
		for _, h := range a.Handlers {
			if a.Name == actor && (h.Kind == handler || h.Mailbox == handler) {
				from = facts.Target{Actor: v.Behaviours[i].Actor, Handler: h.Name()}
			}
		}
	}
	var out []string
	eachChain(v.Calls, from, func(c chain) bool {
		var names []string
		for _, t := range c {
			s := t.String()
			s = s[strings.LastIndexByte(s, '/')+1:]
			names = append(names, s[strings.IndexByte(s, '.')+1:])
		}
		out = append(out, strings.Join(names, " -> "))
		return true
	})
	slices.Sort(out)
	return out
}

func wantChains(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestExample2: a3 does not know a1, but its task may cause one of a1 by way of a2: C::m -> B::p ->
// A::q is in Ch(C::m).
func TestExample2(t *testing.T) {
	v := find(t, "example2")
	wantChains(t, chainsOf(v, "C.loop", "C.inbox"),
		"C.loop::C.inbox -> B.loop::B.inbox",
		"C.loop::C.inbox -> B.loop::B.inbox -> A.loop::A.inbox")
	wantChains(t, chainsOf(v, "B.loop", "B.inbox"), "B.loop::B.inbox -> A.loop::A.inbox")
	wantChains(t, chainsOf(v, "A.loop", "A.inbox"))
}

// TestExample3: in Fig. 3, q may cause m and h may cause t, both of Reg, so Reg is not stable while
// q or h is pending. No task causes one of a worker, so the workers are stable: condition 1 of
// Theorem 1.
func TestExample3(t *testing.T) {
	v := find(t, "fig3")
	wantChains(t, chainsOf(v, "Worker1.loop", "Worker1.inbox"),
		"Worker1.loop::Worker1.inbox -> Reg.loop::Reg.inbox::m")
	wantChains(t, chainsOf(v, "Worker2.loop", "Worker2.inbox"),
		"Worker2.loop::Worker2.inbox -> Reg.loop::Reg.inbox::t")
	for _, kind := range []string{"p", "m", "t"} {
		wantChains(t, chainsOf(v, "Reg.loop", kind))
	}
}

// TestExample3OneType is the same where all mailboxes have one type, and messages are sent by
// goroutines of a common function.
func TestExample3OneType(t *testing.T) {
	v := find(t, "../../testdata/registry")
	wantChains(t, chainsOf(v, "worker1", "inbox"), "worker1::inbox -> registry::inbox::m")
	wantChains(t, chainsOf(v, "worker2", "inbox"), "worker2::inbox -> registry::inbox::t")
}

// TestExample4: in Fig. 5, fib may cause fib (of its children) and res (of its parent), and res may
// cause res. The example also speaks of a chain res -> res -> res; by the definition of Ch it is
// none, because its middle is equal to its ends.
//
// The depths: fib sends res if v <= 1, and fib otherwise; res sends if n is not 0 and the parent is
// not nil.
func TestExample4(t *testing.T) {
	v := find(t, "fig5")
	fib, res := "Fib.loop::Fib.inbox::fib", "Fib.loop::Fib.inbox::res"
	wantChains(t, chainsOf(v, "Fib.loop", "fib"), fib+" -> "+fib, fib+" -> "+res)
	wantChains(t, chainsOf(v, "Fib.loop", "res"), res+" -> "+res)
	depths := map[string]int{}
	for _, c := range v.Calls {
		depths[c.From.Handler+" "+c.To.Handler] = c.Depth
	}
	for call, want := range map[string]int{
		"Fib.inbox::fib Fib.inbox::fib": 1, "Fib.inbox::fib Fib.inbox::res": 1,
		"Fib.inbox::res Fib.inbox::res": 2,
	} {
		if depths[call] != want {
			t.Errorf("%s has depth %d, want %d", call, depths[call], want)
		}
	}
	equal(t, "Fib", sets(v, "Fib.loop"), map[string]string{
		"fib": "R Fib.inbox Fib.parent W ",
		"res": "R Fib.inbox Fib.parent Fib.n Fib.r W Fib.n Fib.r",
	})
}

// verdicts returns what holds for each pair of an actor's kinds.
func verdicts(v facts.Program, actor string, m facts.Model) map[string]string {
	out := map[string]string{}
	for i, a := range v.Actors {
		if a.Name != actor {
			continue
		}
		for _, p := range v.Behaviours[i].Pairs {
			out[a.Handlers[p.First].Kind+" "+a.Handlers[p.Second].Kind] = string(p.Verdict(m))
		}
	}
	return out
}

// TestExample5: indep(p, m) and indep(p, t) hold, indep(m, t) does not. Beyond the paper, two of a
// kind commute: f++ with f++, g *= 2 with g *= 2. Nobody of Reg sends, so the delivery model does
// not matter.
func TestExample5(t *testing.T) {
	v := find(t, "fig3")
	for _, m := range []facts.Model{facts.GoModel, facts.PairsModel, facts.ActorModel} {
		equal(t, string(m), verdicts(v, "Reg.loop", m), map[string]string{
			"p p": "independent", "p m": "independent", "p t": "independent",
			"m m": "independent", "m t": "dependent", "t t": "independent",
		})
	}
}

// TestTheorem2 looks at Fig. 5: fib writes nothing, so it commutes with res and with itself as far
// as memory goes, and two res do not commute. Both send, which matters under -model go; two fib
// start goroutines.
func TestTheorem2(t *testing.T) {
	v := find(t, "fig5")
	equal(t, "actor", verdicts(v, "Fib.loop", facts.ActorModel), map[string]string{
		"fib fib": "dependent", "fib res": "independent", "res res": "dependent",
	})
	equal(t, "go", verdicts(v, "Fib.loop", facts.GoModel), map[string]string{
		"fib fib": "dependent", "fib res": "dependent", "res res": "dependent",
	})
	for _, p := range v.Behaviours[0].Pairs {
		for _, c := range p.Conflicts {
			if c.Kind == facts.Memory && (p.First != 1 || p.Second != 1) {
				t.Errorf("%v conflicts in memory", p)
			}
		}
	}
}
