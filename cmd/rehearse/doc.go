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
	rehearse view    [flags] [FILE or packages]
	                                       the page of -html, live: take another alternative of a step
	rehearse merge   [flags] PART...       report on the shards of a run
	rehearse refine  [flags] OLD NEW       compare two versions of a package: may any client be surprised?
	rehearse vet     [flags] [packages]    actor-discipline and concurrency checks
	rehearse actors  [flags] [packages]    list actors, their mailboxes and handlers
	rehearse cache   [clean]               show what is kept between runs, or remove it
	rehearse bench   [flags]               measure strategies on programs whose counts are known
	rehearse help    [command or topic]    more about a command; topics: strategies, exploring, models, facts, findings, ci
	rehearse version                       print the version

Packages are go patterns; none means the package in the current directory, and ./testdata/... the packages there.
A directory is never changed, except that a failing schedule is saved below testdata/rehearse of its package.

Exit codes:

	0  complete and clean
	1  a finding, or a failing schedule; this wins over 2 and 3
	2  usage error, build error, or a test that uses what is not controlled yet
	3  the budget ended, or the user interrupted, before every order had been run, or trusted code was run; and nothing was
	   found

# rehearse test

Usage: rehearse test [flags] [packages]

Test runs each test of the packages again and again, each time under another order of messages,
until every order that matters has been run or a budget ends. Packages may be import paths,
directories, patterns such as ./..., or the .go files of one program. Saved schedules, below
testdata/rehearse, run first. What goes wrong is minimised, drawn, and saved.

	-run REGEXP          only tests whose name matches; -skip REGEXP: all but those
	-list REGEXP         list the tests whose name matches, and explore none
	-v                   print passing tests, all outcomes and logs, and what was fixed or cut, too
	-json                print one JSON object per line; among them are those of go test -json
	-timeout D           budget of a package, 10m if not given, 0 for none
	-max-executions N    stop a test after N executions
	-count N             explore each test N times, also in packages that would print (cached)
	-failfast            stop at the first finding
	-allow-incomplete    exit code 0 instead of 3 if a budget ends and nothing was found
	-allow-unsupported   exit code 0 instead of 2 if a test cannot be explored
	-trust PATTERNS      let packages, also of the standard library, run as they are, uncontrolled:
	                     tests that reach them are explored, and never complete. A comma list of
	                     import paths, in which ... stands for any text; or functions:
	                     net.Listen, example.org/p.F, '(*example.org/p.T).M'
	-control PATTERNS    rewrite these dependencies, too; see rehearse help exploring
	-baseline FILE       set the findings in FILE aside; -write-baseline writes all findings there
	-memory SIZE         memory that the search for a test may use, as 500MB or 8GB; half of the
	                     machine's if not given, 0 for any. A test that needs more is incomplete
	-cover, -coverprofile FILE, -coverpkg PATTERNS, -covermode set  what any order runs: help ci
	-short, -parallel N, -tags, -mod, -ldflags, -C  as in go test; -args: for the tests
	-race                build with Go's race detector, which sees all memory and needs cgo
	-html FILE           write a page for people: rehearse help findings

More flags, and where they are explained:

	rehearse help exploring   -strategy -seed -choices -max-faults -clock -delay -max-fires -fine
	                          -max-steps -max-spins -step-timeout -isolate -atomics -races -backend
	                          -p -checkpoint -resume
	rehearse help models      -model -paper -order -sleep -tasks -state -search -step
	rehearse help facts       -independence -audit -why
	rehearse help findings    what a report says, what to do; -html -record -artifacts -values
	rehearse help replay      -prune -debug -at -dap -trace; and help merge: -shard -part
	rehearse help ci          -sarif -junit, exit codes, the allow flags, JSON, lines for a script

# rehearse merge

Usage: rehearse test -shard i/n [flags] [packages]    n times, each i from 1 to n

	rehearse merge [flags] PART...

