package gate

import "unsafe"

// The kinds of faults, of which the user says which are choices of the schedule. Package
// runtime/trace has their words.
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
