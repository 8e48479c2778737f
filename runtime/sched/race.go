package sched

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The race detector must not take the hand-overs between processes for synchronisation, for they
// would order everything. And the scheduler, which runs on any goroutine that gives up control,
// must not be in a race with itself. So goroutines change their identities, which the detector
// calls contexts:
//
//   - a process has a context of its own for the program's code, made as a go statement of its
//     parent would make it;
//   - the scheduler has one context per execution, for everything between the entry of a hook and
//     its return, on whichever goroutine that runs;
//   - while control changes hands, a worker has its own context: for a moment two goroutines run at
//     the same time.
//
// A process that enters the scheduler's context passes on all that it knows, so that the scheduler
// may look at the program's memory. The scheduler passes nothing on. The models announce the
// synchronisation of the program: Acquire, Release, ReleaseMerge and Meet.
//
// These packages themselves are compiled without the detector's instrumentation. The maps and
// slices that they use, and the standard library, are instrumented. These use the stack of the
// process on which they run, so their traces there are forgotten before the process goes on.

func (r *detector) begin() {
	if !gate.Race {
		return
	}
	r.token = new([8]byte)
	r.errors = gate.RaceErrors()
	r.driver = gate.RaceContext()
	r.scheduler = gate.RaceStart(r.driver, pc())
	gate.SetRaceContext(r.scheduler)
}

// end passes the scheduler's knowledge back to the driver.
func (r *detector) end() {
	if !gate.Race {
		return
	}
	gate.RaceRelease(r.scheduler, unsafe.Pointer(r.token))
	gate.RaceAcquire(r.driver, unsafe.Pointer(r.token))
	gate.SetRaceContext(r.driver)
	gate.RaceEnd(r.scheduler)
}

// found lists the reports about this execution.
func (r *detector) found() (list []trace.Race) {
	for n := r.errors; n < gate.RaceErrors(); n++ {
		list = append(list, trace.Race{Number: n, Text: "data race"})
	}
	return list
}

// born makes p's context. Reports say that it was created at the function that p runs.
func (r *detector) born(p *Proc) {
	if !gate.Race {
		return
	}
	parent := r.driver
	if p.parent != nil {
		parent = p.parent.identity.ctx
	}
	at := pc()
	if p.body != nil {
		at = **(**uintptr)(unsafe.Pointer(&p.body)) + 1 // reports look before a return address
	}
	p.identity = identity{gate.RaceStart(parent, at), new([8]byte)}
}

// inside makes the calling goroutine, which runs p, the scheduler.
func (r *detector) inside(p *Proc) {
	if gate.Race && gate.RaceContext() != r.scheduler {
		gate.RaceReleaseMerge(p.identity.ctx, unsafe.Pointer(p.identity.token))
		gate.RaceAcquire(r.scheduler, unsafe.Pointer(p.identity.token))
		gate.SetRaceContext(r.scheduler)
	}
}

// outside makes the calling goroutine p again.
func (p *Proc) outside() {
	if gate.Race && p != nil {
		gate.RaceStack()
		gate.SetRaceContext(p.identity.ctx)
	}
}

func (p *Proc) die() {
	if gate.Race {
		gate.RaceEnd(p.identity.ctx)
	}
}

// Acquire tells the race detector that p goes on after the events that were released at addr.
func (p *Proc) Acquire(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceAcquire(p.identity.ctx, addr)
	}
}

// Release tells the detector that all that p has done comes before the events after an Acquire. It
// forgets earlier releases.
func (p *Proc) Release(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceRelease(p.identity.ctx, addr)
	}
}

// ReleaseMerge is Release, but keeps earlier releases.
func (p *Proc) ReleaseMerge(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceReleaseMerge(p.identity.ctx, addr)
	}
}

// Meet tells the detector that each of p and q goes on after all that both have done.
func (p *Proc) Meet(q *Proc) {
	if gate.Race {
		a, b := new([8]byte), new([8]byte)
		p.Release(unsafe.Pointer(a))
		q.Release(unsafe.Pointer(b))
		p.Acquire(unsafe.Pointer(b))
		q.Acquire(unsafe.Pointer(a))
	}
}

// pc is a place to blame for a context in which no function of the program runs.
func pc() uintptr {
	var pcs [1]uintptr
	gate.Callers(1, pcs[:])
	return pcs[0]
}
