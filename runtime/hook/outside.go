package hook

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
	"weak"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.Raise = func(sig any) bool {
		s, ok := sig.(os.Signal)
		return ok && raise(s)
	}
}

// The functions of this file take the place of those that tie a goroutine to something outside of
// the program. They do nothing, even before the first execution: a thread that package
// initialisation had locked would stop coroutines, and a finalizer that it had set would run beside
// the executions.

// LockOSThread is runtime.LockOSThread.
func LockOSThread() {}

// UnlockOSThread is runtime.UnlockOSThread.
func UnlockOSThread() {}

// SetFinalizer is runtime.SetFinalizer for an object that is never collected.
func SetFinalizer(obj, finalizer any) {
	if world.W.Current() == nil {
		return
	}
	at := (*[2]uintptr)(unsafe.Pointer(&obj))[1]
	if finalizer == nil {
		delete(garbage.finalizers, at)
		return
	}
	if garbage.finalizers == nil {
		garbage.finalizers = map[uintptr]bool{}
	}
	garbage.finalizers[at] = true
}

// AddCleanup is runtime.AddCleanup for an object that is never collected. The result's Stop does
// nothing.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	addCleanup()
	return runtime.Cleanup{}
}

// MakeWeak is weak.Make for an object that is never collected. An object of an execution is kept
// until the next one begins, and any other object for ever.
func MakeWeak[T any](ptr *T) weak.Pointer[T] {
	keep(unsafe.Pointer(ptr))
	return weak.Make(ptr)
}

func keep(ptr unsafe.Pointer) {
	switch {
	case ptr == nil:
	case world.W.Current() == nil: // ordinary goroutines run beside each other
		garbage.mu.Lock()
		garbage.before = append(garbage.before, ptr)
		garbage.mu.Unlock()
	default:
		garbage.weak = append(garbage.weak, ptr)
	}
}

func addCleanup() {
	if world.W.Current() != nil {
		garbage.cleanups++
	}
}

// listener is a channel that signal.Notify was called with.
type listener struct {
	c       chan<- os.Signal
	sigs    []os.Signal // none: all
	foreign bool        // code of another module has called
}

func (l listener) wants(s os.Signal) bool { return len(l.sigs) == 0 || slices.Contains(l.sigs, s) }

// listening are the channels that signals are sent to, and the ignored signals. Each execution
// begins with those that package initialisation and TestMain have set.
var listening, initially struct {
	channels []listener
	ignored  listener
	ignores  bool
	sent     []*delivery // so far
	awaited  []os.Signal // that may arrive at any time: see await
}

// changes makes a step of whatever changes who listens, and of a signal from outside, which reads
// that. The order of a signal that the program sends to itself and of a Notify is not explored: the
// signal might end the program.
var changes atomic.Int32

func watched() bool { return world.W.Faults.Kinds&gate.FaultSignal != 0 }

// ForgetSignals begins an execution.
func ForgetSignals() {
	listening = initially
	listening.channels = slices.Clone(initially.channels)
}

// apart guards listening while no execution runs, when the goroutines of TestMain run beside each
// other.
var apart sync.Mutex

// enter is World.Enter. While no execution runs, it also locks apart, and makes listening what it
// was before the first execution. Every enter needs a leave.
func enter() *sched.Proc {
	p := world.W.Enter()
	if p == nil {
		apart.Lock()
		if gate.Awaits != nil {
			ForgetSignals()
		}
	}
	return p
}

func leave(p *sched.Proc) {
	if p == nil {
		apart.Unlock()
	}
	p.Leave()
}

// signals changes who listens.
func signals(change func()) {
	if watched() {
		AtInt32(&changes).Add(1)
	}
	p := enter()
	change()
	if p == nil {
		initially = listening
	}
	leave(p)
}

// SignalNotify is signal.Notify, for signals that the program sends to itself. Others arrive if
// that is a choice: see await.
func SignalNotify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
	signals(func() {
		listening.channels = append(listening.channels,
			listener{c, slices.Clone(sig), sched.Foreign()})
	})
	await(sig)
}

