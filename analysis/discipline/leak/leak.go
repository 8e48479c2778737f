// Package leak reports goroutines that wait for ever.
package leak

import "github.com/rehearse-go/rehearse/analysis/blocking"

// Analyzer is the check.
var Analyzer = blocking.Check("leak", `check that a goroutine that a function starts does not wait for ever

rehearse runs the code of a function without running the program: it tries the orders of its goroutines, and both answers
of conditions that it does not know. A finding is an order in which a goroutine waits for something that nobody can do any
more. The places below it are the steps that lead there; what they assume is said, and each assumption is needed.

Such a goroutine never ends, and all that it refers to stays in memory.

Example:

	func fetch(ctx context.Context) (string, error) {
		ch := make(chan string) // no buffer
		go func() { ch <- work() }()
		select {
		case s := <-ch:
			return s, nil
		case <-ctx.Done():
			return "", ctx.Err() // nobody receives from ch any more
		}
	}

The same shape: a return before the receive; one receive for several sends, as when the first answer wins; a second send
after the one in a branch; a range over a channel that nobody closes, or of a ticker that is
stopped; Done of a WaitGroup that an error skips, or of a copy of the group; a poll for a channel
that nobody closes.

Fix: make the channel with room for all that is sent to it; or let the goroutine wait for the context, too; or close the
channel that it ranges over, on every path.

Not reported: a goroutine that waits for something that code outside of the function may still do, because it was
given to a caller, to a function whose code is not known, or to a variable that others see; what needs more than three
assumptions; functions in test files, since rehearse test runs them. With -possible, findings are also printed that
are not sure, with the reason.

Law: none: an actor of the theory that waits for ever costs nothing. A goroutine keeps its stack,
and all that it refers to.`)
