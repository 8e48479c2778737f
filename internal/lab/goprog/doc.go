// Package goprog makes random small Go programs over all of Go's concurrency, as source text: tests
// that an ordinary go test runs, and rehearse, too. The outcomes of the two can then be compared.
//
// Vocabulary: a program is one test function with its declarations. A construct is a way to make
// one statement, drawn with its weight (constructs.go lists them). An object is shared by
// statements: a channel, a mutex, a context. To note is to make a value part of the outcome: with
// t.Log at once, or in a variable of the process's own that is logged when all processes have
// ended. A statement owes its counterpart (a send owes the receive), which another process may then
// get. A theme is the group of constructs that a program prefers.
//
// Guarantees: New is a function of its seed. Programs compile, end or block, and never loop for
// ever. They have no data races and depend on nothing but the schedule: they do not look at other
// choices of Go (the values that a Pool keeps, the order of a map, the numbers of math/rand).
// Processes share variables only under a lock, and none adds to a WaitGroup at zero beside one that
// waits for it.
//
// Programs of NewAssigned also assign and copy sync objects, under a lock, in whatever state they
// are.
//
// Programs of NewMixed are smaller, and use all of this at once, and files, and plain accesses to
// what others access atomically. Some of them have data races.
//
// LIMITS: what Go decides by chance and rehearse fixes is therefore not compared. Timed programs
// have no subtests and hold no lock while they wait, because a bubble of testing/synctest, in which
// they run natively, has no such thing.
package goprog
