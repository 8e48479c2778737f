package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Budget bounds the search of one scope. It counts work and not time, so that the same code has the
// same findings on every machine: see cost.
type Budget struct {
	Executions, Work int
}

// standard is the budget of a scope in a small package.
var standard = Budget{Executions: 2000, Work: 40_000}

// packageWork is the work that all scopes of a package share, and leastWork what each has at least.
const (
	packageWork = 800_000
	leastWork   = 1_000
)

// share is the budget of each of n scopes: a package with hundreds of functions that lock must not
// take minutes.
func share(n int) Budget {
	b := standard
	b.Work = min(b.Work, max(packageWork/n, leastWork))
	return b
}

// cost is the work of an execution with n events and so many instructions. The search looks for
// races among pairs of events.
func cost(n, instructions int) int { return 4 + n + n*n/12 + instructions/20 }

// defaults bounds executions.
var defaults = machine.Config{Rounds: 2, Events: 300, Instrs: 20_000, Depth: 40}

// search runs the orders and decisions of one scope.
type search struct {
	prog *skeleton.Program
	root *ssa.Function
	cfg  machine.Config
	note func(m *machine.Machine, x *trace.Execution) // is called with each execution; nil: nothing

	Executions, Work int
	Complete, Over   bool           // all orders were tried; the budget was used up
	Unfinished       map[string]int // executions that came to a bound, by which
}

// run explores and calls visit after each finished execution, until that returns false.
func (s *search) run(b Budget, visit func(m *machine.Machine, x *trace.Execution) bool) {
	s.Unfinished = map[string]int{}
	m := machine.New(s.prog, s.root, s.cfg)
	st, err := strategy.New(strategy.Plan{Name: "optimal"})
	if err != nil {
		panic(err) // the plan is fixed
	}
	defer s.mismatched()
	for st.Begin() {
		if s.Executions >= b.Executions || s.Work >= b.Work {
			s.Over = true
			return
		}
		x := m.Execute(st, false)
		st.End(x)
		s.Executions++
		s.Work += cost(len(x.Events), m.Ran())
		if s.note != nil {
			s.note(m, x)
		}
		switch {
		case x.End == trace.Cut || m.Over == machine.Contradicts:
		case m.Over != "":
			s.Unfinished[m.Over]++
		case !visit(m, x):
			return
		}
	}
	s.Complete = len(s.Unfinished) == 0
}

// mismatched ends a search whose replay differs, because processes share variables between their
// operations: it is not complete then.
func (s *search) mismatched() {
	switch r := recover().(type) {
	case nil:
	case explore.Mismatch:
		s.Unfinished["orders differ"]++
	default:
		panic(r)
	}
}
