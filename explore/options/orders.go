package options

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Orders are the flags that say how the orders are explored. A method answers a question that
// depends on several of them, and on no other flag.
type Orders struct {
	Model        string // -model: go, actor or pairs
	Strategy     string // -strategy
	Sleep        bool   // -sleep: sleep sets
	Order        string // -order: which process goes first; empty: the strategy's own
	Tasks        string // -tasks: all or independent
	Independence string // -independence: comma list
	Search       string // -search: dfs or bfs
	StepSize     string // -step: big or little
	State        string // -state: none, plain or actor
	Audit        int    // -audit: pairs of tasks, or executions; 0: none
	Fine         string // -fine: see trace.IsFine
	// -seed of the randomised strategies and of the program's own random numbers
	Seed          uint64
	Choices       string // -choices: select and words of trace.HiddenChoices; see Hidden
	MaxFaults     int    // -max-faults of one execution; 0: no bound
	MaxExecutions int    // -max-executions; 0: no bound
	MaxSteps      int    // -max-steps of one execution
	// -max-spins: polls in vain before a process has to let others go first
	MaxSpins    int
	StepTimeout time.Duration // -step-timeout: for one step; 0: none
	Clock       string        // -clock: delay, explore or idle
	// -delay: findings for which a goroutine must be held up for so long do not fail a test
	Delay time.Duration
	// -max-fires: with -clock explore, early firings of one execution; with delay, see Early; 0: no
	// bound
	MaxFires int
	Atomics  bool   // -atomics: atomic operations are scheduling points
	Races    bool   // -races: look for data races
	Isolate  bool   // -isolate: each execution is a process of its own
	Why      string // -why: two tasks, "A,B"; or "races", "symmetry" or "sections"
	// -backend: coroutine or goroutine; empty: the faster one that works
	Backend string
	Race    bool // -race: build with the race detector
}

// Early returns how many firings of one execution may come while some process could move; fewer
// than 0: any number. With -clock delay, that is what the search begins with.
func (o *Orders) Early() int {
	switch {
	case o.Clock != "explore":
		return 0
	case o.MaxFires == 0:
		return -1
	}
	return o.MaxFires
}

// Delays reports whether early firings are searched after all else.
func (o *Orders) Delays() bool {
	return o.Clock == "delay" && o.Model == "go" && strategy.Find(o.Strategy).Timed
}

// Still reports whether readings of the clock with no firing of a timer in between are equal.
// Otherwise each is later than those that happen before it: there, states would not be met again,
// and tasks that commute would read other times.
func (o *Orders) Still() bool {
	return o.Model != "go" || o.Compares() || o.AboutActors()
}

