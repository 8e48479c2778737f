// Package discipline has what the checks of rehearse vet know of one package. The checks are rules
// that make message passing code an actor program. Each is a package below this one, of its name,
// with a fixture of its own; none knows another.
//
//	built.go trim.go               SSA, without test code that does not matter
//	index.go operations.go         functions, calls, channel operations
//	flow.go classes.go calls.go    which channels may be one
//	locus.go                       where a value is found
//	package.go                     all of that, and the processes
//	clients.go waits.go time.go    questions that several checks ask
//	params.go                      operations of other packages on channels: facts
//	report.go fix.go               findings
//
// Vocabulary: package actors's, and
//
//   - operation: a send, receive or close; each case of a select is one. One that is alone waits
//     for nothing else.
//   - process: every goroutine that runs one root; it runs the root and all functions that the root
//     calls statically, at any depth.
//   - channel: all channels that may be the same, by the flow: a unification over the package, one
//     node per struct field. A channel is open if unseen code may hold one of them.
//   - locus: the root and the fields by which a value is found. Two operations on one locus are on
//     one channel.
//   - request: a message that has a channel for the answer, or is one; its client sends it, itself
//     or by a helper.
//   - to wait: to run an operation that may order later code behind an operation of another
//     process.
//
// A check is a function from a Package, which all checks share, to findings; it knows other
// packages by facts (Params).
//
// Guarantees: every finding names two source positions that the reader can compare. A check reports
// when it has evidence, not when it lacks evidence of the contrary: a false alarm is a bug. If the
// flow does not know, the check is silent.
//
// LIMITS: package actors's. Functions that meet only in other packages are not seen together; calls
// of function values are not followed; two objects of one struct are one in the flow; most
// conditions are ignored. A lock is recognised by the name of the method, in the function of the
// access itself and, for state, in its callers. Files for other systems count only where a type is
// said to be unused.
package discipline
