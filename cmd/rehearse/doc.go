/*
Rehearse runs the tests of Go packages under every order of messages that matters.

An actor program is a set of goroutines that talk over channels. Its ordinary tests see one order of messages per
run. Rehearse builds those tests with a scheduler of its own, runs them once per order that can make a difference, and
reports the orders that deadlock, leak a goroutine, panic or fail, each with a file that replays it.

Usage:

	rehearse test    [flags] [packages]    explore the packages' own tests
	rehearse build   [flags] -o FILE package
	                                       write the controlled test binary
	rehearse replay  [flags] FILE [package]
	                                       run one saved schedule, print its trace
	rehearse vet     [flags] [packages]    actor-discipline and concurrency checks
	rehearse actors  [flags] [packages]    list actors, their mailboxes and handlers
	rehearse bench   [flags]               measure strategies on programs whose counts are known
	rehearse help    [command]             more about a command
	rehearse version                       print the version

Packages are go patterns; none means the package in the current directory. A directory is never changed, except that
a failing schedule is saved below testdata/rehearse of its package.

Exit codes:

	0  complete and clean
	1  a finding, or a failing schedule
	2  usage error, build error, or a test that uses what is not controlled yet
	3  the budget ended, or the user interrupted, before every order had been run, or trusted code was run; and nothing was
	   found

# rehearse test

Usage: rehearse test [flags] [packages]

Test runs every test of the packages again and again, each time under another order of messages, until every order
that matters has been run or a budget ends. Packages may be import paths, directories, patterns such as ./..., or the
.go files of one program. A program without tests that is named itself, and not by a pattern with dots, is explored
through its main function, as a test called main. Examples with an output comment are explored as tests, and so are
fuzz targets, with their seeds.

Saved schedules of a test, below testdata/rehearse, run first.

What the tests may reach that is not controlled is listed first, with the tests that reach it; these are not explored,
unless the user trusts it. A test that comes to the network or to another process is given up there.

What to run and to print:

	-run REGEXP          only tests whose name matches
	-v                   print passing tests, all outcomes and logs, too, and of an incomplete test what fills the tree: pairs of
	                     operations that the search has to reverse, counted in some of its executions
	-json                print one JSON object per line
	-count N             explore each test N times
	-timeout D           budget of a package, 10m if not given, 0 for none; minimising a finding may take a part of it, at most 10s
	-failfast            stop at the first finding
	-short               make testing.Short report true
	-args                pass what follows to the tests themselves
	-C DIR               change to DIR first

How to build:

	-tags LIST           build tags
	-race                with Go's race detector, which sees all memory and needs cgo; see also -races
	-p N                 build N packages at the same time, 2 if not given; with -strategy graph, explore a test in N processes
	-control PATTERNS    rewrite the dependencies that match, too: those that use no channels and goroutines are left alone
	                     otherwise, and what they keep in variables is found by the next execution. Where that makes
	                     executions differ, rehearse test builds the package again with its dependencies rewritten, goes on
	                     with that test, and says which dependencies it was
	-trust PATTERNS      let the packages that match, also of the standard library, run as they are, uncontrolled; tests that
	                     reach them are explored and never complete. Patterns are comma lists of import paths, in which ...
	                     stands for any text; the flags may be repeated

How to explore:

	-strategy NAME       auto, exhaustive, dpor, transdpor, race, stateful, optimal, pop, graph, random, pct, pos or surw; auto
	                     is optimal, or dpor where optimal would take too much work (counted in steps, not in time), and when
	                     that takes long, one step in five is spent on samples of the last four, which run executions at random
	                     until a budget ends; pct notes how likely it is to have missed a bug that needs few orders. When
	                     optimal would take too much memory, pop begins again in its place. transdpor is dpor for programs of
	                     actors, in which nothing but the order of messages matters, and refuses others; race is for such
	                     programs, too: it runs the variants of each message race, without a search tree, is incomplete where
	                     other things matter, and notes orphan messages, those that nobody has received in the end; both are for
	                     -model actor and pairs. pop runs what optimal runs, in memory that does not grow with the number of
	                     executions, for more time between them; it is for -model go, and refuses programs that receive from
	                     timers. graph explores execution graphs: for programs of nothing but channels, each with one receiver
	                     and never full; it refuses others where that shows. It runs nothing twice, takes executions as one that
	                     differ only in the order of sends whose values nobody receives, and remembers little
	-model NAME          what the mailboxes of actors are: go, the channels that they are (the default); actor, bags: a send never
	                     blocks, and any message may be received next; pairs, the same but for the messages of one sender,
	                     which stay in order. A mailbox is a channel that rehearse actors lists as one for data, or whose make
	                     is marked //rehearse:mailbox, as is the variable or field that it is assigned to; all other channels
	                     stay Go's. With an actor model auto is dpor
	-state NAME          stateful: how states are compared: actor (actors and messages as sets, the default), plain (as they
	                     are) or none. An execution ends where it comes to a state that another one has been in. What the
	                     test has reported is a part of the state. States that are not fully known, as those with an armed
	                     timer or a function of a dependency that waits, differ from all others; a note says how many
	-search NAME         stateful: dfs, depth first (the default), or bfs
	-step NAME           stateful: little, all states are compared (the default), or big, only those with several alternatives
	-sleep               dpor or transdpor with sleep sets: next to nothing is run twice
	-order NAME          who goes first where dpor, transdpor, race or optimal is free to choose: fifo (the message that was sent
	                     first), eca (the goroutine that was started first), lca (last), or, for dpor and transdpor under -model
	                     actor and pairs, stable (an actor to which nobody else can send until it moves, by what rehearse
	                     actors knows), which is their default there but with -sleep, -isolate and -race. Orders change how many
	                     executions are needed, not what is found
	-tasks NAME          all, or independent: dpor and transdpor under -model actor and pairs leave out one of the two orders in
	                     which an actor takes messages whose tasks commute, by what rehearse actors knows
	-max-executions N    stop a test after N executions
	-max-steps N         call an execution of more than N steps a livelock, if it let every goroutine go on, or of more than
	                     N/10, and at least 100000, after the test function has returned; 1000000 if not given. Goroutines
	                     that go on for ever beside a timer let it fire: what goes wrong then is a finding, or a suspect, which
	                     is listed and does not fail the test, if the same order ends within N steps without that
	-max-spins N         a goroutine that has polled N times in vain (select with default, TryLock, Gosched, atomics) lets the
	                     others go first: 10 if not given; if that leaves an order out, the result is incomplete
	-atomics=false       atomic operations are no scheduling points; then no exploration that meets one is complete
	-races=false         do not look for data races; a race is a finding with both stacks and a schedule, and its accesses
	                     are steps from then on, so that both orders are explored
	-step-timeout D      give an execution up when one step of it takes longer than D: 10s if not given, 0 for never
	-isolate             run each execution in a process of its own, so that nothing of it is left for the next, and that what
	                     ends a process is a finding; it takes milliseconds more
	-clock NAME          when timers fire: delay (first when no process can move, and then those of up to a second also early,
	                     the default), idle (when no process can move) or explore (at any time)
	-delay D             with -clock delay, a finding for which a goroutine must be held up for D or longer, up to a second,
	                     is listed as slow and does not fail the test: 10ms if not given
	-max-fires N         with -clock explore, let at most N timers of an execution fire while processes can move; with delay,
	                     of the timers that one goroutine arms the first N: 3 if not given, 0 for any
	-choices LIST        what is explored beside the order of operations: select (which case is taken; it always is), rand
	                     (the numbers drawn from math/rand), maps (the order of the keys in a range over a map); those not
	                     named are fixed. What is too much to be explored in full makes the result incomplete, with a note
	-independence LIST   with -model actor or pairs (observed, equal and -model go: see below):
	                     what static analysis knows leaves out orders of two tasks of an actor. disjoint:
	                     neither accesses what the other one changes; commute: also updates that commute (sums of integers),
	                     other keys, equal values. context needs no facts, and works with -model go, too: where an execution
	                     comes to a state from which all has been explored, as two orders of messages often do, it is cut off,
	                     and counts as redundant. All are for auto (which is dpor -sleep then), dpor -sleep and optimal. With
	                     disjoint and commute, optimal runs nothing twice and cuts nothing off, but for what context does, and
	                     refuses programs in which more matters than the order of messages. context does not go together with
	                     the words below. -v lists what was left out, and why
	-audit N             run up to N pairs of tasks that were taken to commute in both orders, and compare the states and how the
	                     executions end: a difference is an error of rehearse, with the facts and both orders, exit code 2.
	                     Likewise what a task sends or accesses outside of what is known of its handler. With -model go, pairs of
	                     sends whose values are taken to be only added up
	-why A.M,A.N         explain whether tasks of the handlers M and N of actor A commute, as rehearse actors does
	-why races           explain the order of each finding: of each step that deviates from the default order, and where it leaves
	                     a passing one, which two steps of different goroutines are in a race there, and why they do not commute
	-why symmetry        which goroutines are twins (see symmetry below), how often a later one could have begun before an
	                     earlier one, and why other goroutines that one go statement starts are no twins
	-why sections        of each Lock that begins critical sections, for which variables these have an order, and why some are
	                     ordinary locks (see sections below)
	-seed N              seed of the randomised strategies, of the samples of auto, and of the numbers drawn from math/rand
	-backend NAME        coroutine or goroutine: how processes are switched; with -race, goroutine

-independence auto, the default, is symmetry,sections where -strategy is auto, too, under -model go and without -isolate; none is
none.

symmetry has twins begin in one order only: goroutines that one go statement, or WaitGroup.Go, starts in a loop to do the same
with the same variables, so that nobody can tell one from another until it begins. The loop must do nothing but start them and
call WaitGroup.Add. It is for auto and optimal. -v says where twins were started, and how often that has left something out.

sections gives critical sections of one mutex an order only where what they do to some variable does not commute: two that add to
a counter, or use different keys of a map, have none. What a section does is seen when it runs, and the search begins again when it
sees something new. A section with an operation in it that others see (a channel, an atomic variable, the test's log), or a call
of what is not known (an interface's method, a function that is a value, a package that is not rewritten), is an ordinary lock, and
all of a mutex are that somebody tries to lock. It is for auto, optimal and dpor.

The words of -independence that follow are for -strategy optimal, which auto is if one of them is given. observed takes two
executions as one that differ in what nobody sees: in the order of sends whose values nobody receives, or of atomic stores
that nobody reads, to variables that the package uses in atomic operations only (a plain read, or fmt, would see the order). equal does so, too, and with -model go it also takes sends of equal values as having no order where one
goroutine receives them one right after the other: with no other operation, no go statement and no access to a variable that
others may touch in between. Equal are values that nobody can tell from each other; pointers, if they are the same. Either
the channel has room for all that is sent, and nobody else looks at it (by receiving, len, or a select with default), or it is
unbuffered, and none of the senders goes on to touch a variable that others may touch before it knows of all of them. Not
with -race. -v says how often each of them has left something out.

With -model go, commute takes sends of any values in this way where static analysis knows that whoever receives them one right
after the other only adds them up: in a loop, or by several receives in one expression or one after the other, with integer
operations that commute (x += r.n, failed++ if r.err != nil, max), in a function that a goroutine runs once. equal,commute
does both. -v lists the places, and what is done with the values there.

-junit, -sarif and -html are planned.

# rehearse build

Usage: rehearse build [flags] -o FILE package

Build writes the controlled test binary of one package. FILE takes the same flags as rehearse test, except those that
say how to build: -tags, -race, -control, -trust and -p, which belong to rehearse build. One that is to run with -model
actor or pairs is built with either, one that is to run with -strategy stateful with that, and one that is to run with
-independence, -why or -audit is built with that.

# rehearse replay

Usage: rehearse replay [flags] FILE [package]

Replay runs the one execution that a schedule file describes and prints its trace. If no package is named, it is found
from the file's place, PACKAGE/testdata/rehearse/TEST/HASH.sched, or by the import path in the file. The .go files of a
program that is no package have to be named. The delivery model is the one that it was made under.

	-count N             run it N times and check that each run is the same
	-json                print one JSON object per line
	-isolate             run it in a process of its own
	-why races           explain its order as rehearse test does
	-tags, -race, -control, -trust, -p, -C as in rehearse test

# rehearse vet

Usage: rehearse vet [flags] [packages]

Vet checks actor discipline: that what looks like an actor is one. It runs through go vet, which remembers the results
of a package for as long as nothing changes that they depend on. Findings go to standard error, and make the exit code
1; when a package does not compile, it is 2, and the findings in the others are printed all the same. The command can
also be given to go vet: go vet -vettool=$(which rehearse) ./...

	-explain CHECK       print what a check looks for, and why; without a name, list the checks
	-NAME, -NAME=false   run only the check NAME, or all but it; for several, several flags
	-test=false          leave out findings that have to do with test files
	-tags LIST           build tags
	-C DIR               change to DIR first

What to print:

	-c N                 print the lines of a finding, with N lines around them
	-json                print what go vet -json prints
	-sarif FILE          write the findings to FILE as SARIF 2.1.0, too

What to leave out:

	-new-from-rev REV    print only findings on lines that differ from the git revision REV; a finding is about all the
	                     places that it names
	-baseline FILE       print only findings that are not in FILE, and list those in FILE that are gone. They are compared
	                     by check, package, function and the code of the line, wherever the line has moved
	-write-baseline      write all findings to the baseline instead of printing them

What to change:

	-fix                 apply the first suggested fix of each finding: giveup, ownership, timeafter and ignore have some that
	                     are safe. go vet -fix -vettool=$(which rehearse) and go fix -fixtool=$(which rehearse) do the same
	-diff                with -fix, print the changes instead of making them

A comment at the end of a line, or on a line of its own above it, silences a check there:

	//rehearse:ignore CHECK reason

The check called ignore reports such a comment when it gives no reason, names no check, or has nothing to silence.
Comments for staticcheck (//lint:ignore CHECK reason) and golangci-lint (//nolint:CHECK, //nolint:rehearse) count, too.

# rehearse actors

Usage: rehearse actors [flags] [packages]

Actors prints an inventory: the actors of the packages, their mailboxes and handlers, who sends to them, and the state
that each owns; what looks like an actor and is none, with the reason; then what the tasks of each handler read, write and
send, which tasks commute, and who causes whose tasks.

	-why A.M,A.N         explain whether tasks of the handlers M and N of actor A commute
	-json                print the facts as JSON
	-dot                 print who sends what to whom, as a graph: rehearse actors -dot | dot -Tsvg
	-tags LIST           build tags
	-test=false          leave test files out
	-C DIR               change to DIR first

# rehearse bench

Usage: rehearse bench [flags]

Bench explores programs whose number of inequivalent executions is known, with one strategy after the other, and prints
what each has needed beside what is known and what the papers print. The programs are inside the command. Of the combinations of strategies,
orders, tasks and models those are run that go together. Without any of these flags, the variants of which a paper
prints a number are run, too, on its own subjects, the models that make a difference to a subject, and refinements of independence of
which it is said how few executions they are to need. The exit code is
1 if a known count is not met, and 2 if a program cannot be explored; to come to a budget is neither.

	-subject REGEXP      only subjects whose name matches, as nsenders or 'phil.*(3)'
	-strategy LIST       a comma list of strategies as in rehearse test, of those that can have sleep sets with +sleep, as
	                     dpor+sleep, and of stateful with values of -state, -step and -search, as stateful+plain+big; all
	                     that are built if not given
	-order LIST          a comma list of orders, each strategy's own if not given
	-tasks LIST          a comma list of task selections, all if not given
	-model LIST          a comma list of delivery models, go if not given
	-independence LIST   what counts as independent, as in rehearse test: each strategy that takes the whole list is run without it,
	                     and with it
	-papers              only the variants of which a paper prints a number, on its own subjects; with -strategy, -order, -tasks or
	                     -model, those of them that have what is listed
	-long                also subjects that take long
	-max-executions N    stop a run after N executions; random ones stop after 1000 if not given
	-timeout D           budget of a run, 10s if not given, 0 for none
	-list                list the subjects, their counts, and why
	-json                print one JSON object per run
	-markdown            print a page in Markdown
	-C DIR               change to DIR first
*/
package main
