package report

import "github.com/rehearse-go/rehearse/runtime/trace"

// reasons are the Go runtime's words for what a goroutine waits for, by the operation that it has declared.
var reasons = [trace.NumKinds]string{
	trace.Send: "chan send", trace.Recv: "chan receive", trace.Select: "select",
	trace.Lock: "sync.Mutex.Lock", trace.RLock: "sync.RWMutex.RLock",
	trace.WLock:  "sync.Mutex.Lock", // writers queue at a mutex inside the RWMutex
	trace.WWait:  "sync.RWMutex.Lock",
	trace.WgWait: "sync.WaitGroup.Wait", trace.CondWait: "sync.Cond.Wait",
	trace.Once: "sync.Mutex.Lock", // a Once holds its mutex while its function runs
	trace.Join: "chan receive",    // testing waits for subtests so
}

// waitReason is what Go prints between brackets in the stack of a goroutine that waits to do op, so that a finding can
// be looked up among the goroutine dumps of the real program. It is empty where Go has no word for it.
func waitReason(op *trace.Op) string {
	switch {
	case op.Kind == trace.Select && len(op.Cases) == 0:
		return "select (no cases)"
	case op.Kind == trace.Select && len(op.Cases) == 1: // compiled as a send or a receive
		return waitReason(&trace.Op{Kind: op.Cases[0].Kind, Obj: op.Cases[0].Obj})
	case (op.Kind == trace.Send || op.Kind == trace.Recv) && op.Obj < 0:
		return reasons[op.Kind] + " (nil chan)"
	}
	return reasons[op.Kind]
}