The jobs of a build matrix explore the same packages together: each is a shard, which explores a
part of the orders and writes a part file. Merge takes the files of all shards, explores what they
have left, and reports as one run would have done; only times differ.

	-shard i/n           explore the i-th of n shards, from 1; exit code 0 also if something was
	                     found: merge reports it. auto asks the environment: CI_NODE_INDEX and
	                     CI_NODE_TOTAL (GitLab), CIRCLE_NODE_INDEX, BUILDKITE_PARALLEL_JOB,
	                     TEST_SHARD_INDEX, or JOB_COMPLETION_INDEX with REHEARSE_SHARDS
	-part FILE           the part file; rehearse-i-of-n.part if not given

Merge takes the flags of rehearse test that say what is printed and written, -p and -timeout; the
parts know the others. It runs in the same module, with the same code and version of Go. Parts that
do not fit together are refused, and so is a set from which one is missing.

What -p does not divide, and what has few orders, is left to merge. See docs/SCALE.md.

# rehearse refine

Usage: rehearse refine [flags] OLD NEW

	rehearse refine [flags] -old REV [packages]

Refine compares two versions of a component made of goroutines and channels. It answers: is there a
client that NEW can surprise? If there is, it shows a shortest sequence of calls and results that
NEW may show and OLD never does, and writes an ordinary test that tells the two apart. The test has
been run on both sides under every order: it always passes on OLD, and may fail on NEW.

The component is what a harness returns: a function in a _test.go file whose name begins with
Refine. What the harness takes, clients own: the component sends to a chan<- T, receives from a
<-chan T, and calls functions and interfaces. What it returns, clients use.

	func RefineHub(t testing.TB, log chan<- string) *Hub { return New(log) }
	func RefineHubValues() (name, text []string) { return []string{"ann"}, []string{"x", "y"} }

The second function is optional: it says what clients send, by the names of parameters. Comments of
a harness restrict clients: //rehearse:refine n=4 (operations), sequential (one call after the
other), sequential=TYPE (on one handle), once=Close, last=Close (when all else has ended), close=in
(clients may close that channel). //rehearse:name marks a type whose values are only compared.

An operand is PACKAGE, PACKAGE@REV (a git revision, or a version of a module), or one of these with
:HARNESS, which compares two harnesses. If one side has no harness, it gets that of the other.

	-n N                 operations of a client, 3 if neither this nor the harness says
	-k N                 receives of a channel, and calls of a callback, that count: 4
	-client KIND         go: clients notice when their own operations return; async: they do not
	-equal               exit code 1 also where NEW does less than OLD
	-run REGEXP          only harnesses whose name matches
	-entry F             take the constructor F as a harness
	-old REV             compare the revision with the working tree
	-write               make observers tests of the package
	-values quick=N      draw N values of each type that the harness does not name; or fuzz: those of
	                     f.Add and testdata/fuzz
	-p N                 explore N scripts at the same time
	-json, -v, -timeout, -tags, -race, -C, -seed, -max-steps, -max-executions (of a script), -clock
	                     as of rehearse test
	-strategy            auto, optimal, dpor, pop or exhaustive
	-model MODEL         with -client async: actor (channels are bags, and clients those of the
	                     thesis) or pairs (the messages of one sender stay in order)

Exit codes: 0 equivalent, or NEW does less; 1 NEW may do what OLD never does, or a data race; 2
usage, build, interfaces that differ, no harness; 3 no difference, and the comparison was cut short.

