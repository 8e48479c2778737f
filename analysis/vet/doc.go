// Package vet runs checks through go vet, so that the go command remembers their results, and
// decides which of the findings a user gets to see, and how.
//
// Vocabulary: a finding is one diagnostic of a check. Its fingerprint does not change when lines
// move: check, package, function, the tokens of its line, and a number among findings that agree in
// these. A baseline is a file of fingerprints: known findings, to be dealt with later.
//
// Guarantees: findings come sorted by position. If one package does not compile, the findings of
// the others are reported with the error. Nothing is written but the files that the user names.
//
// LIMITS: a finding whose line is changed has another fingerprint. A change that removes a line can
// cause a finding elsewhere, which -new-from-rev does not show. Files behind a go vet -overlay are
// read from disk.
package vet
