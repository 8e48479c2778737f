// Package record has the data for the reports that people look at: a controlled test binary writes
// a file, and the command renders it as HTML, SARIF, JUnit and other formats.
//
// Vocabulary: a record is one JSON object per line. Each part of a record, one per binary that was
// run, begins with a Header. The other lines are those of -json, told apart by Action (finding,
// result, package), and traces: a Trace is one execution, as columns. Texts, places and stacks, for
// example, are in tables, and the columns have indices.
//
// Guarantees: readers skip lines whose Action they do not know, and fields that they do not know. A
// record that ends early, as the binary was killed, is read up to there.
//
// LIMITS: the types for reading have the fields that are rendered; -json has more.
package record

// Version is the number of the format.
const Version = 1

// Header begins the part of a record that one binary has written.
type Header struct {
	Record  int    // Version
	Go      string // its version
	Package string // import path
	Dir     string // absolute directory of the package
	Root    string `json:",omitempty"` // of its module
	// the user's directory: places that are not below Dir are relative to it
	Cwd    string
	Binary string `json:",omitempty"` // the file that wrote this; "": not known
	Values bool   // values and source are recorded
}

// Trace is one execution.
type Trace struct {
	Action  string // "trace"
	Package string
	Test    string
	// the finding that it shows, or passes beside, counted from 1 among those of the test; 0: none
	Finding int    `json:",omitempty"`
	Outcome int    `json:",omitempty"` // that it is an example of, from 1
	Role    string // Failing, Passing
	Verdict string // of this execution
	End     string `json:",omitempty"` // what it ended with, if that is more than the events say

	// The detail replay was the same execution as the one without details; else Why says in what it
	// differed.
	Detail bool
	Why    string `json:",omitempty"`
	Cut    int    `json:",omitempty"` // steps after the last one that is here

	// Parting is the step, from 0, at which the failing and the passing execution part; -1: none.
	Parting int
	// of a failing one: the two steps whose order decides; nil: not known
	Decision *Decision `json:",omitempty"`
	Schedule string    `json:",omitempty"` // as a file that rehearse replay runs
	Chart    []string  `json:",omitempty"` // of a passing one; a finding has its own

	Procs   []Proc
	Objects []Object
	Events  Columns
	Preds   [][]int32 // of each event, its immediate predecessors in happens-before
	// where processes talk through a library: the rows that people look at first; nil: all events
	Brief *Brief `json:",omitempty"`

	// Alts[k] has the alternatives before step k, as indices into AltTexts; empty: there was only
	// one, or they are not recorded. Took[k] is the one among them that was done; -1: they are not
	// recorded. AltCount[k] is their number.
	Alts     [][]int32
	Took     []int32
	AltCount []int32
	AltTexts []string

	Kinds  []string // of events, as schedules have them
	Texts  []string // what events did, and what processes wait for
	Values []string // what was sent
	Sites  []Site
	Stacks [][]Call
	// by file as in Sites, and line: the source around the places that are named
	Sources map[string]map[int]string `json:",omitempty"`
}

// Decision is a pair of steps, the second of which comes first in the passing execution.
type Decision struct {
	First, Second int32  // events; Second -1: it is not done
	Proc          int32  // the process of the second
	Object        string // what both act on
	Rule          string // why their order matters; empty: not known
}

// The roles of a trace.
const (
	Failing = "failing"
	Passing = "passing"
	Example = "example" // of an outcome
)

// Columns have an entry per event.
type Columns struct {
	Kind         []int32 // index into Trace.Kinds
	Proc         []int32
	Obj          []int32 // -1: none
	Partner      []int32 // of a rendezvous: who receives; -1: none
	From         []int32 // of a receive: the event that sent the value; -1: none, or not known
	N            []int32 // of an operation of a WaitGroup: what it adds
	Flags        []int32 // see OK and so on
	Text         []int32 // what was done
	Wants        []int32 // what Proc had declared, which it waited for until then
	PartnerWants []int32 // likewise; -1: there is no partner
	Site         []int32 // -1: not known
	PartnerSite  []int32
	Stack        []int32 // -1: not known
	PartnerStack []int32
	Value        []int32 // what was sent; -1: not known
	// of the clock before the step, in ns; empty: it never moved
	Time []int64 `json:",omitempty"`
}

// Brief has the rows of an execution without what a library does by itself, as columns.
type Brief struct {
	Event    []int32 // that a row stands for
	From, To []int32 // processes of an arrow; To is -1 if the row is of From alone
	Text     []int32 // "GET /seats -> 200", or what was done
	Site     []int32
	Parting  int32 // the event of the row at which it parts from the passing one; -1: none
}

// Flags of an event.
const (
	OK     int32 = 1 << iota // as of trace.Event
	Closed                   // the channel was closed
)

// Proc is a process.
type Proc struct {
	Name, Path string
	Parent     int32
	Born       int32 // the number of events that had been done when it was started
	// the number of its last event if it has ended after that; -1: it has not ended
	Ends      int32
	Site      int32  // where it was started; -1: not known
	Waits     string `json:",omitempty"` // what it waits for in the end
	WaitSite  int32  // where; -1: it does not
	WaitStack int32  // the stack there; -1: not known
}

// Object is a channel, a mutex or another object of an operation.
type Object struct {
	Name   string // "ch1"
	About  string `json:",omitempty"` // "chan int made at x.go:7"
	Family string // "ch", "mu" and so on
	Cap    int32  // of a channel
	Static bool   `json:",omitempty"` // it was there before the execution
}

// Site is a line of a file.
type Site struct {
	Place string // as people read it: "x.go:7"
	File  string // absolute
	Line  int
}

// Call is one of a stack, innermost first.
type Call struct {
	Func string
	Site int32
}
