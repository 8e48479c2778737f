package options

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The values of the flags that choose among words, in the order of the help text. The empty word
// leaves the choice to the strategy or the machine.
var (
	orders        = []string{"", "fifo", "eca", "lca", "stable"}
	taskChoices   = []string{"all", "independent"}
	searches      = []string{"dfs", "bfs"}
	steps         = []string{"big", "little"}
	states        = []string{"none", "plain", "actor"}
	clocks        = []string{"delay", "explore", "idle"}
	hiddenChoices = append([]string{"select"}, trace.HiddenChoices...)
	backends      = []string{"", "coroutine", "goroutine"}
	switches      = []string{"on", "off"}
)

// Check reports the first option that is wrong, not built yet, or meaningless for the strategy.
func (o *Options) Check() error {
	for _, check := range []func(*Options) error{
		checkNumbers, checkRun, checkShard, checkMemory, checkWords, checkApplies, checkModel,
		checkRules,
	} {
		if err := check(o); err != nil {
			return err
		}
	}
	return nil
}

func checkNumbers(o *Options) error {
	switch {
	case o.Count < 1:
		return fmt.Errorf("-count %d: must be at least 1", o.Count)
	case o.Timeout < 0:
		return fmt.Errorf("-timeout %v: must not be negative (0 means no limit)", o.Timeout)
	case o.StepTimeout < 0:
		return fmt.Errorf("-step-timeout %v: must not be negative (0 means no limit)",
			o.StepTimeout)
	case o.MaxExecutions < 0:
		return fmt.Errorf("-max-executions %d: must not be negative (0 means no limit)",
			o.MaxExecutions)
	case o.MaxSteps < 1:
		return fmt.Errorf("-max-steps %d: must be at least 1", o.MaxSteps)
	case o.MaxSpins < 1:
		return fmt.Errorf("-max-spins %d: must be at least 1", o.MaxSpins)
	case o.Delay < 0 || o.Delay > LongestDelay:
		return fmt.Errorf("-delay %v: must be between 0 and %v: no longer delays are explored",
			o.Delay, LongestDelay)
	case o.MaxFires < 0:
		return fmt.Errorf("-max-fires %d: must not be negative (0 means no limit)", o.MaxFires)
	case o.MaxFaults < 0:
		return fmt.Errorf("-max-faults %d: must not be negative (0 means no limit)", o.MaxFaults)
	case o.Audit < 0:
		return fmt.Errorf("-audit %d: must not be negative (0 means no audit)", o.Audit)
	case o.Fine != "" && trace.NotFine(o.Fine) != "":
		return fmt.Errorf("-fine %s: matches no package that is explored in whole steps; these are "+
			"net/http, crypto/tls, net/rpc, database/sql and those below", trace.NotFine(o.Fine))
	case o.Parallel < 0:
		return fmt.Errorf("-parallel %d: must be at least 1", o.Parallel)
	case o.P < 1 && o.P != AsPays:
		return fmt.Errorf("-p %d: must be at least 1", o.P)
	}
	return nil
}

// checkShard finds what a shard leaves to rehearse merge, which reports.
func checkShard(o *Options) error {
	if o.Part != "" && o.Shard == "" {
		return errors.New("-part: say which shard with -shard i/n")
	}
	if o.Shard == "" {
		return nil
	}
	if _, err := shards.Parse(o.Shard); err != nil {
		return fmt.Errorf("-shard %w", err)
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"json", o.JSON}, {"record", o.Record != ""}, {"html", o.HTML != ""},
		{"sarif", o.SARIF != ""}, {"junit", o.JUnit != ""}, {"artifacts", o.Artifacts != ""},
		{"baseline", o.Baseline != ""}, {"why", o.Why != ""},
	} {
		if f.given {
			return fmt.Errorf("-%s: a shard has no report; give the flag to rehearse merge", f.name)
		}
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"failfast", o.FailFast}, {"max-executions", o.MaxExecutions > 0}, {"count", o.Count > 1},
		{"checkpoint", o.Checkpoint != ""}, {"resume", o.Resume}, {"audit", o.Audit > 0},
		{"cover", o.Covers()}, {"list", o.List != ""}, {"replay", o.Replay != ""},
	} {
		if f.given {
			return fmt.Errorf("-%s does not go with -shard: leave one out", f.name)
		}
	}
	return nil
}

