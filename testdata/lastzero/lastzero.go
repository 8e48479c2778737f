// Package lastzero is the program with which papers on partial-order reduction show that a reader's data decides which
// of its later steps there are: N writers each increase one element of an array, and a reader looks for the last zero.
//
// # Counts
//
// Writer j, from 1 to N, does a[j] = a[j-1] + 1; the reader goes down from a[N] until it sees a zero, at a[0] at the
// latest. Nothing but the accesses to one element has an order: writer j's read of a[j-1] and writer j-1's write of it,
// and the reader's read of a[i] and writer i's write of it.
//
// Each of the N-1 pairs of neighbouring writers comes in one of two orders. The reader stops at the first i, from the
// top, where it comes before writer i; it has come after the writers i+1 ... N. If it stops at i > 0, writer i+1 has
// been before the reader and the reader before writer i, so writer i+1 has read a[i] before writer i wrote it: one
// pair is decided for 0 < i < N. That gives 2^(N-1) for i = N, 2^(N-2) for each of the N-1 values between, and 2^(N-1)
// for i = 0: (N+3)·2^(N-2) inequivalent executions. The outcome is where the reader stopped: N+1 of them.
package lastzero

import "sync/atomic"

// Run returns the index of the last zero that the reader saw, with n writers.
func Run(n int) int {
	a := make([]atomic.Int32, n+1)
	for j := 1; j <= n; j++ {
		go func() { a[j].Store(a[j-1].Load() + 1) }()
	}
	i := n
	for a[i].Load() != 0 {
		i--
	}
	return i
}
