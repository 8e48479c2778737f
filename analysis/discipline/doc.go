// Package discipline has what the checks of rehearse vet know of one package. The checks are rules
// that make message passing code an actor program. Each is a package below this one, of its name,
// with a fixture of its own; none knows another.
//
//	index.go operations.go         functions, calls, channel operations
//	flow.go classes.go calls.go    which channels may be one
//	locus.go                       where a value is found
//	package.go                     all of that, and the processes
//	clients.go waits.go time.go    questions that several checks ask
//	params.go                      what other packages do to channels: facts
//	report.go fix.go               findings
//
// Vocabulary: package actors's, and
//
//   - operation: a send, receive or close; each case of a select is one. One that is alone waits
//     for nothing else.
//   - process: every goroutine that runs one root; it runs the root and what that calls statically,
//     at any depth.
//   - channel: all channels that may be one, by the flow: a unification over the package, one node
//     per struct field. It is open if code that is not seen may hold one of them.
//   - locus: the root and the fields by which a value is found. Two operations on one locus are on
//     one channel.
//   - request: a message that has a channel for the answer, or is one; its client sends it, itself
//     or by a helper.
//   - to wait: to do something that may order what follows behind what another process does.
//
// A check is a function from a Package, which all checks share, to findings; what it knows of other
// packages are facts (Params).
//
// Guarantees: every finding names two source positions that the reader can compare. A check reports
// when it has evidence, not when it lacks evidence of the contrary: a false alarm is a bug. What
// the flow does not know silences.
//
// LIMITS: package actors's. Functions that meet only in other packages are not seen together; who
// calls a function value is not followed; two objects of one struct are one in the flow; a
// condition tells nothing, but for a few kinds. A lock is recognised by the name of the method, in
// the function of the access itself and, for state, in those that lead there. Files for other
// systems count only where a type is said to be unused.
package discipline
