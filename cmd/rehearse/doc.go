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
	-memory SIZE         memory that the search for a test may use, as 500MB or 8GB; if not given,
	                     half of the machine's; 0 for any. A test or a step with more is incomplete
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
:HARNESS, which compares two harnesses. If one side has no harness, it gets that of the other; so
does a revision whose harness differs in values, comments or parameters. A note says what it got.

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
	                     constructors, zero values and stubs, of a generic function an instance, explore it for 5s, and
	                     print below each finding: confirmed, with the order; not reproduced; or no driver, and why.
	                     Confirmed means that it happens for these values. -confirm=only prints no others. The tests
	                     are left in the packages with -write; -json has the verdict and the order in the finding's
	                     "confirm"
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
	-tasks REGEXP        with -json, the tasks and calls of all whose name matches, . for all
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
