package gate

import "unsafe"

// The kinds of faults. The user names the kinds that are choices of the schedule, by the words of
// package runtime/trace.
const (
	FaultSignal = 1 << iota // a signal arrives
	FaultReset              // a connection is reset
	FaultCut                // nothing that is sent over a connection arrives any more
	FaultRefuse             // a Dial is refused
	FaultShort              // a Read gets one byte
	FaultDrop               // a datagram is lost
)

// The faults of the network.
var (
	// Fault lets the caller choose whether a fault of a kind happens here. It is false where such
	// faults are no choices.
	Fault func(kind int) bool
	// Weather begins what may happen to a new connection.
	Weather func(o unsafe.Pointer)
)
