// Package library is what the hooked standard library calls, through package gate: locks and
// similar, clocks and timers, files, random numbers, stacks. Its initialisation sets the gate's
// variables. Like package hook it decides nothing, but finds the process and asks the model.
//
// Vocabulary: a service is a goroutine that is started before the first execution. Leftovers are
// files that an execution has made. Surroundings are the environment, the working directory, and
// settings of the library.
package library

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// A service is a goroutine that package initialisation or TestMain starts. It does not run before
// the first execution, as it might not under Go's scheduler; then every execution has it as a
// process, from its beginning. But if some code waits before the first execution, it may wait for a
// service: then all services run at once, as ordinary goroutines. A service that ends before the
// first execution does no harm; the others are loose. A timer's function that runs before the first
// execution is a service that was freed. When the executions are over, services run likewise if
// some code waits: TestMain may wait for the end of a server that it has started.
type service struct {
	name, site string
	timer      bool // it is the function of a timer
	f          func()
	ended      atomic.Bool // after it was freed
}

var services struct {
	sync.Mutex            // before the first execution, there may be several goroutines
	kept       []*service // to be started in every execution
	freed      []*service // running, or ended, outside of all executions
	polls      int        // selects that took their default
}

func init() { gate.Awaits = freeServices }

// maxPolls is how often a select may take its default, with services that have not run, before that
// is waiting.
const maxPolls = 1000

// KeepService starts a goroutine before the first execution.
func KeepService(name string, f func()) {
	services.Lock()
	defer services.Unlock()
	services.kept = append(services.kept, &service{name: name, site: sched.Site(), f: f})
}

// Polled notes that a select before the first execution has taken its default.
func Polled() {
	services.Lock()
	services.polls++
	waits := services.polls > maxPolls
	services.Unlock()
	if waits {
		gate.Await()
	}
}

// FreeLater makes the services run as ordinary goroutines when some code waits from now on, as the
// executions are over.
func FreeLater() { gate.Awaits = freeServices }

// freeServices runs the services that have not run, and lets timers fire, for somebody who waits
// outside of all executions.
func freeServices() {
	defer Prelude.Pace() // without the lock: who fires a timer may be waiting for it
	services.Lock()
	defer services.Unlock()
	for _, s := range services.kept {
		s.free()
	}
	services.kept = nil
}

// free runs s outside of all executions.
func (s *service) free() {
	services.freed = append(services.freed, s)
	go func() {
		defer s.ended.Store(true)
		s.f()
	}()
}

// LaunchTimer runs the function of a timer outside of all executions.
func LaunchTimer(f func(), site string) {
	services.Lock()
	defer services.Unlock()
	s := &service{timer: true, site: site, f: f}
	s.free()
}

// Loose is a goroutine that package initialisation or TestMain has started and waited for, and that
// goes on after that.
type Loose struct {
	Name  string
	Site  string
	Timer bool // it is the function of a timer
}

// LooseServices returns the services that run outside of all executions, when the first one is
// about to begin. It lets those end that are about to.
func LooseServices() []Loose {
	gate.Awaits = nil
	const patience = 1000
	for range patience {
		if len(stillLoose()) == 0 {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return stillLoose()
}

func stillLoose() []Loose {
	services.Lock()
	defer services.Unlock()
	var loose []Loose
	for _, s := range services.freed {
		if !s.ended.Load() {
			loose = append(loose, Loose{s.name, s.site, s.timer})
		}
	}
	return loose
}

// StartServices makes the services processes of the execution that begins, on behalf of its first
// process, and arms the timers that were armed before it.
func StartServices() {
	p := world.W.Enter()
	Prelude.Begin(world.W.Clock, p,
		func(t *gate.Timer) clock.Channel {
			return world.W.Chans.Timer(t.Chan, world.W.Clock.Object(), !t.Keeps)
		})
	p.Leave()
	for _, s := range services.kept {
		world.W.Service(world.W.Current(), s.name, s.f)
	}
}
