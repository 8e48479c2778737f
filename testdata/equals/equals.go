// Package equals has programs whose messages are equal, so that it matters less, or not at all, in which order they come.
//
// # Counts
//
// Without -independence equal, sends into one channel have an order. With it, two sends of equal values have none if one
// run of receives, with nothing else in between, takes both.
//
//   - Signals: N goroutines say that they are done. N! orders; with equal messages 1.
//   - Commit is package twopc with votes that say yes and acknowledgements that say nothing: N! orders of each, (N!)^2; with
//     equal messages 1. The participants' inboxes have one sender each.
//   - CommitNumbered tells who acknowledges: (N!)^2, and with equal votes the N! orders of the acknowledgements.
//   - Early: of N signals K are taken, then main looks at something, and then the others are taken. N! orders; with equal messages
//     the ways to choose the K that come first, N!/(K!(N-K)!).
//   - Overtaken: of two signals the first one is taken, then main looks whether the first goroutine is ready, which it is before it
//     signals. If that one's signal came first, it is ready; if not, it may be or not: 3 inequivalent executions and 2 outcomes,
//     with equal messages, too.
//   - Racy is the same without an atomic variable: the two accesses are in a data race, which shows only if the
//     other signal comes first. 2 inequivalent executions, with equal messages, too.
//   - Handshakes is Signals through a channel without room: N! and 1.
//   - Heard is a data race of what the first of two goroutines does before its signal and the second one after its own, again
//     through a channel without room. If the first signal is taken first, the second goroutine learns of it by way of main,
//     and there is no race: 2 inequivalent executions, with equal messages, too.
package equals

import "sync/atomic"

// Signals waits for n goroutines.
func Signals(n int) {
	done := make(chan struct{}, n)
	for range n {
		go func() { done <- struct{}{} }()
	}
	for range n {
		<-done
	}
}

// Early takes k of n signals, looks at a variable, and takes the others.
func Early(n, k int) int64 {
	done := make(chan struct{}, n)
	var looked atomic.Int64
	for range n {
		go func() { done <- struct{}{} }()
	}
	for range k {
		<-done
	}
	seen := looked.Load()
	for range n - k {
		<-done
	}
	return seen
}

// Overtaken reports whether the first of two goroutines is ready when one of them has signalled.
func Overtaken() bool {
	done := make(chan struct{}, 2)
	var ready atomic.Bool
	go func() {
		ready.Store(true)
		done <- struct{}{}
	}()
	go func() { done <- struct{}{} }()
	<-done
	is := ready.Load()
	<-done
	return is
}

// Racy is Overtaken with a data race.
func Racy() bool {
	done := make(chan struct{}, 2)
	ready := false
	go func() {
		ready = true
		done <- struct{}{}
	}()
	go func() { done <- struct{}{} }()
	<-done
	is := ready
	<-done
	return is
}

// Handshakes waits for n goroutines, each of which waits for it.
func Handshakes(n int) {
	done := make(chan struct{})
	for range n {
		go func() { done <- struct{}{} }()
	}
	for range n {
		<-done
	}
}

// Heard returns what the second of two goroutines sees, when it has signalled, of what the first one did before that.
func Heard() bool {
	done, result := make(chan struct{}), make(chan bool)
	ready := false
	go func() {
		ready = true
		done <- struct{}{}
	}()
	go func() {
		done <- struct{}{}
		result <- ready
	}()
	<-done
	<-done
	return <-result
}
