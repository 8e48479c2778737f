package record

// Question is what the live page asks of a controlled binary: a line of JSON on its standard input.
type Question struct {
	Schedule string // an execution, as the text of a schedule's file
	// Run its first Step choices, then the alternative of this number, as Trace.Alts has them, and
	// go on from there by default.
	Step, Alternative int
	Save              bool // keep the schedule below the package's directory instead
}

// Answer is a line of JSON on the binary's standard output.
type Answer struct {
	Trace   *Trace `json:",omitempty"`
	File    string `json:",omitempty"` // the schedule that was saved, below the package's directory
	Failure string `json:",omitempty"` // why there is neither
}

// Tried is the role of a trace that the live page has asked for.
const Tried = "tried"
