// Package discipline holds the checks of rehearse vet: rules that make message passing code an actor program, one
// analyzer per rule.
//
// Vocabulary: package actors's. A rule is a pure function from a survey of goroutines to findings; the analyzers only
// print them. Under go vet a survey sees one package; rehearse vet gives all analyzers one survey of the whole program.
//
// Guarantees: every finding names two source positions that the reader can compare. A rule reports when it has
// evidence, not when it lacks evidence of the contrary: a false alarm is a bug.
//
// LIMITS: package actors's. Code whose functions meet only in packages that are not loaded is not reported.
package discipline
