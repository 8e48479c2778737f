// Package differ holds rehearse against Go itself: random programs over all of Go's concurrency
// (package goprog) run many times as ordinary tests, and are explored. It has tests only.
//
//	go test ./internal/lab/differ                                         a sample
//	go test ./internal/lab/differ -programs=200 -runs=1000 -timeout=0     the whole
//	go test ./internal/lab/differ -seed=17 -programs=1 -v                 one program
//
//	go test ./internal/lab/differ -run TestMixed -mixed=200 -timeout=0    programs that mix everything, by all ways to search
//
//	go test ./internal/lab/differ -run Networks -networks 2000 -networkmost 2500 -timeout=0   programs that use the network
//
// TestMixed compares the outcomes and findings of exhaustive search with those of each other
// strategy, with each word of -independence, and by each clock; docs/RANDOM.md is what it writes
// with -mixedtable. With -mixedkeep, programs that differ are written to a directory. Their reduced
// forms are in testdata/reduced. Mixed programs that use files wait for their processes:
// os.RemoveAll, with which the test's directory ends, is not as many steps as it is natively.
//
// With -record FILE, each comparison is kept in a line of the file, and a later run goes on where
// this one has ended: comparisons in the file are counted and not done again. Begin a new file when
// the code has changed.
//
// Vocabulary: an outcome is a verdict (pass, fail, panic, deadlock or leak) with the log of the
// test. Natively, a watcher in the test binary sees that all goroutines wait, which makes a
// deadlock while the test runs, and a leak when it has returned. A run is perturbed: before each
// statement it may yield or spin, and GOMAXPROCS varies.
//
// The tests demand this: every native outcome is among those of every complete exploration, with
// the text of its panic; dpor with and without sleep sets and exhaustive search, where they are
// complete, have the same outcomes and as many traces. A program for which that is not so is made
// smaller, as long as it is not so, and printed with its seed. No program has a data race, also
// none that was made smaller: with one, what an exploration shows is not all that Go may do.
//
// Programs with timers run natively in a bubble of testing/synctest and are compared with -clock
// idle, whose meaning of time is the same; with -clock explore they are compared between
// strategies.
//
// LIMITS: timers on the real clock are not compared. Natively they may be late by any time, and
// late against each other; an exploration's clock stands still while processes run. If a program
// does not wait for its processes, one line of a native log may be missing, also in a run that
// panics: package testing loses a line that comes at the very moment at which the test ends.
// Goroutines go on for a moment while Go reports a panic; so the log of a native panic may be
// longer than that of the explored one. In a bubble, a process that waits for ever for a mutex
// cannot be told from one that waits for time: such runs do not count. Native outcomes are compared
// with complete explorations only.
package differ
