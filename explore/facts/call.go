package facts

// Call is one link of the chains: a task of From may cause one of To (the papers' A::m -> B::n).
type Call struct {
	From, To Target
	// conditions that are checked before it, at least (sect. 4.3 of the paper named at Task)
	Depth int
	// of a goroutine that is no actor: only before it has waited for anything
	Early bool  `json:",omitempty"`
	At    []Pos // of the sends
}
