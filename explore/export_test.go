package explore

import "github.com/rehearse-go/rehearse/runtime/trace"

// SetMaxTraces sets how many traces are told apart, and returns what it was.
func SetMaxTraces(n int) (before int) {
	before, maxTraces = maxTraces, n
	return before
}

// HashOf is hashOf.
var HashOf = hashOf

// LifeOf returns the state of process p's life at the end of x.
func LifeOf(x *trace.Execution, p int32) Life { return newHistory(x).life(p) }
