// Package closetwice reports channels that are closed twice, or sent to after that.
package closetwice

import "github.com/rehearse-go/rehearse/analysis/blocking"

// Analyzer is the check.
var Analyzer = blocking.Check("closetwice", `check that a channel is not closed twice, or sent to after it was closed

Both panic. The finding is an order of the function's goroutines, and of what it assumes, in which that happens. How such
an order is found, rehearse vet -explain leak says.

Example:

	func merge(a, b <-chan int) <-chan int {
		out := make(chan int)
		go func() { defer close(out); copyTo(out, a) }()
		go func() { defer close(out); copyTo(out, b) }() // the second one panics
		return out
	}

The same shape: select { case <-c: default: close(c) } in two goroutines: both may take the default.

Fix: close in one place, when all senders have ended; a sync.Once, or a lock around the question and the close.

Not reported: channels that come from outside of the function. With -possible, findings are also printed that are not
sure, with the reason.

Law: persistence, as of sendclosed, for a message after the close. None for a second close: the
theory has no close.`)