// Hidden returns the kinds of hidden choices that are explored, as schedules have them: words of
// trace.HiddenChoices, in their order. Which case of a select is taken is a choice in any case.
func (o *Orders) Hidden() string {
	var kinds []string
	for _, kind := range trace.HiddenChoices {
		if slices.Contains(strings.Split(o.Choices, ","), kind) {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, ",")
}

// Facts reports whether the exploration needs what the static analyses know.
func (o *Orders) Facts() bool {
	return o.Sums() || o.AboutActors()
}

// AboutActors reports whether the exploration needs the facts about actors: which of their tasks
// commute, and which tasks these may cause.
func (o *Orders) AboutActors() bool {
	return o.Refines() || o.Tasks == "independent" || o.Ordering() == "stable" || o.WhyTasks()
}

// Ordering is the order in which processes are picked: -order, or stable, the default of the
// papers' strategies for actors. With sleep sets little depends on it, and another one takes less
// time; empty: the strategy's own.
func (o *Orders) Ordering() string {
	papers := o.Model != "go" && (o.Strategy == "dpor" || o.Strategy == "transdpor")
	if o.Order == "" && papers && !o.Sleep && !o.Isolate && !o.Race {
		return "stable"
	}
	return o.Order
}

// WhyRaces reports whether -why asks for the races that the findings' schedules decide, instead of
// for two tasks.
func (o *Orders) WhyRaces() bool { return o.Why == "races" }

// WhySymmetry reports whether -why asks which goroutines are twins, and why others are none.
func (o *Orders) WhySymmetry() bool { return o.Why == "symmetry" }

// WhySections reports whether -why asks which critical sections have an order.
func (o *Orders) WhySections() bool { return o.Why == "sections" }

// WhyTasks reports whether -why asks whether two tasks commute.
func (o *Orders) WhyTasks() bool {
	return o.Why != "" && !o.WhyRaces() && !o.WhySymmetry() && !o.WhySections()
}

// Refines reports whether -independence asks for facts about actors.
func (o *Orders) Refines() bool {
	return !o.Sums() && (o.Independent("disjoint") || o.Independent("commute"))
}

// Sums reports whether -independence asks for facts about receives whose values are added up.
func (o *Orders) Sums() bool {
	return o.Model == "go" && o.Searcher() == "optimal" && o.Independent("commute") &&
		!o.Independent("disjoint")
}

// Searcher is the strategy that searches: auto is optimal where -independence has a word that no
// other strategy knows.
func (o *Orders) Searcher() string {
	if o.Strategy == "auto" && (o.Independent("observed") || o.Independent("equal") ||
		o.Model == "go" && o.Independent("commute")) {
		return "optimal"
	}
	return o.Strategy
}

// Arrives reports whether executions are left out in which some process fails to reach a channel
// although there is time. It is false if one execution stands for others that are not equivalent to
// it: an execution that is left out might stand for one that counts.
func (o *Orders) Arrives() bool {
	return o.Strategy != "stateful" && (o.Independence == "none" || o.Independence == "auto")
}

// Rests reports whether such executions are not even begun: a select does not miss a partner that
// rests. Other strategies leave them out after running them. The words for which auto stands can be
// named, too.
func (o *Orders) Rests() bool {
	other := func(word string) bool { return word != "symmetry" && word != "sections" }
	return (o.Arrives() || !slices.ContainsFunc(strings.Split(o.Independence, ","), other)) &&
		o.Model == "go" && slices.Contains([]string{"auto", "exhaustive", "dpor", "optimal",
		"random", "pct", "pos", "surw"}, o.Strategy)
}

// Independent reports whether a word is in the list of -independence, or is one that auto stands
// for. Auto stands for symmetry and sections if the strategy is left open, too, the delivery model
// is Go's, and the executions run in this process.
func (o *Orders) Independent(word string) bool {
	if o.Independence == "auto" && (word == "symmetry" || word == "sections") {
		return o.Strategy == "auto" && o.Model == "go" && !o.Isolate
	}
	return slices.Contains(strings.Split(o.Independence, ","), word)
}

// Observes reports whether the order of stores that nobody sees is left out.
func (o *Orders) Observes() bool {
	return o.Independent("observed") || o.Independent("equal") || o.Sums()
}

// Takes reports whether a flag, such as order, means something to the strategy.
func (o *Orders) Takes(flag string) bool {
	return slices.Contains(takers(flag), o.Strategy)
}

// Compares reports whether states are to be compared, which needs a binary that tells of its
// variables.
func (o *Orders) Compares() bool {
	return o.Strategy == "stateful" && o.State != "none" || o.AuditsFacts() || o.Independent("context")
}

// AuditsFacts reports whether pairs of tasks, or of sends, are audited. Otherwise -audit has to do
// with whole steps only.
func (o *Orders) AuditsFacts() bool {
	return o.Audit > 0 && (o.Refines() || o.Sums() || o.Tasks == "independent")
}

// Against returns the error of the first rule that o breaks. more tells of settings beside flags;
// nil: there are none.
func (o *Orders) Against(rules []strategy.Rule, more func(setting string) bool) error {
	breaks := func(setting string) bool {
		setting, not := strings.CutPrefix(setting, "!")
		return (o.holds(setting) || more != nil && more(setting)) != not
	}
	for _, r := range rules {
		if !slices.ContainsFunc(r.When, func(s string) bool { return !breaks(s) }) {
			return errors.New(strings.NewReplacer("{model}", o.Model, "{strategy}", o.Strategy,
				"{state}", o.State, "{independence}", o.Independence).Replace(r.Why))
		}
	}
	return nil
}

// holds reports whether a setting of a rule is given.
func (o *Orders) holds(setting string) bool {
	switch what, value, _ := strings.Cut(setting, " "); what {
	case "-race":
		return o.Race
	case "-isolate":
		return o.Isolate
	case "-sleep":
		return o.Sleep
	case "-audit":
		return o.AuditsFacts()
	case "-model":
		return o.Model == value
	case "-strategy":
		return o.Strategy == value
	case "-order":
		return o.Order == value
	case "-tasks":
		return o.Tasks == value
	case "-backend":
		return o.Backend == value
	case "-why":
		return o.Why == value
	case "searches":
		return o.Searcher() == value
	case "facts":
		return o.Refines()
	case "sums":
		return o.Sums()
	case "compares":
		return o.Compares()
	case "several":
		return strings.Contains(o.Independence, ",")
	case "word":
		return slices.Contains(strings.Split(o.Independence, ","), value)
	}
	return o.Independent(setting)
}
