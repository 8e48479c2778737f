// Package fanin says which receives take values that their process only adds up, so that it does
// not matter in which order they come: fan-in. The explorer lets the sends commute whose values one
// run of such receives takes (package explore/depend, joint receives).
//
// Vocabulary
//
//   - quiet: with no visible operation of the process in between. Visible are a send, a receive, a
//     select, a go statement and a close: they end a run of receives.
//   - round: the code that a process may run quietly from one receive to the next one at the same
//     place. Control flow alone decides what belongs to a round: an outer loop does, unless it has
//     a visible operation.
//   - steady: the same in all rounds of a run. A moment is a pure function of the value received
//     and of steady values.
//   - accumulator: a variable that rounds use for one thing only: they change it by x = x op
//     moment, by operators of one class, which commute, or set it to one constant. The code after
//     the last round may use it freely.
//   - group: receives such that the state of the process after several of them, one right after the
//     other, is the same for each order of their values.
//
// Guarantees: a round has no calls and no panics that depend on a value. A branch on a value
// decides only about accumulators and moments. So a round changes its accumulators, and nothing
// else of it depends on values.
//
// A group has one of two forms: one receive in a loop (round.go, values.go), or several in a line
// whose values one expression adds up (line.go). Its function must run at most once in a process
// (once.go): receives of two calls, one right after the other, belong to two sums.
//
// LIMITS: Receives are in no group if their values go through anything else: messages behind
// pointers, elements of slices and maps, calls of functions other than len, min and max,
// floating-point sums, concatenations, or a && r.ok with the accumulator a first. A place is a
// line: a line with receives of several groups, or with one of no group, is in none. Another
// process that looks at an accumulator without synchronisation is in a data race, and may see other
// partial sums.
package fanin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Find returns the groups of the packages of l that have bodies, in source order.
func Find(l *load.Result) []facts.Sum {
	functions := withBodies(l.SSA())
	calls := callsOf(functions, entries(l))
	t := &table{pos: positions(l), sums: map[string]facts.Sum{}, lines: map[string][]string{}}
	for _, fn := range functions {
		var groups []group
		if calls.once(fn) {
			groups = append(lines(fn), loops(fn)...)
		}
		t.add(fn, groups)
	}
	return t.list()
}

// withBodies returns the functions of prog that have a body, in source order. Of generic functions
// these are the instances.
func withBodies(prog *ssa.Program) []*ssa.Function {
	var out []*ssa.Function
	for fn := range ssautil.AllFunctions(prog) {
		if len(fn.Blocks) > 0 && !isGeneric(fn) {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), strings.Compare(a.String(), b.String()))
	})
	return out
}

func isGeneric(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
			return true
		}
	}
	return false
}

// positions returns a function that writes positions.
func positions(l *load.Result) func(ssa.Instruction) facts.Pos {
	return func(i ssa.Instruction) facts.Pos { return kernel.Position(l.Place(i.Pos())) }
}

// group is a group of receives of one function.
type group struct {
	receives []*ssa.UnOp
	fact     string // what is done with their values
}

// table collects the groups by what the explorer can tell: lines.
type table struct {
	pos  func(ssa.Instruction) facts.Pos
	sums map[string]facts.Sum // by key
	keys []string
	// the keys of the receives of a line, each once; "" is that of no group
	lines map[string][]string
}

// add adds a function's groups, and notes its receives that are in none.
func (t *table) add(fn *ssa.Function, groups []group) {
	grouped := map[ssa.Instruction]bool{}
	for _, g := range groups {
		s := facts.Sum{Fact: g.fact}
		for _, r := range g.receives {
			grouped[r] = true
			s.Receives = append(s.Receives, t.pos(r))
		}
		t.enter(s)
	}
	for i := range kernel.All(fn) {
		if r, ok := i.(*ssa.UnOp); ok && isReceive(r) && !grouped[r] {
			t.note(t.pos(r), "")
		}
	}
}

// enter adds s. Instances of a generic function have equal groups, or none.
func (t *table) enter(s facts.Sum) {
	key := s.Fact
	for _, at := range s.Receives {
		key += fmt.Sprintf("|%s:%d", at, at.Col) // a line may have several
	}
	if _, known := t.sums[key]; !known {
		t.sums[key] = s
		t.keys = append(t.keys, key)
	}
	for _, at := range s.Receives {
		t.note(at, key)
	}
}

func (t *table) note(at facts.Pos, key string) {
	if line := at.String(); !slices.Contains(t.lines[line], key) {
		t.lines[line] = append(t.lines[line], key)
	}
}

// list returns the groups without the receives that their lines do not tell apart from others.
func (t *table) list() []facts.Sum {
	var out []facts.Sum
	for _, key := range t.keys {
		s := t.sums[key]
		s.Receives = slices.DeleteFunc(s.Receives,
			func(at facts.Pos) bool { return len(t.lines[at.String()]) > 1 })
		if len(s.Receives) > 0 {
			out = append(out, s)
		}
	}
	return out
}
