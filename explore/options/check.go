package options

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// word is one value that a flag may have.
type word struct {
	name  string
	built bool // false: planned
}

// The values of the flags that choose among words, in the order of the help text. The empty word
// leaves the choice to the strategy or the machine.
var (
	models        = []word{{"go", true}, {"actor", true}, {"pairs", true}}
	orders        = []word{{"", true}, {"fifo", true}, {"eca", true}, {"lca", true}, {"stable", true}}
	taskChoices   = []word{{"all", true}, {"independent", true}}
	independences = []word{{"auto", true}, {"none", true}, {"disjoint", true}, {"commute", true}, {"observed", true}, {"equal", true}, {"context", true}, {"symmetry", true}, {"sections", true}}
	searches      = []word{{"dfs", true}, {"bfs", true}}
	steps         = []word{{"big", true}, {"little", true}}
	states        = []word{{"none", true}, {"plain", true}, {"actor", true}}
	clocks        = []word{{"delay", true}, {"explore", true}, {"idle", true}}
	hiddenChoices = []word{{"select", true}, {"rand", true}, {"maps", true}}
	switches      = []word{{"on", true}, {"off", true}}
	backends      = []word{{"", true}, {"coroutine", true}, {"goroutine", true}}
)

// onlyOptimal are the words of -independence that no other strategy than optimal knows.
var onlyOptimal = []string{"observed", "equal"}

// strategy is a value of -strategy and the flags that mean something to it.
type strategy struct {
	word
	takes []string
}

var strategies = []strategy{
	{word{"auto", true}, []string{"independence"}},
	{word{"exhaustive", true}, nil},
	{word{"dpor", true}, []string{"sleep", "order", "tasks", "independence"}},
	{word{"transdpor", true}, []string{"sleep", "order", "tasks"}},
	{word{"race", true}, []string{"order"}},
	{word{"stateful", true}, []string{"search", "step", "state"}},
	{word{"optimal", true}, []string{"order", "independence"}},
	{word{"pop", true}, nil},
	{word{"graph", true}, nil},
	{word{"random", true}, nil},
	{word{"pct", true}, nil},
	{word{"pos", true}, nil},
	{word{"surw", true}, nil},
}

func strategyWords() []word {
	ws := make([]word, len(strategies))
	for i, s := range strategies {
		ws[i] = s.word
	}
	return ws
}

// Strategies lists the names of the strategies that are built, and of those that are planned.
func Strategies() (built, planned []string) { return parted(strategyWords()) }

// Models does the same for delivery models.
func Models() (built, planned []string) { return parted(models) }

func parted(ws []word) (built, planned []string) {
	for _, w := range ws {
		if w.built {
			built = append(built, w.name)
		} else {
			planned = append(planned, w.name)
		}
	}
	return built, planned
}

