package refine

import "time"

// Question is what a binary is asked, one line of JSON: to describe a harness, or to explore a
// script.
type Question struct {
	Harness string
	Script  *Script       // nil: describe it
	Draw    Draw          // where values are from that the harness does not name
	Far     bool          `json:",omitempty"` // look at more steps of executions without an end
	Budget  time.Duration // 0: none
}

// Draw says where the values of a type are from. Zero: a few of each.
type Draw struct {
	Quick  int      `json:",omitempty"` // so many random ones
	Seed   uint64   `json:",omitempty"`
	Corpus []Letter `json:",omitempty"` // those of fuzz tests
}

// Letter is a value of a basic kind.
type Letter struct {
	Kind string // as reflect has it, or "[]byte"
	Text string
}

// Explored is the answer.
type Explored struct {
	Interface *Interface `json:",omitempty"`

	View       View
	Executions int
	Complete   bool
	Reason     string   `json:",omitempty"` // why not
	Failure    string   `json:",omitempty"` // why nothing can be said
	Races      []string `json:",omitempty"` // data races: a racy program has no paths
	Fixed      []string `json:",omitempty"` // what was not tried in every way
	Wants      []string `json:",omitempty"` // callbacks that are called more often than is answered
	Left       []int    `json:",omitempty"` // operations, from 1, that some execution never ends
	// the operations that the environment may do with names that have crossed, by type
	Types map[string][]Port `json:",omitempty"`
	// some execution shows more outputs than are looked at
	Beyond  bool `json:",omitempty"`
	Stepped bool `json:",omitempty"` // some execution was ended by the bound on steps
	Timed   bool `json:",omitempty"` // some timer fires
	// the longest time until an execution's last output, on the clock of the execution
	Waited time.Duration `json:",omitempty"`
}

// DriverOf names the test by which a binary runs a harness.
func DriverOf(harness string) string { return "Test_" + harness }
