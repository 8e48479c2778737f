// Package stdlib holds rehearse against tests that the Go project wrote for its own concurrency:
// those of packages context, io, sync, sync/atomic and container/..., those of golang.org/x/sync,
// and the programs of GOROOT/test/chan. It has tests only.
//
// Vocabulary: a subject is a package whose tests are explored, or a program whose main function is;
// a case is one test of it, or the program.
//
// Each case is run natively first, then explored with a small budget. A case that passes natively
// must pass in every execution, or be refused with the reason. The sources are read where they are;
// none is part of this repository. The programs become packages of a module of their own, because
// files named as patterns are one package each time. select5.go prints a program: that one is the
// case, with -whole only, as it is long. powser1.go and powser2.go count something without a lock;
// they are explored with -races=false.
//
// Package time is no subject. Its in-package tests wait for timers, which are virtual, in code that
// is not rewritten, as hook depends on that package. Other tests look at the real clock by linked
// names. One is about a sleep of 292 years, which ends on the virtual clock when nothing else is
// left to do.
//
// LIMITS: the budget is far below what most cases need to be complete. A GOROOT without sources
// skips the tests, and so does, for golang.org/x/sync, a machine on which go can neither find nor
// fetch that module.
package stdlib
