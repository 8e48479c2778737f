// Package rounds judges the loops of a package by their syntax and types: which ones only look,
// which count their rounds, and which only wait. It tells package runtime/rounds.
//
//	word      is
//	look      an operation that changes nothing if it finds nothing new: an atomic load, TryLock
//	round     one turn of a loop
//	still     a loop each of whose rounds leaves the goroutine as it was
//	counting  a loop that looks, by < or another order, whether to end; or has a post statement
//	          and a condition; or ranges over anything but a channel
//
// A still loop says when a goroutine comes to it, and when a round begins. So two looks in one
// place can be told to be of one run of the loop, whatever is around the loop:
//
//	for !x.Load() {    for _rehearse.Polls(); !x.Load(); { _rehearse.Round();
//
// Conditions:
//
//	P1  a look is one more only in the same run of the loop, after a round has begun
//	P2  no round assigns to a variable that outlives it
//	P3  only what is known by its type is a look
//
// The other judgements are a table, by lines: see Table.
//
// Guarantees: the functions and methods that look are told by their types, so that a Load of the
// program's own, or another len, is none of them.
//
// LIMITS: the table tells loops apart by lines. The loops of the standard library are not in it.
package rounds
