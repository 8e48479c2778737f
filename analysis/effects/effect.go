package effects

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Kind is what an effect does.
type Kind uint8

// The kinds of effects.
const (
	Read    Kind = iota
	Write        // also of an entry of a map, and its deletion
	Update       // x = x op e, and nothing else uses the old value
	Send         // of a message
	Receive      // within a task
	Close        // of a channel
	Spawn        // of a goroutine
	Block        // an operation on a lock, a WaitGroup, a Cond, an atomic variable
	Outside      // input and output, the clock, chance, the log of a test
	Unknown      // it may do anything
	Stop         // the goroutine may end
	Defer        // of the function of the actor's loop: the call runs when the loop has ended
)

// isMemory reports whether k is an access.
func (k Kind) isMemory() bool { return k <= Update }

// Effect is one thing that a function may do. Parameters stand for what its callers pass.
type Effect struct {
	Kind Kind
	Loc  *Location // of an access
	// of an access, while it is not known whether the object is new: what leads to it
	Pointer ssa.Value
	// what the access starts from, if it is a parameter: the object may be new to the caller
	Base  *ssa.Parameter
	By    string // of an Update, the operator; of a Write, "delete"
	Key   Ref    // of an access: of the map's entry or the array's element
	Value Ref    // of a Write, what is written; of a Send, the message
	Chan  Ref    // of a Send, Receive or Close
	// what the outermost caller that is known passes as the channel of a Send; nil: it is that of
	// Instr
	Via     ssa.Value
	What    string          // channel or function, for people
	Spawned bool            // a goroutine does it that the function starts
	Instr   ssa.Instruction // of a Send
	State   int             // of a Send by a select, its case; else -1
	Pos     token.Pos
}

// isOpen reports whether e depends on the caller, or on the activation of the function around the
// effect's own.
func (e Effect) isOpen() bool {
	return e.Base != nil || open(e.Key) || open(e.Value) || open(e.Chan)
}

func open(r Ref) bool {
	switch r.Root.(type) {
	case nil, *ssa.Const, *ssa.MakeChan, *ssa.Global:
		return false
	}
	return true
}

// set is an ordered set of effects, each with the least number of conditions on the way to it.
type set struct {
	list  []Effect
	depth []int // parallel to list
	// one more than the index of the last effect there; an Effect is too large for a key
	last map[spot]int
	prev []int // parallel to list: the same for the effect before that one
}

// spot is what tells most effects of a function apart.
type spot struct {
	kind Kind
	loc  *Location
	pos  token.Pos
}

// add adds e and reports whether anything has changed.
func (s *set) add(e Effect, depth int) bool {
	i := s.at(e)
	if i >= 0 && s.depth[i] <= depth {
		return false
	}
	if i >= 0 {
		s.depth[i] = depth
		return true
	}
	if s.last == nil {
		s.last = map[spot]int{}
	}
	key := spot{e.Kind, e.Loc, e.Pos}
	s.list = append(s.list, e)
	s.depth = append(s.depth, depth)
	s.prev = append(s.prev, s.last[key])
	s.last[key] = len(s.list)
	return true
}

// at returns the index of e; -1 if it is not in the set.
func (s *set) at(e Effect) int {
	i := s.last[spot{e.Kind, e.Loc, e.Pos}] - 1
	for i >= 0 && s.list[i] != e {
		i = s.prev[i] - 1
	}
	return i
}

// has reports whether e is in the set.
func (s *set) has(e Effect) bool { return s.at(e) >= 0 }
