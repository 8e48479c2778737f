package sched

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Under the race detector, the hand-overs between processes must not count as synchronisation, for
// they would order everything; and the scheduler, which runs on whatever goroutine gives up
// control, must not be in a race with itself. So goroutines change their identities, which the
// detector calls contexts:
//
//   - a process has a context of its own, made as a go statement of its parent would make it, for
//     the program's code;
//   - the scheduler has one per execution, for everything between the entry of a hook and its
//     return, whichever goroutine that runs on;
//   - while control changes hands, a worker is itself: two goroutines then run at the same time for
//     a moment.
//
// Whoever enters the scheduler's context tells it all that has happened, so that it may look at the
// program's memory; it never tells anybody. What the program synchronises, the models announce:
// Acquire, Release, ReleaseMerge and Meet.
//
// These packages themselves are compiled without the detector's instrumentation. What remains are
// the maps and slices that they use, and the standard library. Those use the stack of the process
// on which they run, so that what they have left there is forgotten before the process goes on.

// race is the detector's view of an execution.
type race struct {
	driver    uintptr // context of the goroutine that called Run
	scheduler uintptr
	errors    int // reports before the execution
	token     *[8]byte
}

// identity is the detector's view of a process.
type identity struct {
	ctx   uintptr
	token *[8]byte // its address stands for what the process tells
}

func (r *race) begin() {
	if !gate.Race {
		return
	}
	r.token = new([8]byte)
	r.errors = gate.RaceErrors()
	r.driver = gate.RaceContext()
	r.scheduler = gate.RaceStart(r.driver, pc())
	gate.SetRaceContext(r.scheduler)
}

// end hands what the scheduler knows back to the driver.
func (r *race) end() {
	if !gate.Race {
		return
	}
	gate.RaceRelease(r.scheduler, unsafe.Pointer(r.token))
	gate.RaceAcquire(r.driver, unsafe.Pointer(r.token))
	gate.SetRaceContext(r.driver)
	gate.RaceEnd(r.scheduler)
}

// found lists the reports about this execution.
func (r *race) found() (list []trace.Race) {
	for n := r.errors; n < gate.RaceErrors(); n++ {
		list = append(list, trace.Race{Number: n, Text: "data race"})
	}
	return list
}

// born makes p's context. Reports say that it was created at the function that p runs.
func (r *race) born(p *Proc) {
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
func (r *race) inside(p *Proc) {
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

// Acquire tells the race detector that p goes on after what was released at addr.
func (p *Proc) Acquire(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceAcquire(p.identity.ctx, addr)
	}
}

// Release tells it that what p has done comes before what follows an Acquire, and forgets earlier
// releases.
func (p *Proc) Release(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceRelease(p.identity.ctx, addr)
	}
}

// ReleaseMerge is Release that keeps earlier ones.
func (p *Proc) ReleaseMerge(addr unsafe.Pointer) {
	if gate.Race {
		gate.RaceReleaseMerge(p.identity.ctx, addr)
	}
}

// Meet tells it that each of p and q goes on after what both have done.
func (p *Proc) Meet(q *Proc) {
	if gate.Race {
		a, b := new([8]byte), new([8]byte)
		p.Release(unsafe.Pointer(a))
		q.Release(unsafe.Pointer(b))
		p.Acquire(unsafe.Pointer(b))
		q.Acquire(unsafe.Pointer(a))
	}
}

// pc is a place to blame for a context that no function of the program's runs in.
func pc() uintptr {
	var pcs [1]uintptr
	gate.Callers(1, pcs[:])
	return pcs[0]
}
