package facts

import "slices"

// Chains calls f for each element of Ch(from) that calls allow, shortest beginnings first, until f
// returns false. Their number may be exponential.
func Chains(calls []Call, from Target, f func(Chain) bool) {
	next := map[Target][]Call{}
	for _, c := range calls {
		next[c.From] = append(next[c.From], c)
	}
	extend(next, Chain{Path: []Target{from}}, f)
}

// extend goes on from the end of c. A chain ends when it comes back to its beginning, and never
// comes back to a target in its middle.
func extend(next map[Target][]Call, c Chain, f func(Chain) bool) bool {
	for _, call := range next[c.Path[len(c.Path)-1]] {
		if slices.Contains(c.Path[1:], call.To) {
			continue
		}
		longer := Chain{append(c.Path[:len(c.Path):len(c.Path)], call.To), c.Depth + call.Depth}
		if !f(longer) {
			return false
		}
		if call.To != c.Path[0] && !extend(next, longer, f) {
			return false
		}
	}
	return true
}
