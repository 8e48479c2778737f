package pointsto

import "golang.org/x/tools/go/ssa"

// analysis is the state of Analyze: the constraints and what they are about. It stands on tables,
// each of which uses only those before it:
//
//	solver     the graph of sets
//	objects    the possible elements of sets
//	casts      which of these a value of a type may be
//	contexts   the functions that are reached, and which calls of one are told apart
//	bags       what goes into code without bodies and unknown code, and comes out
//	callGraph  calls, with their arguments and results
//	library    what code without bodies does: it calls functions that it was given
//
// While sets grow, rules see new elements and make further constraints of any kind. So the solver
// knows rules as an interface, and a rule has the tables that it works on.
type analysis struct {
	library
	invoked    map[invokeKey]bool // see invokeParts
	panics     nodeID             // what was passed to panic
	generated  int                // how many of reached have their constraints
	foreigners map[*Instance]bool // called by unknown code
}

// invokeKey is to add each rule of a part once.
type invokeKey struct {
	in   *Instance
	site ssa.CallInstruction
	part nodeID
}

// solve generates the constraints of the functions that are reached and propagates, until nothing
// changes; false if the budget does not suffice.
func (a *analysis) solve() bool {
	for {
		if len(a.reached) > a.generated {
			a.generated++
			a.generate(a.reached[a.generated-1])
			continue
		}
		n, ok := a.dequeue()
		if !ok {
			return true
		}
		if a.steps > a.Budget {
			return false
		}
		a.propagate(n)
	}
}
