package facts

import "strings"

// Call is one link of the chains: a task of From may cause one of To (the papers' A::m -> B::n).
type Call struct {
	From, To Target
	// conditions that are checked before it, at least (sect. 4.3 of the paper named at Task)
	Depth int
	// of a goroutine that is no actor: only before it has waited for anything
	Early bool  `json:",omitempty"`
	At    []Pos // of the sends
}

// Chain is an element of Ch(A::m), sect. 4.2 of the paper named at Task: A1::m1 -> ... -> Ak::mk, k
// >= 2. Each link between the first and the last occurs once.
type Chain struct {
	Path  []Target
	Depth int // sum of the depths of its calls
}

// String returns "A::m -> B::n".
func (c Chain) String() string {
	parts := make([]string, len(c.Path))
	for i, t := range c.Path {
		parts[i] = t.String()
	}
	return strings.Join(parts, " -> ")
}
