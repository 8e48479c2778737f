// Package deadlock reports functions that wait for ever for what they have started.
package deadlock

import "github.com/rehearse-go/rehearse/analysis/blocking"

// Analyzer is the check.
var Analyzer = blocking.Check("deadlock", `check that a function does not wait for ever for goroutines that it has started

The function waits for a message, a WaitGroup or a Cond, and none of the goroutines that could end the wait is left, or
they wait themselves. Its caller waits with it. How such an order is found, rehearse vet -explain leak says.

Example:

	func all(items []item) {
		var wg sync.WaitGroup
		wg.Add(len(items))
		for _, it := range items {
			go func() { defer wg.Done(); work(it) }()
			wg.Wait() // in the loop: the second goroutine has not been started
		}
	}

The same shape: Add for more than are started; Done missed on an error; the results of several goroutines received only
after all have sent to a channel without room; a Cond that is signalled before anybody waits; a method that waits, with
a lock, for a goroutine that takes the lock before it is done.

Fix: the places below the finding are the steps; one of them comes too early, too late or not at all.

Not reported: waits that code outside of the function may end. With -possible, findings are also printed that are not
sure, with the reason.

Law: persistence, relaxed, as of noreply and cycles: an actor that waits for an answer has taken a
temporary name, and an answer must come. Here the function itself waits.`)
