/*
Rehearse runs the tests of Go packages under every order of messages that matters.

An actor program is a set of goroutines that talk over channels. Its ordinary tests see one order of messages per
run. Rehearse builds those tests with a scheduler of its own, runs them once per order that can make a difference, and
reports the orders that deadlock, leak a goroutine, panic or fail, each with a file that replays it.

Usage:

	rehearse test    [flags] [packages]    explore the packages' own tests
	rehearse build   [flags] -o FILE package
	                                       write the controlled test binary
	rehearse replay  [flags] FILE          run one saved schedule, print its trace
	rehearse vet     [flags] [packages]    actor-discipline and concurrency checks
	rehearse actors  [flags] [packages]    list actors, their mailboxes and handlers
	rehearse help    [command]             more about a command
	rehearse version                       print the version

Packages are go patterns; none means the package in the current directory. A directory is never changed, except that
a failing schedule is saved below testdata/rehearse of its package.

Exit codes:

	0  complete and clean
	1  a finding, or a failing schedule
	2  usage error, build error, or a test that uses what is not controlled yet
	3  the budget ended before every order had been run, and nothing was found

# rehearse test

Usage: rehearse test [flags] [packages]

Test runs every test of the packages again and again, each time under another order of messages, until every order
that matters has been run or a budget ends. Packages may be import paths, directories, patterns such as ./..., or the
.go files of one program. A program without tests that is named itself, and not by a pattern with dots, is explored
through its main function, as a test called main.

Saved schedules of a test, below testdata/rehearse, run first.

What to run and to print:

	-run REGEXP          only tests whose name matches
	-v                   print every test and every outcome
	-json                print one JSON object per line
	-count N             run each exploration N times
	-timeout D           end an exploration after this time, as a budget that ended
	-failfast            end an exploration at the first finding
	-C DIR               change to DIR first

How to build:

	-tags LIST           build tags
	-race                with the race detector
	-p N                 as in go build

How to explore:

	-strategy NAME       auto, exhaustive, dpor, random; auto picks dpor
	-model NAME          go: Go's own channels
	-max-executions N    end an exploration after N executions
	-max-steps N         end an execution after N steps, as a suspected livelock
	-seed N              seed of the random strategies

# rehearse build

Usage: rehearse build [flags] -o FILE package

Build writes the controlled test binary of one package. FILE takes the same flags as rehearse test, except those that
say how to build: -tags, -race and -p, which belong to rehearse build.

# rehearse replay

Usage: rehearse replay [flags] FILE

Replay runs the one execution that a schedule file describes and prints its trace. The package is found from the
file's place: PACKAGE/testdata/rehearse/TEST/HASH.sched.

	-count N             run it N times and check that each run is the same
	-json                print one JSON object per line
	-tags, -race, -p, -C as in rehearse test

# rehearse vet

Usage: rehearse vet [flags] [packages]

Vet checks actor discipline: that what looks like an actor is one. Diagnostics go to standard error, as those of go
vet do, and make the exit code 1. The command can also be given to go vet, which checks package by package and
remembers the results: go vet -vettool=$(which rehearse) ./...

	-json                print what go vet -json prints
	-tags LIST           build tags
	-test=false          leave test files out
	-C DIR               change to DIR first

# rehearse actors

Usage: rehearse actors [flags] [packages]

Actors prints an inventory: the actors of the packages, their mailboxes and handlers, and the state that each owns.

	-json                print the facts as JSON
	-tags LIST           build tags
	-C DIR               change to DIR first
*/
package main
