// Package indexer is the first program of "Dynamic partial-order reduction for model checking software" (C. Flanagan,
// P. Godefroid, POPL 2005): N threads insert four messages each into a hash table, without locks.
//
// # Counts
//
// The table has 128 places. The hash of message m, from 1 to 4, of thread t is (11m + t)·7 modulo 128; two hashes are
// equal if 11(m-m') + t-t' is 0 modulo 128, so for two threads of numbers below 11 never, and with 12 threads for the
// pair of threads 11 and 0 only: messages 1, 2, 3 of one and 2, 3, 4 of the other. Who comes second fails and takes the
// next place, which is nobody's. That makes 3 collisions of two orders each: 8 inequivalent executions. Every further
// thread, up to 15, adds a pair: 8^(N-11).
package indexer

import "sync/atomic"

const (
	size = 128
	most = 4 // messages of a thread
)

// Run returns how many places of the table are taken when n threads have inserted their messages.
func Run(n int) int {
	var table [size]atomic.Int32
	ends := make([]chan bool, n)
	for t := range n {
		ends[t] = make(chan bool, 1)
		go func() {
			insert(&table, t)
			ends[t] <- true
		}()
	}
	for _, end := range ends {
		<-end
	}
	taken := 0
	for i := range table {
		if table[i].Load() != 0 {
			taken++
		}
	}
	return taken
}

func insert(table *[size]atomic.Int32, t int) {
	for m := 1; m <= most; m++ {
		w := m*11 + t
		h := w * 7 % size
		for !table[h].CompareAndSwap(0, int32(w)) {
			h = (h + 1) % size
		}
	}
}
