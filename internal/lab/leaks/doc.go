// Package leaks holds rehearse against the goroutine leaks that the Go project collected to test
// its leak profile: the 63 kernels of real blocking bugs (GoKer, of the GoBench suite), and small
// programs with one leak each. It has tests only.
//
// Vocabulary: a kernel is one entry function of the corpus with the code that it needs. A leak is a
// goroutine that is blocked for ever, written as Go writes it, "F.func2(...) [chan receive]". An
// expectation is a regular expression over leaks from Go's own test of the profile.
//
// The programs are read from GOROOT/src/runtime/testdata/testgoroutineleakprofile when the test
// runs, and the expectations from GOROOT/src/runtime/goroutineleakprofile_test.go; neither is part
// of this repository. The test takes out of a kernel what makes its race likely under the real
// scheduler, and nothing else: the call that writes the profile, and the sleeps and yields before
// it. The loop around the kernel goes round once; a loop within the entry function of ten rounds or
// more goes round three times; the depth of SpawnGC, which makes hundreds of goroutines, becomes
// two. Lines keep their numbers, which is how a process of rehearse is matched with the name that
// the compiler gives to its function.
//
// LIMITS: the numbers of closures are counted as the compiler does for functions that are not
// inlined. A GOROOT without sources, or without this corpus, skips the tests.
package leaks
