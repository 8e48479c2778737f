// Package bugs has small programs with one concurrency bug each, and the same programs without it. Plain `go test`
// nearly always passes: a bug needs a schedule that is rare, or leaves behind a goroutine that nobody looks for. The
// test of a bug is TestX, that of its twin TestXFixed.
//
// # Counts
//
// Below, the number of inequivalent executions of the bug, then of the twin. Every bug has 2 outcomes, a good and a bad
// one; every twin has 1. A test waits for a goroutine on a channel of its own, which adds no order. Two steps count as
// ordered only if swapping them changes something: an explorer whose dependence is coarser may run more, where noted.
//
//   - LostReply (leak): 2, 2. The server takes the request, or sees the stop first; then the client waits for ever, or,
//     in the twin, gives up. Coarser: a select that takes one case is ordered with the close that makes the other
//     ready, and two receives from a closed channel are ordered.
//   - LostSignal (leak): 2, 1. The notifier's select takes its default, or meets the waiter. In the twin the signal waits
//     in the channel.
//   - NilChannel (leak): 2, 1. The listener has the mutex before or after the channel was made. In the twin there is
//     nothing to be late for.
//   - SendOnClosed (panic): 3, 2. The closer has the mutex first, and nothing is sent; or the publisher has it first, and
//     sends before or after the close. In the twin: who has the mutex first.
//   - DoubleClose (panic): open, 2. One stop after the other, in 2 orders, or both look before either closes; then it
//     depends on who panics how much of the other goroutine's end is part of the execution. In the twin: who runs the
//     Once.
//   - NegativeWaitGroup (panic): open, 2. Likewise; in the twin: who has the mutex first.
//   - LockOrder (deadlock): 3, 2. For each of two mutexes, one of two goroutines has it first. The same one for both; or
//     each has the mutex it starts with, the deadlock; or each has the other one, which is impossible. In the twin who
//     has the first mutex first has the second one first.
//   - RecursiveRead (deadlock): 4, 3. The writer comes before the reads; between the two read locks, the deadlock; after
//     them, while a read lock is held; after the reads. Coarser: the writer's announcement is ordered with the unlock
//     of the inner read lock, 5. In the twin: before, while it is held, after.
//   - CrossedOnce (deadlock): 3, 4. One goroutine runs both functions; or each its outer one, the deadlock. In the twin
//     either may run either.
//   - FatalInSubtest (fail): 2, 2. Two answers in either order; the subtest insists on one of them.
package bugs