Limits: equivalent is said of clients of N operations and the values that are printed; an LRU cache
of size s needs s+2. Nothing is said of speed, or of operations that end in both versions in some
order. Clients that poll see more. One goroutine sends to one channel. What is changed through a
pointer after it has crossed the boundary is not compared. Timers fire when nothing else can move.

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
	                     every order. graph is for programs of nothing but channels, each with one
	                     receiver and never full. random, pct, pos, surw run orders at random until
	                     a budget ends. transdpor, race, stateful: see rehearse help models; all:
	                     rehearse help strategies
	-p N                 N processes divide the search for a test among them, and N packages are
	                     built at the same time. Divided are auto, optimal, graph and dpor -sleep,
	                     with -independence none or symmetry, or while nothing else that the default
	                     leaves out is at work. The counts are those of one process, and no samples are
	                     run. What is not divided is explored by one process, which -v says. If -p is
	                     not given, a search of auto begins in one process, and begins again in as many
	                     as there are processors if it has taken 5s and is not near its end
	-resume              go on with searches that were ended early: by an interrupt, the budget, a
	                     kill, -max-executions. A search that can be divided is written down every
	                     10s, in the cache; the report of a test ends with the command. Another
	                     test binary, other options, another version of Go are refused
	-checkpoint FILE     write the search for one test there, also if it is short, or -p is 1
	-max-steps N         call an execution of more than N steps a livelock, if it let every goroutine
	                     go on and none is in a loop that counts, or of more than N/10, and at least
	                     100000, after the test function has returned; 1000000 if not given
	-max-spins N         a goroutine that has polled N times in vain (select with default, TryLock,
	                     Gosched, atomics) lets the others go first: 10 if not given
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
	                     who waits for a semaphore, a channel of struct{}. For auto, optimal, dpor
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
	livelock         an execution goes on for ever although every goroutine gets its turns
	nondeterminism   the same order gives different executions: something outside of the schedule
	                 decides. -isolate, or -control of the package that keeps state, may help
	uncontrolled     an execution has come to the network, another process, or the like. The test is
	                 not explored. Use a fake, an in-memory connection, or -trust
	unsupported      the test was refused before it ran, for the reason given
	suspect          it needed a moved clock, is a leak that a finalizer may end, or depends on
	                 fixed statistics of memory: it does not fail the test
	slow             it needs a goroutine to be held up for longer than -delay; does not fail the test

A finding begins with what decides: which step came before which, where an order that passes has
the two the other way round, and what followed. Then the order that fails is drawn: a column per
goroutine, time runs down, a * where it leaves a passing execution, and what came first there. It
is as short as could be found. Its schedule is saved in testdata/rehearse/TEST/HASH.sched of the
package; commit it, and it runs first from then on. The line "replay" runs it again and prints
every step. -why races says which races make the finding. When a change of the program was meant,
rehearse replay -prune removes the schedules that no longer apply.

	-html FILE           write a page that needs no server and no network: the two steps that decide
	                     with their source, the order that fails beside the one that passes, and
	                     every step of both, with what each goroutine waits for and what is in the
	                     channels. Keys: arrows, g, /. Replay writes one, too
	-values=off          leave values that are sent, and source, out of all that is written. What the
	                     tests log stays
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

A package that was complete prints (cached) as long as nothing changes that its tests have read, by
the rule of go test. -count=1 explores it again; rehearse cache tells how much is kept.

-cover says which part of a package's statements any order has run, and -coverprofile writes a
profile. Blocks and percentages are those of go test -cover, and more of them may have run. With
-coverpkg, they are those of all packages that match. The mode is set: -covermode takes no other.

Schedules of findings are files below testdata/rehearse. Keep them as artifacts of the build, or
commit them: they run first the next time.

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

	-prune               rehearse replay -prune [packages]: run all saved schedules of the packages,
	                     and remove those that no longer apply
	-count N             run it N times and check that each run is the same
	-json                print one JSON object per line
	-isolate             run it in a process of its own
	-why races           explain its order as rehearse test does
	-html, -sarif, -junit, -record FILE, -values=off
	                     write what is shown of it, as rehearse test does
	-trace FILE          write its steps for other viewers: FILE.json for Perfetto and VS Code, a track
	                     for each goroutine and the lengths of channels; FILE.trace for go tool
	                     trace, a region for each step; FILE.shiviz for ShiViz
	-debug               build without optimisations and start delve (dlv), which stops at the step
	                     that decides, in the goroutine that has just done it; continue goes to the
	                     next step. goroutines -l has their names. Without a terminal, the command
	                     that does so is printed
	-at N, -at decide    stop behind step N instead
	-dap                 print what an editor needs to debug it, for .vscode/launch.json
	-tags, -race, -control, -trust, -p, -C as in rehearse test

