package executor

import (
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/stop"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Describe says what the binary is. It is called once, before package main is initialised.
func Describe(p world.Program) {
	world.Binary = p
	gate.CallsC = len(p.WithC) > 0
	if p.Foreign {
		gate.Trusting = world.CalledByLibrary
	}
}

// Configure makes the executions that follow depend on c. Only a new executor changes the way in
// which processes switch. Configure may be called between executions, as often as one likes. It
// forgets nothing, except that it forgets what was learned of sections if these end.
func Configure(c world.Config) {
	world.Setup = c
	world.W.Chans.SetModel(c.Model)
	world.W.Clock.MaxEarly, world.W.Clock.Flows, world.W.Clock.Offer = c.Clock.Early, c.Clock.Flows,
		c.Moves
	world.W.Clock.Within, world.W.Clock.Turns, world.W.Clock.Ahead = int64(c.Clock.Within),
		c.Clock.Turns,
		int64(c.Clock.Ahead)
	world.W.Clock.Naps.On, world.W.Clock.Naps.Broken = c.Clock.Naps, false
	world.W.Hidden.Rand, world.W.Hidden.Maps = c.Rand, c.Maps
	world.W.Faults.Kinds, world.W.Faults.Most = c.Faults, c.MaxFaults
	world.W.Syncs.KeepGroups, world.W.Syncs.KeepStores = c.Groups, c.Stores
	world.W.Sched.Arrives, world.W.Sched.Fine = c.Arrives, c.Fine
	allowSections(c.Sections)
	setPoints(c.Points)
	states.Compare(c.States)
	notes.TakePayloads(c.Values, c.Drops, c.Group)
	notes.Take(c.Places)
	sched.Module, sched.Libraries = c.Module, c.Libraries
}

// setPoints says which accesses are steps.
func setPoints(list []string) {
	hook.Points = nil
	for _, place := range list {
		if hook.Points == nil {
			hook.Points = map[string]bool{}
		}
		what, atomic := strings.CutSuffix(place, trace.BesideAtomic)
		hook.Points[what] = hook.Points[what] || atomic
	}
}

// allowSections lets sections commute, or ends that.
func allowSections(may bool) {
	if may = may && hook.Watches(); may != world.W.Sects.On() {
		world.W.Sects.Begin(may)
	}
}

// Debug makes the executions that follow stop for a debugger after step at, and each one after it:
// see package stop. The first process is called main; label gives goroutines their names.
func Debug(main string, at int, label func(name, path string)) {
	world.W.View(stop.New(world.W.Sched, main, at, label))
}
