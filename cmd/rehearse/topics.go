/*
Topics of rehearse help follow.

# exploring

How rehearse test explores: what it runs, what it leaves out, and the flags that change this.

Examples with an output comment are explored as tests, and so are fuzz targets, with their seeds.
A program without tests that is named itself, and not by a pattern with dots, is explored through
its main function, as a test called main. A test that comes to what is not controlled, such as the
network or another process, is given up there, with the stack and a flag that lets it run. A few
things cannot be noticed when a test comes to them: they are listed first, and tests that may reach
them are refused, unless the user trusts them. With -v, what tests may come to is listed, too.

	-strategy NAME       auto is optimal (no two equivalent executions), or dpor where optimal would
	                     take too much work; when that takes long, one step in five is spent on
	                     samples. Where optimal would take too much memory, pop begins again in its
	                     place: the same executions, in memory that does not grow. exhaustive runs
	                     every order. random, pct, pos, surw run orders at random until a budget
	                     ends. transdpor, race, stateful: see rehearse help models; all: rehearse
	                     help strategies
	-p N                 N processes divide the search for a test among them, and N packages are
	                     built at the same time. Divided are random, pct, pos and surw; and auto,
	                     optimal and dpor -sleep with -independence none or symmetry, or while nothing
	                     else that the default leaves out is at work. The counts are those of one
	                     process; samples do not count. What is not divided is explored by one
	                     process, which -v says. If -p is not given, a search of auto begins in one
	                     process, and begins again in as many as there are processors if it has taken
	                     5s and is not near its end
	-resume              go on with searches that were ended early: by an interrupt, the budget, a
	                     kill, -max-executions. A search that can be divided is written down every
	                     10s, in the cache; the report of a test ends with the command. Another
	                     test binary, other options, another version of Go are refused
	-checkpoint FILE     write the search for one test there, also if it is short, or -p is 1
	-max-steps N         call an execution of more than N steps a livelock, if it let every goroutine
	                     go on and none is in a loop that counts, or of more than N/10, and at least
	                     100000, after the test function has returned; 1000000 if not given
	-max-spins N         a goroutine that polls N times in vain (default, TryLock, atomics, a mutex)
	                     lets others go first: 10 if not given. Loops that only look lose no order
	-step-timeout D      give an execution up when one step of it takes longer than D, 0 for never. If
	                     it is not given: 10s for a step that waits for the system; one that computes
	                     has the test's part of -timeout
	-clock NAME          when timers fire: delay (first when no goroutine can move, and then those of
	                     up to a second also early; the default), idle or explore (at any time)
	-delay D             with -clock delay, a finding for which a goroutine must be held up for D or
	                     longer is listed as slow and does not fail the test: 10ms if not given
	-max-fires N         with -clock explore, at most N early firings in an execution; with delay, of
	                     the timers that one goroutine arms the first N: 3 if not given, 0 for any
	-choices LIST        what is explored beside the order of operations: select (always is), rand
	                     (numbers from math/rand), maps (the order of keys in a range over a map),
	                     signal (one that signal.Notify was called for arrives, at any time), net
	                     (faults of the network: net.reset, net.cut, net.refuse, net.short, net.drop)
	-max-faults N        at most N signals and faults in an execution: 1 if not given, 0 for any
	-fine PACKAGES       explore the steps of these packages, too, of which otherwise one order is run
	                     inside of each step of the program: net/http/..., crypto/tls, net/rpc/...,
	                     database/sql. That is for single requests; see also -audit
	-seed N              seed of the randomised strategies, of samples, and of math/rand
	-isolate             run each execution in a process of its own, so that nothing of it is left
	                     for the next, and what ends a process is a finding; milliseconds more each
	-atomics=false       atomic operations are no steps; then nothing that meets one is complete
	-races=false         do not look for data races
	-control PATTERNS    rewrite dependencies that use no channels and goroutines, too: what they
	                     keep in variables is put back. Where executions differ, this is done of
	                     itself
	-backend NAME        coroutine or goroutine: how goroutines are switched; with -race, goroutine

# models

Delivery models other than Go's, and the strategies that are made for actors.

	-model NAME          what the mailboxes of actors are: go, the channels that they are (the
	                     default); actor, bags: a send never blocks, and any message may be received
	                     next; pairs, the same but for the messages of one sender, which stay in
	                     order. A mailbox is a channel that rehearse actors lists as one for data, or
	                     whose make is marked //rehearse:mailbox, as is the variable or field that it
	                     is assigned to; all other channels stay Go's. With an actor model auto is
	                     dpor
	-strategy NAME       transdpor is dpor for programs of actors, in which nothing but the order of
	                     messages matters; it refuses others. race is for such programs, too: it runs
	                     the variants of each message race, without a search tree, is incomplete
	                     where other things matter, and notes orphan messages: those that nobody has
	                     received in the end. Both are for -model actor and pairs. stateful ends an
	                     execution where it comes to a state that another one has been in
	-paper ROW           a strategy with flags that it takes, as the tables of its paper have it:
	                     transdpor,order=eca,sleep; -model is actor then where Go's does not fit
	-state NAME          stateful: how states are compared: actor (actors and messages as sets, the
	                     default), plain (as they are) or none. States that are not fully known
	                     differ from all others; a note says how many
	-search NAME         stateful: dfs, depth first (the default), or bfs
	-step NAME           stateful: little, all states are compared (the default), or big, only those
	                     with several alternatives
	-sleep               dpor or transdpor with sleep sets: next to nothing is run twice
	-order NAME          who goes first where dpor, transdpor, race or optimal is free to choose:
	                     fifo (the message that was sent first), eca (the goroutine that was started
	                     first), lca (last), or, for dpor and transdpor under -model actor and pairs,
	                     stable (an actor to which nobody else can send until it moves), which is
	                     their default there but with -sleep, -isolate and -race. Orders change how
	                     many executions are needed, not what is found
	-tasks NAME          all, or independent: dpor and transdpor under -model actor and pairs leave
	                     out one of the two orders in which an actor takes messages whose tasks
	                     commute, by what rehearse actors knows

# facts

What is known about a program, by analysis or by watching it, leaves orders out of the search.

	-independence LIST   auto, the default, is symmetry,sections where -strategy is auto, too, under
	                     -model go and without -isolate, and equal where the first execution shows
	                     that it leaves something out; none is none. The words:
	  symmetry           goroutines that one go statement, or WaitGroup.Go, starts in a loop to do the
	                     same with the same variables begin in one order only. For auto and optimal
	  sections           critical sections of one mutex have an order only where what they do to some
	                     variable does not commute: two that add to a counter have none. What a
	                     section does is seen when it runs. One with an operation in it that others
	                     see, or a call of what is not known, is an ordinary lock. Likewise what one
	                     goroutine does in a loop with the values of a channel, and their sends; and
	                     the goroutines that wait for a semaphore, a channel whose values nobody
	                     looks at, or take numbers of jobs from a counter. For auto, optimal, dpor
	  observed           two executions are one if they differ in what nobody sees: the order of sends
	                     whose values nobody receives, or of atomic stores that nobody reads
	  equal              so, too, and with -model go sends of equal values have no order where one
	                     goroutine receives them one right after the other. Not with -race
	  commute            with -model go, sends of any values in this way where whoever receives them
	                     only adds them up: x += r.n, failed++ if r.err != nil, max. With -model
	                     actor and pairs, tasks of an actor whose updates commute (sums of integers,
	                     other keys, equal values)
	  disjoint           with -model actor and pairs, tasks neither of which accesses what the other
	                     one changes
	  context            an execution that comes to a state from which all has been explored is cut
	                     off, and counts as redundant. Not together with the other words
	                     observed, equal and commute under -model go are for -strategy optimal, which
	                     auto is then. -v lists what was left out, and why
	-audit N             run up to N pairs of tasks that were taken to commute in both orders, and
	                     compare the states and how the executions end: a difference is an error of
	                     rehearse, exit code 2. With -model go, pairs of sends whose values are taken
	                     to be only added up. Of a test that is "complete up to net/http", N
	                     executions whose order inside is drawn: one with an outcome that the search
	                     has not seen makes it incomplete.
	                     Without, where -independence and -strategy are auto,
	                     steps that come one right after the other and are taken to commute are run
	                     in both orders, one in a thousand, in at most a fiftieth of all steps
	-why A.M,A.N         whether tasks of the handlers M and N of actor A commute, as rehearse actors
	                     does
	-why races           explain the order of each finding: of each step that deviates, which two steps
	                     of different goroutines are in a race there, and why they do not commute
	-why symmetry        which goroutines are twins, how often a later one could have begun before an
	                     earlier one, and why other goroutines that one go statement starts are none
	-why sections        of each Lock that begins critical sections, for which variables these have
	                     an order, and why some are ordinary locks; likewise of loops that receive

# findings

What rehearse test reports, what it means, and what to do.

	deadlock         all goroutines wait for ever; each with what it waits for, and who holds it
	leak             the test has ended, and a goroutine waits for ever
	panic            a goroutine panics, also one that the test does not wait for
	fail             the test reports an error in this order
	race             two accesses to a variable that nothing orders, with both stacks. From then on
	                 both are steps, and both orders are explored
	livelock         an execution goes on for ever although every goroutine gets its turns. If all
	                 that can go on are in loops that only look, it ends at once; otherwise
	                 -max-steps ends it, and the result is incomplete
	nondeterminism   the same order gives different executions: something outside of the schedule
	                 decides. -isolate, or -control of the package that keeps state, may help
	uncontrolled     an execution has come to the network, another process, or the like. The test is
	                 not explored. Use a fake, an in-memory connection, or -trust
	unsupported      the test was refused before it ran, for the reason given
	suspect          it needed a moved clock, is a leak that a finalizer may end, depends on fixed
	                 statistics of memory, or is a panic that net/http recovers: it does not fail
	                 the test
	slow             it needs a goroutine to be held up for longer than -delay; does not fail the test

A finding begins with what decides: which step came before which, where an order that passes has the
two the other way round, and what followed. Then the order that fails is drawn: a column per
goroutine, time runs down, a * where it leaves a passing execution, and what came first there. It is
as short as could be found. Its schedule is saved in testdata/rehearse/TEST/HASH.sched of the
package; commit it, and it runs first from then on. The line "replay" runs it again and prints every
step. Texts that differ only in numbers are one finding; of those at one line, three are printed,
and all with -v. -why races says which races make the finding. When a change of the program was
meant, rehearse replay -prune removes the schedules that no longer apply.

	-html FILE           write a page that needs no server and no network: the two steps that decide
	                     with their source, the order that fails beside the one that passes, and
	                     every step of both, with what each goroutine waits for and what is in the
	                     channels. Keys: arrows, g, /. Replay writes one, too
	-values=off          leave sent values, source, names of files and addresses that tests use, and
	                     requests but for their methods out of all files. Logs and panics stay
	-record FILE         write what the page is made from: lines of JSON
	-artifacts DIR       write page, record and schedules of each test with findings to a directory
	                     of its own, DIR/PACKAGE/TEST

A test is complete if every order that matters has been run: then there is no other outcome. It is
incomplete if the budget has ended before. Give it more time (-timeout), make it smaller (fewer
goroutines, fewer messages), or see with -v what fills its tree. "fixed" is what was not explored:
-choices explores random numbers and the order of maps. "Complete up to net/http" means that one
order was run inside of net/http, "up to 1 fault" that there might be more faults.

# ci

Rehearse in a script, or on a build server.

Exit codes: 0 every order of every test was run and is fine; 1 a finding; 2 an error, or a test
that cannot be explored; 3 a budget ended first and nothing was found. A finding wins over 2 and 3.
-allow-incomplete makes 3 into 0. -allow-unsupported makes 2 into 0 if all that was wrong is that
tests could not be explored; what does not compile is still an error. The last line sums up.

	#!/bin/sh -e
	go install github.com/rehearse-go/rehearse/cmd/rehearse@latest
	rehearse test -timeout 2m -allow-incomplete -allow-unsupported ./...

is red for findings only. docs/CI.md of the source has files for GitHub, GitLab and Jenkins.

	-junit FILE          write JUnit XML; tests that are incomplete are skipped there, not passed
	-sarif FILE          write SARIF 2.1.0: each finding with its order as a code flow

In GitHub Actions, findings become annotations and a summary without a flag. None of these, nor
-html, changes the exit code. -max-executions bounds a test in a way that does not depend on the
machine.

-baseline FILE sets known findings aside: they fail no test, and those that are gone are listed.
They are compared by package, test, kind and message, wherever the lines have moved.
-write-baseline writes all findings there instead of failing.

-json prints one object per line. Among them are those of go test -json, so that its readers work:

	gotestsum --raw-command -- rehearse test -json ./...
	rehearse test -json ./... | tparse
	rehearse test -json ./... | go-junit-report -parser gojson > report.xml

A test with a finding is fail there; one that is incomplete is pass; one that cannot be explored is
skip, as is one that skips itself in every order. The other objects are rehearse's own: progress,
finding (as soon as it is known), result (one per test: Verdict, Complete, Executions, Outcomes,
Findings ...), outcomes (those for which a result has no room: lines have at most 64 KB; Of names
the test), uncontrolled, and package. Pos is relative to the module's root. Gotestsum takes every
object with a Test for a test of its own. So if it runs rehearse, rehearse's own objects name the
test as Of.

A package that was complete prints (cached) as long as the binary and the flags are the same, and
nothing changes that it has read: environment variables, files and directories. Those that are
outside of the module count, too, and so does what package initialisation and TestMain have read.
Files of users and hosts, which os/user and net read by themselves, do not. A package that makes
system calls past package os is explored each time, and -count=1 explores any package again.
rehearse cache tells how much is kept.

-cover says which part of a package's statements any order has run, and -coverprofile writes a
profile. Blocks and percentages are those of go test -cover, and more of them may have run. With
-coverpkg, they are those of all packages that match. The mode is set: -covermode takes no other.

Schedules of findings are files below testdata/rehearse. Keep them as artifacts of the build, or
commit them: they run first the next time.
*/
package main
