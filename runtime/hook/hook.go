// Package hook has every function that rewritten code and the hooked standard library call. It
// decides nothing: it finds the process that calls, hands the operation to the model, and moves the
// values.
//
// Under the race detector, what a hook does between Enter and Leave counts as the scheduler's
// doing; operations on the program's own channels and calls of its functions come after Leave, as
// the program's own.
//
// The generic ones are compiled with the program and would be watched as its code; hence their
// go:norace.
//
// Vocabulary: the world is the scheduler with its models; there is one in a binary. A call that
// comes while no execution runs (package initialisation, TestMain) does the plain Go operation, but
// for go statements, see service, and timers, see clock.Prelude.
//
// LIMITS: a goroutine that ran before the first execution is not a process; when it meets an
// execution's channels, the execution ends as Uncontrolled.
package hook

import (
	"cmp"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/model/files"
	"github.com/rehearse-go/rehearse/runtime/model/groups"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/model/races"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/model/tests"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// world is the scheduler and its models.
type world struct {
	*sched.Sched
	chans  *chans.World
	syncs  *syncs.World
	clock  *clock.Clock
	groups *groups.World
	races  *races.World
	sects  *sections.World
	hidden *hidden.Choices
	files  *files.World
	exit   int // the code that os.Exit was called with

	record *tests.Record // what the latest execution reports
}

// w serves package initialisation first, and then the latest executor.
var w = newWorld("coroutine", nil)

// newWorld makes a world that knows the channels that were made outside of any execution in the one
// before.
func newWorld(technique string, before *world) *world {
	s := sched.New(technique)
	g := groups.New(s)
	g.Counts, g.Base = counting, 1 // a test finds the goroutine that runs the tests, too
	n := &world{Sched: s, chans: chans.New(s), syncs: syncs.New(s), groups: g,
		clock: clock.New(s, g), races: races.New(s), hidden: hidden.New(s)}
	n.files = files.New(s, n.races)
	n.sects = sections.New(s, n.races)
	n.syncs.Says = n.sects.Says
	n.chans.SetServes(n.sects.Serves)
	if before != nil {
		n.chans.Inherit(before.chans)
		n.sects.Inherit(before.sects)
	}
	return n
}

// memory is what a process reuses from one operation to the next.
type memory struct {
	ch chans.Operation
	sy syncs.Operation
	cl clock.Operation
	hi hidden.Operation
	fi files.Operation
}

func scratch(p *sched.Proc) *memory {
	if p.Scratch == nil {
		p.Scratch = new(memory)
	}
	return p.Scratch.(*memory)
}

// pointer returns the address of a channel's representation, which is its identity.
//
//go:norace
func pointer[C any](ch C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

// Go starts a process that runs f. name is the function as the source writes it.
func Go(name string, f func()) {
	if p := w.Current(); p != nil { // Spawn enters by itself
		w.Spawn(p, name, f)
		if creators {
			noteCreator()
		}
		if notes != nil {
			notes.launched(p.ID, w.Newest(), f)
		}
		return
	}
	if gate.Preparing {
		keepService(name, f)
		return
	}
	go f()
}

// Twins comes before a loop whose go statements, or calls of WaitGroup.Go, start processes that
// nobody can tell from each other, as long as they have not moved.
func Twins() {
	if p := w.Enter(); p != nil {
		p.Twins()
		p.Leave()
	}
}

// Twin comes before the k-th such statement, from 0.
func Twin(k int) {
	if p := w.Enter(); p != nil {
		p.Twin(k)
		p.Leave()
	}
}

// Gosched is runtime.Gosched: a step that does nothing.
func Gosched() {
	p := w.Current()
	if p == nil {
		gate.Await()
		runtime.Gosched()
		return
	}
	if !w.Dying() {
		p.Op = trace.Op{Kind: trace.Yield, Obj: -1}
		w.Do(p, always{})
	}
}

// always is a declared operation that is possible at any time and changes nothing: Gosched, and the
// end of the program.
type always struct{}

// Alts appends the one way to do it.
func (always) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply does nothing.
func (always) Apply(*sched.Proc, *trace.Event) {}

// Goexit is runtime.Goexit.
func Goexit() {
	if p := w.Current(); p != nil {
		p.Goexit()
	}
	runtime.Goexit()
}

// Exit is os.Exit: it ends the execution.
func Exit(code int) {
	p := w.Current()
	if p == nil {
		os.Exit(code)
	}
	quit(p, code)
}

// quit ends the program on behalf of p, in a step of its own: others may move before it.
func quit(p *sched.Proc, code int) {
	if !w.Dying() {
		p.Op = trace.Op{Kind: trace.Stop, Obj: -1}
		w.Do(p, always{})
		w.exit = code
	}
	w.End(p, trace.Exited)
}

// known returns the model of a channel that p acts on; an unknown one ends the execution.
func known(p *sched.Proc, ch unsafe.Pointer) *chans.Chan {
	c, ok := w.chans.Find(ch)
	if !ok && !w.Dying() {
		w.Uncontrolled(p, "a channel that this execution did not make: it comes from code that is not under control, or from an earlier execution through a package-level variable; -control rewrites a package, -isolate begins anew")
	}
	return c
}

// stolen ends the execution: somebody who is not under control has used a channel of the program.
func stolen(p *sched.Proc) {
	w.Uncontrolled(p, "a channel was used by a goroutine that is not under control")
}

func init() {
	gate.MutexLock = func(m unsafe.Pointer) { mutex(m, trace.Lock) }
	gate.MutexTryLock = func(m unsafe.Pointer) bool { return mutex(m, trace.TryLock) }
	gate.MutexUnlock = func(m unsafe.Pointer) { mutex(m, trace.Unlock) }
	gate.RWMutexLock = rwmutexLock
	gate.RWMutexTryLock = func(m unsafe.Pointer) bool { return rwmutex(m, trace.WTryLock) }
	gate.RWMutexUnlock = func(m unsafe.Pointer) { rwmutex(m, trace.WUnlock) }
	gate.RWMutexRLock = func(m unsafe.Pointer) { rwmutex(m, trace.RLock) }
	gate.RWMutexTryRLock = func(m unsafe.Pointer) bool { return rwmutex(m, trace.RTryLock) }
	gate.RWMutexRUnlock = func(m unsafe.Pointer) { rwmutex(m, trace.RUnlock) }
	gate.WaitGroupAdd = waitGroupAdd
	gate.WaitGroupWait = waitGroupWait
	gate.WaitGroupGo = waitGroupGo
	gate.OnceDo = onceDo
	gate.OnceUsed = onceUsed
	syncs.Shared = func(caller uintptr) bool { return !binary.Foreign && !ownLock(caller) }
	gate.Exit = Exit
	gate.Random = nextRandom
	gate.Draw = drawNumber
	gate.Sample = sampleNumber
	gate.Fixed = fixedNumber
	gate.Permutes = permutes
}

func mutex(m unsafe.Pointer, kind trace.Kind) bool {
	p := w.Enter()
	ok := w.syncs.Mutex(p, &scratch(p).sy, m, kind)
	p.Leave()
	return ok
}

func rwmutexLock(m unsafe.Pointer) {
	p := w.Enter()
	w.syncs.RWMutexLock(p, &scratch(p).sy, m)
	p.Leave()
}

func rwmutex(m unsafe.Pointer, kind trace.Kind) bool {
	p := w.Enter()
	ok := w.syncs.RWMutex(p, &scratch(p).sy, m, kind)
	p.Leave()
	return ok
}

func waitGroupAdd(wg unsafe.Pointer, delta int) {
	if w.Current() == nil {
		(*sync.WaitGroup)(wg).Add(delta)
		return
	}
	p := w.Enter()
	w.syncs.WaitGroupAdd(p, &scratch(p).sy, wg, delta)
	p.Leave()
}

func waitGroupWait(wg unsafe.Pointer) {
	p := w.Enter()
	w.syncs.WaitGroupWait(p, &scratch(p).sy, wg)
	p.Leave()
}

// waitGroupGo is WaitGroup.Go, whose go statement is in package sync.
func waitGroupGo(wg unsafe.Pointer, f func()) {
	waitGroupAdd(wg, 1)
	Go(waitGroupName(f), func() {
		hold((*sync.WaitGroup)(wg))
		defer waitGroupAdd(wg, -1)
		f()
	})
}

// waitGroupNames are the names of the processes that WaitGroup.Go has made, by the code that they
// run.
var waitGroupNames = map[uintptr]string{}

func waitGroupName(f func()) string {
	defer w.Enter().Leave()
	pc := entry(f)
	name, ok := waitGroupNames[pc]
	if !ok {
		fn := runtime.FuncForPC(pc)
		_, line := fn.FileLine(pc)
		name = processName(fn.Name(), line)
		waitGroupNames[pc] = name
	}
	return name
}

// processName names a process that runs a function as the rewriter names those of go statements:
// "(*Server).loop", and "TestX.func@27" for a literal on line 27. The function is given by its full
// name, "example.org/p.TestX.func2.1".
func processName(function string, line int) string {
	name := function[strings.LastIndexByte(strings.SplitN(function, "[", 2)[0], '/')+1:]
	_, name, _ = strings.Cut(strings.ReplaceAll(name, "[...]", ""), ".")
	for i := range name {
		if rest, ok := strings.CutPrefix(name[i:], ".func"); ok && rest != "" && '0' <= rest[0] &&
			rest[0] <= '9' {
			return cmp.Or(strings.Trim(strings.TrimPrefix(name[:i], "glob."), "."), "init") +
				".func@" + strconv.Itoa(line)
		}
	}
	return strings.TrimSuffix(name, "-fm")
}

// entry returns the address of a function's code.
func entry(f func()) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

func onceDo(o unsafe.Pointer, f func(), caller uintptr) bool {
	p := w.Enter()
	if library(caller) {
		p.Leave()
		return false
	}
	w.syncs.OnceDo(p, &scratch(p).sy, o, f)
	p.Leave()
	return true
}

func onceUsed(o unsafe.Pointer) bool {
	p := w.Enter()
	used := w.syncs.OnceUsed(o)
	p.Leave()
	return used
}