# rehearse view

Usage: rehearse view [flags] [FILE.record | FILE.sched | packages]

View serves the page of -html, prints its address, and ends when it is interrupted. Packages are explored
meanwhile, and what is found comes to the page. FILE.record is what rehearse test -record has written, FILE.sched a
schedule, which is replayed. Beside what a file can do, each step has its other alternatives: a click runs the order up to
there, takes the alternative and goes on. What is shown can be saved below testdata/rehearse of its package.

	-http ADDR           listen there, 127.0.0.1:0 if not given: a free port of this machine only
	                     all flags of rehearse test that say what is built and explored

Whoever knows the address may run the tests: it has a random token. Requests for another host, or from another page, are
refused.

# rehearse vet

Usage: rehearse vet [flags] [packages]

Vet checks actor discipline: that what looks like an actor is one. It runs through go vet, which remembers the results
of a package for as long as nothing changes that they depend on. Findings go to standard error, and make the exit code
1; when a package does not compile, it is 2, and the findings in the others are printed all the same. The command can
also be given to go vet: go vet -vettool=$(which rehearse) ./...

	-explain CHECK       print what a check looks for, and why; without a name, list the checks
	-NAME, -NAME=false   run only the check NAME, or all but it; for several, several flags
	-possible            also print what leak, deadlock, lockpath and closetwice are not sure of, with the reason
	-confirm             run what these find: write a test that calls the functions with values of the package's
	                     constructors, zero values and stubs, explore it for 5s, and print below each finding: confirmed,
	                     with the order; not reproduced; or no driver, and why. Confirmed means that it happens for
	                     these values. -confirm=only prints no others. The tests are left in the packages with -write;
	                     -json has the verdict and the order in the finding's "confirm"
	-v                   also print how many functions these have run, and how many of them not to the end
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

	-fix                 apply the first suggested fix of each finding: giveup, ownership, timeafter, lockpath and ignore have
	                     some that are safe. go vet -fix -vettool=$(which rehearse) and
	                     go fix -fixtool=$(which rehearse) do the same
	-diff                with -fix, print the changes instead of making them

A comment at the end of a line, or on a line of its own above it, silences a check there:

	//rehearse:ignore CHECK reason

The check called ignore reports such a comment when it gives no reason, names no check, or has nothing to silence.
Comments for staticcheck (//lint:ignore CHECK reason) and golangci-lint (//nolint:CHECK, //nolint:rehearse) count, too.

# rehearse actors

Usage: rehearse actors [flags] [packages]

Actors prints an inventory: the actors of the packages, their mailboxes and handlers, who sends to them, and the state
that each owns; frameworks, which are loops that hand messages to a method of an interface or to a function, with the
types of these packages that receive them; what looks like an actor and is none, with the reason; then what the tasks
of each handler read, write and send, which tasks commute, and who causes whose tasks.

	-why A.M,A.N         explain whether tasks of the handlers M and N of actor A commute
	-json                print the facts as JSON; tasks are in it if the program is small
	-tasks REGEXP        with -json, the tasks of the actors whose name matches, . for all
	-dot                 print who sends what to whom, as a graph: rehearse actors -dot | dot -Tsvg
	-tags LIST           build tags
	-test=false          leave test files out
	-C DIR               change to DIR first

# rehearse cache

Usage: rehearse cache [clean]

Cache shows where rehearse keeps what it makes between runs (rewritten sources, test binaries, copies
of modules), and how much that is. It is below os.UserCacheDir: $XDG_CACHE_HOME or ~/.cache on Linux.
What has not been used for five days goes by itself, and what is above 2 GB. Packages are compiled
into go's own build cache: the first build of all compiles the standard library once more.

	clean                remove all of it; the next run makes it again
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
	-markdown            print a page in Markdown: executions, strategy by strategy, and refinements
	-csv DIR             write all that is known of each run into files of DIR, whose names begin with bench-
	-C DIR               change to DIR first
*/
package main
