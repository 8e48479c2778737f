package hook

import (
	"os"
	"runtime"
)

// The functions of this file take the place of those that tie a goroutine to something outside of the program. They do
// nothing, at any time: a thread that package initialisation has locked would stop coroutines, and a finalizer that it
// has set would run beside the executions.

// LockOSThread is runtime.LockOSThread.
func LockOSThread() {}

// UnlockOSThread is runtime.UnlockOSThread.
func UnlockOSThread() {}

// SetFinalizer is runtime.SetFinalizer for an object that is never collected.
func SetFinalizer(obj, finalizer any) {}

// AddCleanup is runtime.AddCleanup for an object that is never collected. The result's Stop does nothing.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup { return runtime.Cleanup{} }

// SignalNotify is signal.Notify for signals that never arrive.
func SignalNotify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
}

// SignalStop is signal.Stop.
func SignalStop(c chan<- os.Signal) {}

// SignalIgnore is signal.Ignore.
func SignalIgnore(sig ...os.Signal) {}

// SignalIgnored is signal.Ignored.
func SignalIgnored(sig os.Signal) bool { return false }

// SignalReset is signal.Reset.
func SignalReset(sig ...os.Signal) {}
