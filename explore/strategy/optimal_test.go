package strategy_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var keepGoing = flag.Int("failures", 1,
	"failing programs after which a comparison of random programs ends")

// TestOptimal compares optimal with exhaustive search: the same outcomes, and one execution for
// each trace, none of them cut off.
func TestOptimal(t *testing.T) {
	compared, executions, failed := 0, 0, 0
	blocked := map[uint64]int{}
	for p := range trials(1, micro.Random, *largest) {
		s := optimal.New()
		got := run(p.m, s, 2**largest)
		compared, executions = compared+1, executions+got.executions
		if why := fault(s.Summary().Partial, got, p.want); why != "" {
			t.Errorf("program %d: %s\n%s", p.number, why, p.text)
			if failed++; failed == *keepGoing {
				break
			}
		}
		if got.blocked > 0 {
			blocked[p.number] = got.blocked
		}
	}
	t.Logf("%d programs, %d executions, blocked in programs that can crash: %v", compared,
		executions,
		blocked)
}

// TestOptimalFamilies is the same, with processes that others start: what a process does comes
// after its start, although the two are about no object.
func TestOptimalFamilies(t *testing.T) {
	compared, born := 0, 0
	for p := range trials(2, family, *largest) {
		if compared++; strings.Contains(p.text, "go T") {
			born++
		}
		s := optimal.New()
		if why := fault(s.Summary().Partial, run(p.m, s, 2**largest), p.want); why != "" {
			t.Fatalf("program %d: %s\n%s", p.number, why, p.text)
		}
	}
	t.Logf("%d programs, in %d of them processes start others", compared, born)
}

// family makes random programs in which some processes are started by ones before them.
func family(r *rand.Rand) string {
	lines := strings.Split(micro.Random(r), "\n")
	var procs []*string
	for i := range lines {
		if strings.HasPrefix(lines[i], "T") {
			procs = append(procs, &lines[i])
		}
	}
	for i := len(procs) - 1; i > 0; i-- {
		if r.IntN(2) == 0 {
			parent := procs[r.IntN(i)]
			name, _, _ := strings.Cut(*procs[i], ":")
			head, code, _ := strings.Cut(*parent, ": ")
			steps := strings.Split(code, "; ")
			*parent = head + ": " +
				strings.Join(slices.Insert(steps, r.IntN(len(steps)+1), "go "+name),
					"; ")
			*procs[i] = "*" + *procs[i]
		}
	}
	return strings.Join(lines, "\n")
}

// TestOptimalMail is the same, with mailboxes under either delivery model.
func TestOptimalMail(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		compared := 0
		for p := range trials(uint64(7+i), mail(model), *largest) {
			compared++
			s := optimal.New()
			if why := fault(s.Summary().Partial, run(p.m, s, 2**largest), p.want); why != "" {
				t.Fatalf("%s, program %d: %s\n%s", model, p.number, why, p.text)
			}
		}
		t.Logf("%s: %d programs", model, compared)
	}
}

// rotated begins with alternative number shift + depth * step.
type rotated struct{ shift, step int }

// Rank implements search.Order.
func (r rotated) Rank(s *trace.State, dst []int32) []int32 {
	n := len(s.Alts)
	for i := range s.Alts {
		dst = append(dst, int32((i-(r.shift+r.step*s.Depth)%n+n)%n))
	}
	return dst
}

// TestOptimalOrders: the number of executions does not depend on which process goes on first.
func TestOptimalOrders(t *testing.T) {
	compared := 0
	for p := range trials(4, micro.Random, *largest/4) {
		compared++
		for shift := range 4 {
			for step := range 3 {
				s := optimal.New()
				s.Prefer(rotated{shift, step})
				if why := fault(s.Summary().Partial, run(p.m, s, 2**largest), p.want); why != "" {
					t.Fatalf("program %d, from alternative %d + %d for each step: %s\n%s", p.number,
						shift, step,
						why, p.text)
				}
			}
		}
	}
	t.Logf("%d programs", compared)
}

// TestOptimalWide: stations that do not keep their alternatives lose nothing without saying so.
func TestOptimalWide(t *testing.T) {
	defer setWide(setWide(1))
	compared := 0
	for n := range uint64(*programs) / 3 {
		text := micro.Random(rand.New(rand.NewPCG(n, 5)))
		m := micro.New(micro.Parse(text))
		want := run(m, exhaustive.New(), *largest/4)
		s := optimal.New()
		if got := run(m, s, 2**largest); want.complete && s.Summary().Partial == "" {
			compared++
			if why := fault(s.Summary().Partial, got, want); why != "" {
				t.Fatalf("program %d: %s\n%s", n, why, text)
			}
		}
	}
	t.Logf("%d programs", compared)
}
