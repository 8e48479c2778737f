// Package lab is the home of what rehearse is measured with. It has no code of its own, and only
// tests import the packages below it.
//
// Programs to explore, and fixtures to compare with:
//
//   - micro runs programs in a language of one line a process, without goroutines;
//   - actorprog runs the papers' programs of actors, and tries all their orders;
//   - goprog writes random Go programs;
//   - modules fetches published modules;
//   - want compares what an analysis finds with a comment in the fixture.
//
// Harnesses; each has tests only, and its doc says which document it writes:
//
//   - differ compares rehearse with Go itself on random programs;
//   - states compares stateful search with exhaustive search;
//   - leaks, goker and pairs look for known bugs;
//   - stdlib and corpus explore tests that others wrote.
package lab
