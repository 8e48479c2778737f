// Package actors finds the actors of a program: their mailboxes, handlers, and the state each of them uses.
//
// Vocabulary
//
//   - root: the function that a go statement (or WaitGroup.Go, errgroup's Go, a helper that starts its argument) runs.
//   - run: one function on a goroutine: the root, or what it calls statically, a few calls below.
//   - receive loop: a receive in a cycle of a run's control flow, or in a run that is called from such a cycle. The
//     loop may count to a number that is known at run time, not to a constant.
//   - place: where a value is read from, object by object and not instance by instance: the struct field
//     Server.requests, the local variable ch.
//   - origin: where a value comes from: a make, a parameter nobody is seen to pass, a call of unknown code.
//
// An actor is a goroutine with a receive loop and a data mailbox that is not shared by a pool of workers.
// Everything else that looks similar is Rejected, with a reason.
//
// Guarantees: the result depends on the program alone, in source order; code that the analysis does not understand
// leaves facts out and never stops it.
//
// LIMITS: flow is field-based: two instances of one struct are one. Channels kept in slices and maps are one per
// container. Functions are followed through static calls, through interface calls with few implementations, and
// through function values that can be traced to literals; never through packages without syntax. reflect.Select is
// invisible.
package actors
