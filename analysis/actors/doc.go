// Package actors finds the actors of a program: their mailboxes, handlers, and the state each of
// them uses.
//
// Vocabulary
//
//   - root: the function that a go statement (or WaitGroup.Go, errgroup's Go, a helper that starts
//     its argument) runs.
//   - run: one function on a goroutine: the root, or a function that it calls statically, a few
//     calls below.
//   - receive loop: a receive in a cycle of a run's control flow, or in a run that is called from
//     such a cycle. The loop may count to a number that is known at run time, not to a constant.
//   - place: the variable or field that a value is read from, the same for all instances: the
//     struct field Server.requests, the local variable ch.
//   - origin: where a value comes from: a make, a parameter nobody is seen to pass, a call of
//     unknown code.
//
// An actor is a goroutine with a receive loop and a data mailbox that is not shared by a pool of
// workers. Similar goroutines are Rejected, with a reason. Some only tick, wait for answers, drain,
// or take turns with a token. Some serve a lock-free queue, or one under a condition variable,
// which is no channel. Some consume on their caller's goroutine. A method that serves a mailbox of
// its object is an actor on whatever goroutine it is called. So is a framework's loop with each of
// the steps that receive for it.
//
// A task, the processing of one message, is found in the SSA form, see [Code]: the instructions
// from a receive up to the next one. If a switch tells kinds of messages apart, a task has only the
// instructions for its kind.
//
// Guarantees: the result depends on the program alone, in source order; code that the analysis does
// not understand leaves facts out and never stops it.
//
// LIMITS: flow is field-based: two instances of one struct are one. Channels kept in slices and
// maps are one per container. Functions are followed through static calls, through interface calls
// with few implementations, and through function values that can be traced to literals; never
// through packages without syntax. The channels of reflect.Select are not known. Two kinds of
// actors are not found: a step of a framework whose loop is not among the units, and a loop on its
// caller's goroutine whose mailbox is of another object. Kinds of messages are told apart by
// switches, not by chains of if. Every caller of the function with a send is a sender: a function
// that is called from everywhere has many.
package actors
