package bench

import (
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// Config says what is measured. The zero value measures all but long subjects, without budgets.
type Config struct {
	Subject    string   // regular expression over names of subjects
	Strategies []string // names of variants' strategies; nil: all that are built
	Orders     []string // of -order; nil: each strategy's own
	Tasks      []string // of -tasks; nil: all
	Models     []string // delivery models; nil: go
	// of -independence: each variant that takes it is run without it, and with it; empty: none does
	Independence string
	// only variants that a paper prints a number of, on its own subjects
	Papers        bool
	Long          bool          // long subjects, too
	MaxExecutions int           // of one run; 0: no bound, but for samples
	Timeout       time.Duration // of one run; 0: none
}

// module is the temporary module that holds the subjects.
type module struct {
	dir      string
	packages map[place]exec.Package
}

// place is a program's directory below testdata, and the purpose of its binary.
type place struct {
	dir string
	binary
}

// binary is what a binary is for.
type binary struct {
	model    string
	compares bool // states
	facts    bool // it carries what the analyses know
}

// Row is the result of one run. The names of the fields are a contract with those who read the
// JSON.
type Row struct {
	Subject, Package, Test, Strategy, Model string
	// of -order; empty: the strategy's own
	Order        string `json:",omitempty"`
	Tasks        string // of -tasks
	Independence string `json:",omitempty"` // of -independence
	Verdict      string // pass, fail or error
	Complete     bool
	Reason       string `json:",omitempty"` // why it is not complete
	// the strategy is none for the program
	Refused                                  bool `json:",omitempty"`
	Executions, Blocked, Transitions, Traces int
	// Traces is the least that there can be
	MoreTraces bool `json:",omitempty"`
	// of messages to actors, those that several executions begin with once
	Deliveries int `json:",omitempty"`
	// of a stateful search, received on the ways between States
	Messages int     `json:",omitempty"`
	Seconds  float64 // of the exploration
	// executions, also those cut off, in a second
	Rate float64
	// seconds on processors of the process, in all; 0: not known
	CPU float64 `json:",omitempty"`
	// peak resident memory of the process, in bytes; 0: not known
	Memory int64
	// of a run that is not complete: estimate of all executions
	Total float64 `json:",omitempty"`
	// of a complete one: what was estimated after 1 % of the executions, divided by what it turned
	// out to be
	Early float64 `json:",omitempty"`
	// inequivalent executions; null: not known under this model
	Known *int
	// of a strategy that remembers them
	States int    `json:",omitempty"`
	Why    string `json:",omitempty"` // Known, derived
	// executions, also those cut off, to Known
	Ratio float64 `json:",omitempty"`
	Met   Met     // whether what is known was met
	// of actors, by -order stable
	Selection    Selection `json:",omitzero"`
	Distinct     int       // outcomes that are listed
	MoreDistinct bool      `json:",omitempty"` // there are others
	Papers       []Figure  `json:",omitempty"`
	// how few executions, those cut off included, are wanted
	Target *Target `json:",omitempty"`
}

// Selection says how actors were selected: see explore.Selection.
type Selection struct{ States, Proved, Heuristic, Backtracked int }

// Met says whether a run has met what is known.
type Met string

// job is one run: a variant on a subject.
type job struct {
	subject Subject
	variant variant
}

// Target is how many executions, those cut off included, a refinement is to need for a subject.
type Target struct {
	Subject, Model, Strategy, Independence string `json:"-"`
	Least, Most                            int
	// what is the same in all the executions that are left out, or where the number comes from
	What string
}

// Subject is one program with its size, and what is known about it.
type Subject struct {
	// "nsenders(5)"; empty: a program that is not measured
	Name   string `json:"subject"`
	Dir    string // below testdata
	Test   string // the name of the test
	Traces *int   // inequivalent executions under Go's channels; nil: not known
	// inequivalent executions under other models, as far as they are known
	Models map[string]int
	// inequivalent executions if unobserved orders make no difference; nil: Traces
	Observed *int
	// those left under the model actor if independent tasks commute; nil: not known
	Independent *int
	Equal       *int // those left if sends of equal values commute; nil: not known
	Symmetric   *int // those left if twins begin in one order; nil: not known
	// those left if sends of values that are only added up commute; nil: not known
	Commute *int
	Finding string // the kind of what is wrong with it; empty: nothing
	Note    string // why there are so many
	Long    bool   // too large to be explored without being asked for
}

// variant is a strategy with its order and tasks, under a model, ready to run.
type variant struct {
	strategy string // as people write it: "dpor+sleep"
	order    string // of -order; empty: the strategy's own
	tasks    string // of -tasks
	model    string
	options  options.Options
}

// Figure is what a paper prints about a subject and a variant.
type Figure struct {
	Table       string
	Printed     string // the subject's name there
	Subject     string // and here; empty: it is not here
	Strategy    string // the name that it has here
	Order       string
	Tasks       string
	Executions  int // the paper's paths
	Transitions int `json:",omitempty"` // 0: not printed
	States      int `json:",omitempty"` // 0: not printed
	// of the states, those where no actor was proved to be stable; nil: not printed
	Heuristic *int `json:",omitempty"`
	Cut       bool `json:",omitempty"` // it did not end: there are more
}

// Table shows rows as they come: Begin, any number of Row, End.
type Table interface {
	Begin()
	Row(r Row)
	End()
}

// The values of Met.
const (
	yes  Met = "yes"
	no   Met = "no"
	open Met = "" // nothing is known, or the run was cut off
)
