package facts

// Version numbers the form of Program. What reads facts of another version must not use them.
const Version = 1

// Program is all facts about a program.
type Program struct {
	Version int
	Inventory
	Behaviours []Behaviour `json:",omitempty"` // parallel to Actors
	Calls      []Call      `json:",omitempty"` // what the chains are made of
	Sources    []Target    `json:",omitempty"` // goroutines that are no actors and send, or start others
}
