package explore

// SetMaxTraces sets how many traces are told apart, and returns what it was.
func SetMaxTraces(n int) (before int) {
	before, maxTraces = maxTraces, n
	return before
}

// HashOf is hashOf.
var HashOf = hashOf
