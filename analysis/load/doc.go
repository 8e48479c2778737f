// Package load turns package patterns into typed syntax and SSA. It is the only user of
// go/packages.
//
// Vocabulary
//
//   - source package: a package with syntax; all others have types from the compiler's export data.
//   - variant: `p [p.test]` is p compiled with its in-package test files, `q [p.test]` is q
//     compiled against that p. Variants of one package share their syntax trees, so a position is
//     the same in all of them.
//   - target: a package that a pattern names, with its external test package.
//   - main module: the module of the working directory, and every member of the workspace under
//     go.work.
//
// Guarantees: one `go list` per Load. The standard library is never parsed, unless it is itself the
// target; its importers then still see export data. The order of Targets, Packages and every other
// slice depends on the input alone, and so do positions. A package that does not exist or does not
// compile is an *Error, which reads as one message for the user.
//
// LIMITS: source files are read from disk: an -overlay among the flags counts only for the standard
// library (see Config.Overlay). Packages written for cgo are checked as cgo rewrote them, so their
// positions follow //line comments. GOPATH mode is not supported. The first Load after a change of
// the standard library or of a dependency compiles it, because `go list -export` does.
package load
