package trace

// reasons are the Go runtime's words for the reason why a goroutine waits, by its declared
// operation.
var reasons = [NumKinds]string{
	Send: "chan send", Recv: "chan receive", Select: "select",
	Lock: "sync.Mutex.Lock", RLock: "sync.RWMutex.RLock",
	WLock:    "sync.Mutex.Lock", // writers queue at a mutex inside the RWMutex
	WWait:    "sync.RWMutex.Lock",
	WgWait:   "sync.WaitGroup.Wait",
	CondWait: "sync.Cond.Wait",
	Once:     "sync.Mutex.Lock", // a Once holds its mutex while its function runs
	Join:     "chan receive",    // testing waits for subtests so
}

// WaitReason is the text between brackets in Go's stack of a goroutine that waits to do op. With
// it, a finding can be looked up among the goroutine dumps of the real program. It is empty where
// Go has no word for it.
func WaitReason(op *Op) string {
	switch {
	case op.Kind == Select && len(op.Cases) == 0:
		return "select (no cases)"
	case op.Kind == Select && len(op.Cases) == 1: // compiled as a send or a receive
		return WaitReason(&Op{Kind: op.Cases[0].Kind, Obj: op.Cases[0].Obj})
	case (op.Kind == Send || op.Kind == Recv) && op.Obj < 0:
		return reasons[op.Kind] + " (nil chan)"
	}
	return reasons[op.Kind]
}
