// Package stop has the function at which a debugger stops a replay: Here. From a given step on,
// each step calls it when the step's process is about to go on with the program's code.
//
// Vocabulary: step n is event n-1; At is the first step of interest.
//
// Guarantees: Here is called on the stack of the process that goes on. So the first frame of the
// program's own is the statement whose operation has just been done. Of a rendezvous, that is the
// sender's.
//
// LIMITS: a firing of a timer is done by no process: then whoever goes on next calls Here. The
// package must not import what imports package context, whose rewritten form imports package hook.
package stop

import (
	"strconv"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// Here is the place of a debugger's breakpoint. The parameter what describes step n in words.
//
//go:noinline
func Here(n int, what string) { last.n, last.what = n, what }

// last keeps the arguments alive, so that a debugger can print them.
var last struct {
	n    int
	what string
}

// Viewer is a sched.Viewer that calls Here.
type Viewer struct {
	sched *sched.Sched
	main  string // what people call the first process
	at    int
	label func(name, path string) // gives the calling goroutine a name; nil: it gets none
	seen  int                     // steps that have called Here, or came too early
	named map[*sched.Proc]bool
}

// New returns a viewer of the executions of s, whose first process people call main.
func New(s *sched.Sched, main string, at int, label func(name, path string)) *Viewer {
	return &Viewer{sched: s, main: main, at: at, label: label}
}

// Declared implements sched.Viewer.
func (v *Viewer) Declared(*sched.Proc) {}

// Quiet implements sched.Viewer.
func (v *Viewer) Quiet() {}

// Resumed implements sched.Viewer.
func (v *Viewer) Resumed() {
	events := v.sched.Done()
	if len(events) == 0 {
		v.seen, v.named = 0, map[*sched.Proc]bool{}
	}
	p := v.sched.Current()
	if p == nil {
		return
	}
	name := p.Name
	if p.ID == 0 {
		name = v.main
	}
	if !v.named[p] && v.label != nil {
		v.named[p] = true
		v.label(name, p.Path())
	}
	if n := len(events); n >= v.at && n > v.seen {
		v.seen = n
		Here(n, "step "+strconv.Itoa(n)+": "+name+" goes on from "+events[n-1].Kind.String())
	}
}
