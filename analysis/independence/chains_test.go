package independence

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// chain is an element of Ch(A::m), sect. 4.2 of the paper that the package's doc names: A1::m1 ->
// ... -> Ak::mk, k >= 2. Each link between the first and the last occurs once.
type chain []facts.Target

// String returns "A::m -> B::n".
func (c chain) String() string {
	parts := make([]string, len(c))
	for i, t := range c {
		parts[i] = t.String()
	}
	return strings.Join(parts, " -> ")
}

// eachChain calls f for each element of Ch(from) that calls allow, shortest beginnings first, until
// f returns false. Their number may be exponential.
func eachChain(calls []facts.Call, from facts.Target, f func(chain) bool) {
	next := map[facts.Target][]facts.Call{}
	for _, c := range calls {
		next[c.From] = append(next[c.From], c)
	}
	extend(next, chain{from}, f)
}

// extend goes on from the end of c. A chain ends when it comes back to its beginning, and never
// comes back to a target in its middle.
func extend(next map[facts.Target][]facts.Call, c chain, f func(chain) bool) bool {
	for _, call := range next[c[len(c)-1]] {
		if slices.Contains(c[1:], call.To) {
			continue
		}
		longer := append(c[:len(c):len(c)], call.To)
		if !f(longer) {
			return false
		}
		if call.To != c[0] && !extend(next, longer, f) {
			return false
		}
	}
	return true
}

// TestChains: the middle of a chain occurs once; a graph with a cycle has finitely many chains.
func TestChains(t *testing.T) {
	target := func(name string) facts.Target { return facts.Target{Actor: name, Handler: "m"} }
	a, b, c := target("A"), target("B"), target("C")
	var got []string
	eachChain([]facts.Call{{From: a, To: b}, {From: b, To: c}, {From: b, To: a}, {From: c, To: b},
		{From: c, To: c}}, a, func(c chain) bool {
		got = append(got, c.String())
		return true
	})
	want := "A::m -> B::m; A::m -> B::m -> C::m; A::m -> B::m -> A::m"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s", strings.Join(got, "; "))
	}
}
