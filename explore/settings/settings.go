// Package settings says what executions depend on besides their choices: it makes the runtime's
// Config, of the options or of a saved schedule, and changes it between executions.
package settings

import (
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/library"
	testmodel "github.com/rehearse-go/rehearse/runtime/model/tests"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Settings are what executions depend on.
type Settings struct {
	Config world.Config // of the executions that follow
}

// Of is what executions depend on at the beginning of a search: what the options say, with the
// facts about the program. root is the directory of the module under test, and modules has those
// of the modules that are known by their paths.
func Of(o *options.Options, t *handlers.Table, root string, modules []string) world.Config {
	c := world.Config{
		Technique: technique(o), MaxSteps: o.MaxSteps,
		Model: relaxed[o.Model], Seed: o.Seed, Clock: o.ClockAtFirst(), Moves: true,
		Inert: !o.Atomics, Raceless: !o.Races,
		Details: o.Records(),
		States:  o.Comparison(), Values: o.Independent("equal"), Places: o.AboutActors(),
		Arrives: o.Rests(),
		// those refinements ask which store comes last
		Stores: o.Independent("observed") || o.Independent("equal") || o.Sums(),
	}
	c.Rand, c.Maps, c.Faults = options.Kinds(o.Hidden())
	c.MaxFaults, c.Fine = o.MaxFaults, o.Fine
	c.Only, _ = testmodel.NewFilter(o.Run, o.Skip) // selected has complained
	if o.Sums() {
		c.Group = t.Group
	}
	if !o.AuditsFacts() { // an audit compares places with those of the facts
		c.Module, c.Libraries = root, modules
	}
	return c
}

// technique is how processes switch.
func technique(o *options.Options) string {
	switch {
	case o.Backend != "":
		return o.Backend
	case racelog.Enabled:
		return "goroutine" // a coroutine's switches would hide every race
	}
	return "coroutine"
}

// relaxed is what a mailbox is under a delivery model.
var relaxed = map[string]int32{"actor": trace.Bag, "pairs": trace.Pairs}

// Apply makes the executions that follow depend on c.
func (s *Settings) Apply(c world.Config) {
	s.Config = c
	executor.Configure(c)
}

// Change makes the executions that follow depend on what change makes of the present Config.
func (s *Settings) Change(change func(c *world.Config)) {
	c := s.Config
	change(&c)
	s.Apply(c)
}

// Use restores the settings under which sched was saved: the seed of random numbers, the rule for
// timers, the kinds of hidden choices, and which files are one object. They hold until the returned
// function is called.
func (s *Settings) Use(sched *trace.Schedule) (restore func()) {
	seed, err := strconv.ParseUint(sched.Seed, 10, 64)
	if err != nil { // the parser accepts no other text
		seed = options.DefaultSeed
	}
	before := s.Config
	s.Change(func(c *world.Config) {
		c.Seed, c.Points, c.Clock = seed, adapt.ListOfPoints(sched.Points),
			options.ClockIn(sched.Clock)
		c.Rand, c.Maps, c.Faults = options.Kinds(sched.Hidden)
		c.MaxFaults, c.Fine = 0, sched.Fine
		c.Groups, c.Sections = false, false
		c.Only, _ = testmodel.NewFilter(sched.Run, sched.Skip) // who edits a file may break it
	})
	files := library.UseFiles(sched.Files)
	return func() { files(); s.Apply(before) }
}

// ClockText is the rule for timers as a schedule of the present settings has it.
func (s *Settings) ClockText() string {
	clock, rule := s.Config.Clock, "explore"
	switch {
	case clock.Early == 0:
		rule = ""
	case clock.Within > 0:
		rule = "delay"
	}
	if !clock.Flows {
		rule = strings.TrimSpace(rule + " " + options.StillClock)
	}
	return rule
}

// SeedText is the seed as a schedule has it.
func SeedText(seed uint64) string {
	if seed == options.DefaultSeed {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}
