// Package discipline holds the checks of rehearse vet: rules that make message passing code an
// actor program, one analyzer per rule, in the file of its name. Other files have what rules share
// (clients, fix), or a part of one rule (opcodes of kinds, foreign and captured of isolation,
// follow and written of ownership).
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
// A rule is a function from the code of one package, which all rules share, to findings; what it
// knows of other packages are facts (Params).
//
// Guarantees: every finding names two source positions that the reader can compare. A rule reports
// when it has evidence, not when it lacks evidence of the contrary: a false alarm is a bug. What
// the flow does not know silences.
//
// LIMITS: package actors's. Functions that meet only in other packages are not seen together; who
// calls a function value is not followed; two objects of one struct are one in the flow; a
// condition tells nothing, but for a few kinds. A lock is recognised by the name of the method, in
// the function of the access itself and, for state, in those that lead there. Files for other
// systems count only where a type is said to be unused.
package discipline
