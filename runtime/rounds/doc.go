// Package rounds tells loops that count from loops that go on for ever, by what the rewriter knows
// of them: see Know and package rewrite/rounds.
//
// An execution that reaches the bound on steps is a livelock if its processes go round and round. A
// process that counts its rounds is no livelock: it gets on, and is only slow.
//
//	word      is
//	step      an operation of a process: the calls that led to it, and whether it receives
//	round     one turn of a loop
//	counting  a loop that ends by a comparison with < or another order; or has a post statement
//	          and a condition that is not only about what others change; or ranges over anything
//	          but a channel
//	nearest   of a process: the innermost loop around all of its steps
//
// The nearest loop of a process that only polls decides: it gets on if the loop counts each round.
// Any other process gets on by a counting loop further out, too, since the steps do not show which
// of the loops goes round. In
//
//	for i := range n {
//		for !try() {
//		}
//	}
//
// each try may succeed. A counting loop begins again and again if a loop without end has nothing
// else in its body. Such a counting loop does not get on. That is why the outer loop is looked at,
// too.
//
//	for {
//		for _, c := range subscribers {
//			c <- event
//		}
//	}
//
// A deep recursion gets on: its stack has an end.
//
// A function of which the rewriter knows nothing, as one of the standard library, may have a loop
// that counts. So a process whose steps are all in one call of it gets on. If it only polls, it
// gets on there if the function calls the program back. A few packages are known to have no such
// loops: runtime, sync but for Map.Range, sync/atomic and time.
//
// Guarantees: a process whose loops are all known, and have no end, never gets on.
//
// LIMITS: loops are told apart by lines. That a loop counts is no proof that it ends. A loop of the
// program's that has no end, and does nothing but call a function that is not known, gets on.
package rounds