func checkRun(o *Options) error {
	if o.WriteBaseline && o.Baseline == "" {
		return errors.New("-write-baseline: say which file with -baseline FILE")
	}
	if o.CoverMode != "" && o.CoverMode != "set" {
		return fmt.Errorf(
			"-covermode %s: a test is run in many orders, whose counts say nothing; use set",
			o.CoverMode)
	}
	if n, err := strconv.Atoi(o.At); o.At != "" && o.At != Decide && (err != nil || n < 1) {
		return fmt.Errorf("-at %q: write the number of a step, from 1, or %s", o.At, Decide)
	}
	for _, f := range []struct{ name, value string }{{"run", o.Run}, {"skip", o.Skip},
		{"list", o.List}} {
		if _, err := regexp.Compile(f.value); err != nil {
			return fmt.Errorf("-%s: %v", f.name, err)
		}
	}
	return nil
}

func checkWords(o *Options) error {
	if o.Strategy == "graph" {
		return errors.New(
			"-strategy graph is gone: use -strategy optimal, which runs each trace once, too")
	}
	for _, f := range []struct {
		name, value string
		of          []string
	}{
		{"model", o.Model, strategy.Models},
		{"strategy", o.Strategy, strategy.Names(nil)},
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
	return checkList("independence", o.Independence, strategy.Words)
}

func checkWord(flag, value string, of []string) error {
	if !slices.Contains(of, value) {
		return fmt.Errorf("-%s %q: unknown; one of %s", flag, value, words(of))
	}
	return nil
}

// checkList checks a comma list of words.
func checkList(flag, list string, of []string) error {
	for name := range strings.SplitSeq(list, ",") {
		if err := checkWord(flag, name, of); err != nil {
			return err
		}
	}
	return nil
}

// checkApplies finds a flag that was given and that the strategy ignores.
func checkApplies(o *Options) error {
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
			return fmt.Errorf("-%s does not apply to -strategy %s: only to %s", f.name, o.Strategy,
				strings.Join(takers(f.name), ", "))
		}
	}
	for _, word := range strategy.Words {
		knows := strategy.Names(func(r *strategy.Row) bool {
			return slices.Contains(r.Words, word)
		})
		if len(knows) > 0 && o.Independent(word) && !slices.Contains(knows, o.Strategy) {
			return fmt.Errorf("-independence %s does not apply to -strategy %s: only to %s", word,
				o.Strategy, strings.Join(knows, ", "))
		}
	}
	if _, _, faults := Kinds(o.Hidden()); faults == 0 && o.MaxFaults != d.MaxFaults {
		return fmt.Errorf("-max-faults applies to -choices signal or net only")
	}
	if o.Clock == "idle" && o.MaxFires != d.MaxFires {
		return fmt.Errorf("-max-fires does not apply to -clock idle, where no timer fires early")
	}
	if o.Clock != "delay" && o.Delay != d.Delay {
		return fmt.Errorf("-delay does not apply to -clock %s: only to delay", o.Clock)
	}
	return nil
}

// takers lists the strategies that flag means something to.
func takers(flag string) []string {
	return strategy.Names(func(r *strategy.Row) bool { return slices.Contains(r.Takes, flag) })
}

// checkModel refuses a strategy that is not known to be right under the delivery model.
func checkModel(o *Options) error {
	under := func(r *strategy.Row) bool { return slices.Contains(r.Models, o.Model) }
	r := strategy.Find(o.Strategy)
	switch {
	case under(r):
		return nil
	case r.Why != "":
		return fmt.Errorf("-strategy %s does not know -model %s, %s", o.Strategy, o.Model, r.Why)
	}
	return fmt.Errorf("-strategy %s does not know -model %s: use %s", o.Strategy, o.Model,
		strings.Join(strategy.Names(under), ", "))
}

func checkRules(o *Options) error { return o.Against(strategy.Rules, nil) }
