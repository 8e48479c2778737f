// Package pairs holds rehearse against known bugs of published modules, before and after their
// repair. It has tests only.
//
// Vocabulary: a pair is a version of a module that has the bug and one that does not; its driver is
// a test of some lines, the same for both, that can come to the bug; the file of a driver is in
// testdata. The driver can also be a file of the tests that came with the repair: it is read in the
// go command's module cache, and put beside the older version, too.
//
// The modules are fetched by the go command, and only if the flag -pairs asks for it:
//
//	go test ./internal/lab/pairs -pairs -update
//
// A driver is a package of a module of its own that requires the version. One that needs functions
// that are not exported, and the module's own tests, are put into a copy of the module, in place of
// the package's tests.
//
// LIMITS: the native behaviour of a driver, under Go's own scheduler, is seen in a few runs that
// are ended after seconds.
package pairs
