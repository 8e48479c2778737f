package record

// Package is what the record says of one package: the parts of all its binaries.
type Package struct {
	Header
	Verdict    string // "pass", "fail", "error"; empty: the binary ended before it could say
	Reason     string // why nothing was explored
	Seconds    float64
	Incomplete int
	Unbegun    int
	Tests      []*Test
	Facts      *Facts // about its actors; nil: nobody has looked
}

// Test is the result of one test.
type Test struct {
	Package, Name                    string // in the record, Name is called Test
	Verdict, Summary, Reason         string // the verdict may be Exploring
	Complete                         bool
	Model, Strategy, Order           string
	Executions, Blocked, Transitions int
	Traces, States, Sampled          int
	Seconds, Total, Spread           float64
	Fixed, Cut                       []Limit
	UpTo                             []string // as in JSON: packages explored in whole steps
	Outcomes                         []Outcome
	Others, Unlisted                 int // outcomes that are not listed, and their executions
	Slow, Known                      []Finding
	Notes                            []string
	Used                             []string
	Pruned                           []Pruned
	Audited                          *Audited
	Found                            []*Finding // those that count, with their traces
	Examples                         []*Trace   // executions that belong to no finding
	Tree                             *Node      // the shape of the search; nil: not known
}

// Pruned says how often an order of two tasks was left out, as Fact says that they commute.
type Pruned struct {
	Actor, First, Second, Fact string
	Count                      int
}

// Audited says how many pairs were run in both orders and compared, of those that were met.
type Audited struct {
	Sums, Steps, Wrong bool
	Pairs, States, Met int
}

// Node is a node of the search's tree: the executions that begin with the same choices.
type Node struct {
	Step                           int // the event at which it parts from its siblings, from 0
	Process, Path, Does, Partner   string
	Executions, Redundant, Failing int
	Kids                           []*Node `json:",omitempty"`
}

// Limit is what was fixed or cut, and where.
type Limit struct {
	What   string
	Places []string
}

// Outcome is one of a test's outcomes.
type Outcome struct {
	Number             int // from 1, among all of the test
	Verdict, Kind, Log string
	Count              int
}

// Finding is one thing that is wrong.
type Finding struct {
	Number         int // from 1, among those of its test
	Kind, Message  string
	Sentence       string // what decides, in one sentence; empty: no passing order is known
	Identity       string // equal for the same finding in another run
	Pos            string
	Schedule       string // below the package's directory
	Rough, Sampler string
	Count, Away    int
	Processes      []Process
	Log, Stack     []Line
	Accesses       []RaceEnd // of a race: the two
	Chart          []string
	Causes         []Cause
	Delay          string
	Failing        *Trace // nil: not recorded
	Passing        *Trace // nil: none is known
}

// Process is the part of one process in a finding.
type Process struct{ Name, Path, State, Op, Wait, Pos string }

// Line is a text with the place it comes from.
type Line struct{ Pos, Text string }

// RaceEnd is one of the two accesses of a race.
type RaceEnd struct {
	What, Process string
	Stack         []Line
	Step          int // the number of steps that had been done
	Holds         []Lock
}

// Lock is a lock that is held: its number, its name in the code, and the place where it was locked.
type Lock struct {
	Name, Code, Pos string
	Read            bool // for reading only
}

// Cause says why a step matters: First comes before Second, and their order decides.
type Cause struct {
	Step          int
	Order, Over   string
	First, Second *CauseEnd
	Object, Rule  string
}

// CauseEnd is one of two steps in a race.
type CauseEnd struct {
	Step             int
	Process, Op, Pos string
}