// Signals lists the channels that code of other modules still listens to for signals.
func Signals() (ids []int32) {
	for _, l := range listening.channels {
		if id, ok := world.W.Chans.ID(world.Pointer(l.c)); ok && l.foreign {
			ids = append(ids, id)
		}
	}
	return ids
}

// SignalStop is signal.Stop. As in Go, signals that have been sent before arrive first.
func SignalStop(c chan<- os.Signal) {
	signals(func() {
		listening.channels = slices.DeleteFunc(slices.Clone(listening.channels),
			func(l listener) bool { return l.c == c })
	})
	p := world.W.Enter()
	sent := listening.sent
	p.Leave()
	for _, d := range sent {
		if slices.Contains(d.to, c) {
			Recv(d.done)
		}
	}
}

// SignalIgnore is signal.Ignore.
func SignalIgnore(sig ...os.Signal) {
	signals(func() {
		reset(sig)
		listening.ignores, listening.ignored.sigs = true,
			append(slices.Clone(listening.ignored.sigs), sig...)
		if len(sig) == 0 {
			listening.ignored.sigs = nil
		}
	})
}

// SignalIgnored is signal.Ignored.
func SignalIgnored(sig os.Signal) bool { return listening.ignores && listening.ignored.wants(sig) }

// SignalReset is signal.Reset.
func SignalReset(sig ...os.Signal) { signals(func() { reset(sig) }) }

func reset(sig []os.Signal) {
	all := listener{sigs: sig}
	var left []listener
	for _, l := range listening.channels {
		rest := slices.DeleteFunc(slices.Clone(l.sigs), all.wants)
		if len(rest) > 0 || len(l.sigs) == 0 && len(sig) > 0 {
			left = append(left, listener{l.c, rest, l.foreign})
		}
	}
	listening.channels = left
	if listening.ignored.sigs = slices.DeleteFunc(slices.Clone(listening.ignored.sigs),
		all.wants); len(listening.ignored.sigs) == 0 {
		listening.ignores = false
	}
}

// delivery is a signal on its way.
type delivery struct {
	sig  os.Signal
	to   []chan<- os.Signal
	done chan struct{} // closed when it has arrived
}

// deliver looks who listens to a signal, and returns what remains to be done; nil: nobody does.
func deliver(s os.Signal) *delivery {
	d := &delivery{sig: s, done: Made(make(chan struct{}))}
	p := enter()
	defer leave(p)
	for _, l := range listening.channels {
		if l.wants(s) {
			d.to = append(d.to, l.c)
		}
	}
	if len(d.to) == 0 {
		return nil
	}
	if p != nil {
		listening.sent = append(listening.sent, d)
	}
	return d
}

// arrive puts the signal into the channels that have room.
func (d *delivery) arrive() {
	for _, c := range d.to {
		Select(true, S(c).Case(d.sig))
	}
	Close(d.done)
}

// raise sends a signal to the program: to the channels that it has given to signal.Notify, at some
// time; at once while no execution runs. It reports false if nobody would notice but the operating
// system.
func raise(s os.Signal) bool {
	outside := world.W.Current() == nil
	if outside && gate.Awaits == nil {
		return false // C has called
	}
	d := deliver(s)
	switch {
	case d == nil:
		return SignalIgnored(s)
	case outside:
		d.arrive()
	default:
		Go("signal "+s.String(), d.arrive)
	}
	return true
}

// await lets one of the signals for which the program has just asked arrive at any time, if that is
// a choice. A program that asks for all signals is sent those that end programs.
func await(sigs []os.Signal) {
	p := world.W.Current()
	if p == nil || !watched() || world.W.Dying() {
		return
	}
	if len(sigs) == 0 {
		sigs = []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	var list []os.Signal
	var texts []string
	for _, s := range sigs {
		if s != os.Kill && s != syscall.SIGSTOP && !slices.Contains(listening.awaited, s) {
			listening.awaited = append(listening.awaited, s)
			list, texts = append(list, s), append(texts, "sent "+s.String())
		}
	}
	if len(list) == 0 {
		return
	}
	world.W.Outside(p, "the system", func() {
		if i := library.Fault(texts...); i > 0 {
			AtInt32(&changes).Load()
			if d := deliver(list[i-1]); d != nil {
				d.arrive()
			}
		}
	})
}
