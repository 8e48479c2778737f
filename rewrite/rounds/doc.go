// Package rounds judges the loops of a package by their syntax and types: which ones only look,
// which count their rounds, and which only wait. It tells package runtime/rounds.
//
//	word      is
//	look      an operation that changes nothing if it finds nothing new: an atomic load, TryLock;
//	          a receive that finds a channel closed; or a section of a mutex that only reads
//	question  a function that only looks, of the package or of another one that is rewritten
//	round     one turn of a loop
//	still     a loop each of whose rounds leaves the goroutine as it was
//	counting  a loop that ends by a comparison with < or another order; or has a post statement
//	          and a condition that is not only about what others change; or ranges over anything
//	          but a channel
//
// The rewriter adds calls to a still loop: one when a goroutine comes to the loop, and one when a
// round begins. They tell whether two looks in one place are of one run of the loop:
//
//	for !x.Load() {    for _rehearse.Polls(); !x.Load(); { _rehearse.Round();
//
// Conditions:
//
//	P1  a look repeats another one only in the same run of the loop, and in a later round
//	P2  no round assigns to a variable that outlives it, but in a branch that says so when it is
//	    taken: then the loop begins anew
//	P3  an operation is told to be a look by its type; and the question to a context whether it
//	    has ended, by the type of its value: see hook.Asked
//	P4  a function that the loop asks is declared in rewritten code, and assigns to variables of
//	    its own only; no copy of a mutex or an atomic variable is among them; it does the same
//	    in each order of a map
//	P5  a round that locks a mutex leaves it as it was, and nobody tries to lock it meanwhile
//	P6  a round may count, or set, a variable that only branches which leave the loop read, and
//	    that no closure and no pointer has (a tally). The next rounds do the same, but a look more
//	    or less makes a difference to whoever reads the variable later
//
// The other judgements are a table, by lines: see Table.
//
// Guarantees: the functions and methods that look are told by their types, so that a Load of the
// program's own, or another len, is none of them.
//
// LIMITS: the table tells loops apart by lines. The loops of the standard library are not in it. A
// function of the standard library, a method of an interface, and a value are never questions.
package rounds