// Check reports the first option that is wrong, not built yet, or without meaning for the strategy.
func (o *Options) Check() error {
	for _, check := range []func(*Options) error{
		(*Options).checkNumbers, (*Options).checkRun, (*Options).checkMemory, (*Options).checkWords, (*Options).checkApplies, (*Options).checkModel,
		(*Options).checkRefined, (*Options).checkSelecting, (*Options).checkAudit, (*Options).checkUnbuilt, (*Options).checkRace, (*Options).checkStateful,
	} {
		if err := check(o); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) checkNumbers() error {
	switch {
	case o.Count < 1:
		return fmt.Errorf("-count %d: must be at least 1", o.Count)
	case o.Timeout < 0:
		return fmt.Errorf("-timeout %v: must not be negative (0 means no limit)", o.Timeout)
	case o.StepTimeout < 0:
		return fmt.Errorf("-step-timeout %v: must not be negative (0 means no limit)", o.StepTimeout)
	case o.MaxExecutions < 0:
		return fmt.Errorf("-max-executions %d: must not be negative (0 means no limit)", o.MaxExecutions)
	case o.MaxSteps < 1:
		return fmt.Errorf("-max-steps %d: must be at least 1", o.MaxSteps)
	case o.MaxSpins < 1:
		return fmt.Errorf("-max-spins %d: must be at least 1", o.MaxSpins)
	case o.Delay < 0 || o.Delay > LongestDelay:
		return fmt.Errorf("-delay %v: must be between 0 and %v: no longer delays are explored", o.Delay, LongestDelay)
	case o.MaxFires < 0:
		return fmt.Errorf("-max-fires %d: must not be negative (0 means no limit)", o.MaxFires)
	case o.Audit < 0:
		return fmt.Errorf("-audit %d: must not be negative (0 means no audit)", o.Audit)
	case o.Parallel < 0:
		return fmt.Errorf("-parallel %d: must be at least 1", o.Parallel)
	case o.P < 1:
		return fmt.Errorf("-p %d: must be at least 1", o.P)
	}
	return nil
}

func (o *Options) checkRun() error {
	if o.WriteBaseline && o.Baseline == "" {
		return errors.New("-write-baseline: say which file with -baseline FILE")
	}
	for _, f := range []struct{ name, value string }{{"run", o.Run}, {"skip", o.Skip}, {"list", o.List}} {
		if _, err := regexp.Compile(f.value); err != nil {
			return fmt.Errorf("-%s: %v", f.name, err)
		}
	}
	return nil
}

func (o *Options) checkWords() error {
	for _, f := range []struct {
		name, value string
		of          []word
	}{
		{"model", o.Model, models},
		{"strategy", o.Strategy, strategyWords()},
		{"order", o.Order, orders},
		{"tasks", o.Tasks, taskChoices},
		{"search", o.Search, searches},
		{"step", o.StepSize, steps},
		{"state", o.State, states},
		{"clock", o.Clock, clocks},
		{"backend", o.Backend, backends},
		{"values", o.Values, switches},
	} {
		if err := checkWord(f.name, f.value, f.of); err != nil {
			return err
		}
	}
	if err := checkList("choices", o.Choices, hiddenChoices); err != nil {
		return err
	}
	return checkList("independence", o.Independence, independences)
}

func checkWord(flag, value string, of []word) error {
	i := slices.IndexFunc(of, func(w word) bool { return w.name == value })
	switch {
	case i < 0:
		return fmt.Errorf("-%s %q: unknown; one of %s", flag, value, words(of))
	case !of[i].built:
		return notBuilt("-"+flag+" "+value, of)
	}
	return nil
}

func notBuilt(what string, of []word) error {
	built := slices.DeleteFunc(slices.Clone(of), func(w word) bool { return !w.built })
	if words(built) == "" {
		return fmt.Errorf("%s is not built yet", what)
	}
	return fmt.Errorf("%s is not built yet: only %s", what, words(built))
}

// checkList checks a comma list of words.
func checkList(flag, list string, of []word) error {
	for name := range strings.SplitSeq(list, ",") {
		if err := checkWord(flag, name, of); err != nil {
			return err
		}
	}
	return nil
}

// checkApplies finds a flag that was given and that the strategy ignores.
func (o *Options) checkApplies() error {
	d := Default()
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"sleep", o.Sleep != d.Sleep},
		{"order", o.Order != d.Order},
		{"tasks", o.Tasks != d.Tasks},
		{"independence", o.Independence != d.Independence && o.Independence != "none"},
		{"search", o.Search != d.Search},
		{"step", o.StepSize != d.StepSize},
		{"state", o.State != d.State},
	} {
		if f.given && !o.Takes(f.name) {
			return fmt.Errorf("-%s does not apply to -strategy %s: only to %s", f.name, o.Strategy, strings.Join(takers(f.name), ", "))
		}
	}
	for _, word := range onlyOptimal {
		if o.Independent(word) && o.Searcher() != "optimal" {
			return fmt.Errorf("-independence %s does not apply to -strategy %s: only to auto, optimal", word, o.Strategy)
		}
	}
	if o.Independent("symmetry") && o.Strategy != "auto" && o.Strategy != "optimal" {
		return fmt.Errorf("-independence symmetry does not apply to -strategy %s: only to auto, optimal", o.Strategy)
	}
	if o.Clock == "idle" && o.MaxFires != d.MaxFires {
		return fmt.Errorf("-max-fires does not apply to -clock idle, where no timer fires early")
	}
	if o.Clock != "delay" && o.Delay != d.Delay {
		return fmt.Errorf("-delay does not apply to -clock %s: only to delay", o.Clock)
	}
	return nil
}

// Takes reports whether a flag, such as order, means something to the strategy.
func (o *Options) Takes(flag string) bool {
	return slices.Contains(takers(flag), o.Strategy)
}

// takers lists the strategies that flag means something to, as far as they are built.
func takers(flag string) []string {
	var names []string
	for _, s := range strategies {
		if s.built && slices.Contains(s.takes, flag) {
			names = append(names, s.name)
		}
	}
	return names
}

func (o *Options) checkUnbuilt() error {
	for _, f := range o.pages() {
		if f.file != "" && f.name != "html" {
			return fmt.Errorf("-%s is not built yet", f.name)
		}
	}
	return nil
}

// checkRace: a switch of coroutines orders everything before it, as far as the race detector can
// see.
func (o *Options) checkRace() error {
	if o.Race && o.Backend == "coroutine" {
		return fmt.Errorf("-race does not work with -backend coroutine: it would hide every race; leave -backend out")
	}
	return nil
}

// Compares reports whether states are to be compared, which needs a binary that tells of its
// variables.
func (o *Options) Compares() bool {
	return o.Strategy == "stateful" && o.State != "none" || o.Audit > 0 || o.Independent("context")
}

// checkStateful: states are looked at by the process that explores, while nothing moves.
func (o *Options) checkStateful() error {
	what := "-state " + o.State
	if o.Independent("context") {
		what = "-independence context"
	}
	switch {
	case o.Audit > 0 && o.Race:
		return errors.New("-race does not apply to -audit: to look at a state would be a race")
	case o.Compares() && o.Isolate:
		return fmt.Errorf("-isolate does not apply to %s: states of different processes cannot be compared", what)
	case o.Compares() && o.Race:
		return fmt.Errorf("-race does not apply to %s: to look at a state would be a race", what)
	}
	return nil
}
