// Package broker carries the orders of a keeper to workers, and their answers back, by an embedded
// nats-server with JetStream.
//
// Vocabulary: an order is an item of a search as it travels. An answer is a worker's report on it
// (package divide of the main module). A delivery hands an order to a worker. The keeper is the
// test binary that reports: it speaks to this package by two pipes.
//
// Guarantees: nothing is counted here. An order is delivered until it is answered, or five workers
// have died with it, which the keeper is told; answers come at least once. If this package loses or
// doubles messages, the counts stay right: the keeper counts the first answer of an order (Lemma D1
// of package divide), and sends open orders again.
//
// LIMITS: one keeper at a time. Workers are counted by what they say of themselves every two
// seconds.
package broker

import "time"

// Streams, their consumer, and subjects.
const (
	Work     = "WORK"    // orders: each goes when a worker acknowledges it
	Results  = "RESULTS" // answers: each goes when the keeper has written it down
	Binaries = "BINARY"  // objects, by sha256
	Durable  = "work"    // the consumer of Work that all workers share

	orders  = "work"
	Answers = "results"
	Alive   = "alive" // a worker says that it is there: Beat
	Join    = "join"  // a worker asks for the manifest: Ask, answered by Reply
	Over    = "over"  // the run has ended
)

// Key is the header with the key of an order.
const Key = "Rehearse-Key"

// The time for which a worker may be silent about an order before another one gets it, the time
// between its signs of life, and the greatest number of deliveries of an order.
const (
	Silence    = 5 * time.Second
	Often      = 2 * time.Second
	deliveries = 5
)

// Inbox begins the subjects of answers to workers.
const Inbox = "_INBOX_work"

// Beat says that a worker is there.
type Beat struct {
	ID    string
	Slots int // orders that it works on at the same time; 0: it leaves
}

// Ask asks for the manifest.
type Ask struct {
	Nonce []byte
}

// Reply has the manifest, as JSON, and its signature. It is empty if there is none yet.
type Reply struct {
	Manifest  []byte
	Signature []byte
}
