package options

import (
	"flag"

	"github.com/rehearse-go/rehearse/explore/strategy"
)

// Register defines all flags on fs. The present values of o are their defaults.
func (o *Options) Register(fs *flag.FlagSet) {
	registerBuild(fs, o)
	registerPages(fs, o)
	registerRun(fs, o)
}

func registerBuild(fs *flag.FlagSet, o *Options) {
	fs.StringVar(&o.Dir, "C", o.Dir, "change to `dir` before anything else")
	fs.StringVar(&o.Tags, "tags", o.Tags, "build `tags`, comma-separated")
	fs.BoolVar(&o.Race, "race", o.Race, "build with the race detector")
	fs.StringVar(&o.Mod, "mod", o.Mod, "module download `mode`: readonly, vendor or mod")
	fs.StringVar(&o.LDFlags, "ldflags", o.LDFlags, "`flags` for the linker")
	fs.BoolVar(&o.Debug, "debug", o.Debug,
		"with a replay: build for a debugger, and start delve where -at says")
	fs.BoolVar(&o.DAP, "dap", o.DAP,
		"with a replay: build for a debugger, and print what an editor needs to start it")
	fs.Var(&o.Control, "control", "rewrite the packages that match `patterns`, too")
	fs.Var(&o.Trust, "trust",
		"let the packages and functions that match `patterns` run as they are")
}

func registerRun(fs *flag.FlagSet, o *Options) {
	registerTest(fs, o)
	registerOutput(fs, o)
	registerExploration(fs, o)
}

func registerTest(fs *flag.FlagSet, o *Options) {
	fs.StringVar(&o.Run, "run", o.Run, "only tests whose names match `regexp`")
	fs.StringVar(&o.Skip, "skip", o.Skip, "leave out tests whose names match `regexp`")
	fs.StringVar(&o.List, "list", o.List,
		"list the tests whose names match `regexp`, and explore none")
	fs.IntVar(&o.Parallel, "parallel", o.Parallel,
		"what tests see as the flag -test.parallel: `n`; all orders of parallel tests are explored in any case")
	fs.StringVar(&o.Memory, "memory", o.Memory,
		"`size` of the memory that the search for a test may use, as 500MB or 8GB; 0: any; half of the machine's if not given")
	fs.StringVar(&o.Baseline, "baseline", o.Baseline,
		"set the findings in `file` aside: they fail no test")
	fs.BoolVar(&o.WriteBaseline, "write-baseline", o.WriteBaseline,
		"write all findings to the baseline, and fail no test")
	fs.BoolVar(&o.Prune, "prune", o.Prune,
		"with a replay: run all saved schedules, and remove those that no longer apply")
	fs.IntVar(&o.P, "p", o.P,
		"explore a test in `n` processes, and build n packages at the same time; all processors if not given, for a search that takes long")
	fs.IntVar(&o.Count, "count", o.Count,
		"explore each test `n` times; with a replay: run the schedule n times")
	fs.DurationVar(&o.Timeout, "timeout", o.Timeout,
		"budget `d` of a package; when it ends, a test without findings is 'pass, incomplete'; 0: none")
	fs.StringVar(&o.Checkpoint, "checkpoint", o.Checkpoint,
		"write what the search for a test has come to to `file`, to go on with -resume")
	fs.BoolVar(&o.Resume, "resume", o.Resume,
		"go on with searches that were ended before their end")
	fs.StringVar(&o.Journals, "journals", o.Journals,
		"write what searches have come to below `dir` (set by rehearse test)")
	fs.StringVar(&o.Shard, "shard", o.Shard,
		"explore `i/n`, the i-th of n shards, and write what comes of it to a part file")
	fs.StringVar(&o.Part, "part", o.Part,
		"part `file` of -shard; rehearse-i-of-n.part if not given")
	fs.StringVar(&o.Merge, "merge", o.Merge,
		"report on the part `files` of all shards (set by rehearse merge)")
	fs.BoolVar(&o.Short, "short", o.Short, "make testing.Short report true")
	fs.BoolVar(&o.FailFast, "failfast", o.FailFast, "stop at the first finding")
	fs.BoolVar(&o.AllowIncomplete, "allow-incomplete", o.AllowIncomplete,
		"make the exit code 0 instead of 3 where a budget ends before every order has been run")
	fs.BoolVar(&o.AllowUnsupported, "allow-unsupported", o.AllowUnsupported,
		"make the exit code 0 instead of 2 where a test cannot be explored")
	fs.BoolVar(&o.Several, "several", o.Several,
		"accept a -run that matches no test (set when there are several packages)")
	fs.StringVar(&o.Handoff, "handoff", o.Handoff,
		"leave in `file` which tests need dependencies under control (set by rehearse test)")
	fs.BoolVar(&o.Explorer, "explorer", o.Explorer,
		"answer questions about executions (set by rehearse view)")
	fs.BoolVar(&o.Refine, "refine", o.Refine,
		"answer questions about harnesses (set by rehearse refine)")
	fs.StringVar(&o.At, "at", o.At,
		"with a replay for a debugger: stop behind `step`, a number or decide")
	fs.StringVar(&o.Replay, "replay", o.Replay, "run the schedule in `file` and print its trace")
}

func registerOutput(fs *flag.FlagSet, o *Options) {
	fs.BoolVar(&o.Verbose, "v", o.Verbose, "print passing tests, all outcomes and logs too")
	fs.BoolVar(&o.JSON, "json", o.JSON, "print JSON, one object per line")
	fs.BoolVar(&o.Of, "json-of", o.Of,
		"in objects that go test -json does not have, name the test as Of (set by rehearse test)")
	fs.StringVar(&o.Record, "record", o.Record, "write what pages are made from to `file`")
	fs.StringVar(&o.Values, "values", o.Values,
		"whether values and source are shown: "+words(switches))
}

// registerPages are the files that the command makes from the records of its binaries.
func registerPages(fs *flag.FlagSet, o *Options) {
	fs.StringVar(&o.HTML, "html", o.HTML, "write a page for people to `file`")
	fs.StringVar(&o.Artifacts, "artifacts", o.Artifacts,
		"write record, page and schedules of each test with findings below `dir`")
	fs.StringVar(&o.Trace, "trace", o.Trace,
		"with a replay: write its steps to `file` for other viewers: .json, .trace or .shiviz")
	fs.StringVar(&o.SARIF, "sarif", o.SARIF, "write the findings as SARIF to `file`")
	fs.BoolVar(&o.Cover, "cover", o.Cover, "say which part of the statements any order has run")
	fs.StringVar(&o.CoverProfile, "coverprofile", o.CoverProfile,
		"write which statements any order has run to `file`, for go tool cover")
	fs.StringVar(&o.CoverMode, "covermode", o.CoverMode, "`mode` of -cover: set")
	fs.StringVar(&o.CoverPkg, "coverpkg", o.CoverPkg,
		"measure the packages that `patterns` match, and not each test's own")
	fs.StringVar(&o.JUnit, "junit", o.JUnit, "write the results as JUnit XML to `file`")
}

func registerExploration(fs *flag.FlagSet, o *Options) {
	fs.StringVar(&o.Model, "model", o.Model, "delivery `model`: "+words(strategy.Models))
	fs.StringVar(&o.Strategy, "strategy", o.Strategy,
		"exploration `strategy`: "+words(strategy.Names(nil)))
	fs.Func("paper",
		"`row` of a paper's table: a strategy, and flags of its own, as in transdpor,order=eca,sleep",
		o.setPaper)
	fs.BoolVar(&o.Sleep, "sleep", o.Sleep, "sleep sets on top of dpor or transdpor")
	fs.StringVar(&o.Order, "order", o.Order,
		"`order` in which processes are picked: "+words(orders))
	fs.StringVar(&o.Tasks, "tasks", o.Tasks, "which `tasks` to pick: "+words(taskChoices))
	fs.StringVar(&o.Independence, "independence", o.Independence,
		"what counts as independent, a comma `list` of "+words(strategy.Words))
	fs.StringVar(&o.Search, "search", o.Search, "`order` of the stateful search: "+words(searches))
	fs.StringVar(&o.StepSize, "step", o.StepSize,
		"`size` of a step of the stateful search: "+words(steps))
	fs.StringVar(&o.State, "state", o.State, "how `states` are compared: "+words(states))
	fs.IntVar(&o.Audit, "audit", o.Audit,
		"run both orders of up to `n` pairs of tasks that the facts say to commute, and compare them; of a test that is explored in whole steps, n executions whose order inside of the library is drawn; 0: none")
	fs.StringVar(&o.Fine, "fine", o.Fine,
		"explore the steps inside of these `packages` of the library, too, such as net/http/...")
	fs.Uint64Var(&o.Seed, "seed", o.Seed,
		"`seed` of the randomised strategies, and of the numbers that the program draws from math/rand")
	fs.StringVar(&o.Choices, "choices", o.Choices,
		"what is explored beside the order of operations, a comma `list` of "+words(hiddenChoices)+
			"; select always is")
	fs.IntVar(&o.MaxFaults, "max-faults", o.MaxFaults,
		"with -choices signal or net: at most `n` faults in an execution; 0: no bound")
	fs.IntVar(&o.MaxExecutions, "max-executions", o.MaxExecutions,
		"stop after `n` executions of a test; 0: no bound")
	fs.IntVar(&o.MaxSteps, "max-steps", o.MaxSteps,
		"call an execution of more than `n` steps a livelock")
	fs.IntVar(&o.MaxSpins, "max-spins", o.MaxSpins, "let others go first after `n` polls in vain")
	fs.DurationVar(&o.StepTimeout, "step-timeout", o.StepTimeout,
		"give an execution up when one step takes longer than `d`; 0: never")
	fs.BoolVar(&o.Isolate, "isolate", o.Isolate,
		"run each execution in a process of its own, so that nothing is carried over")
	fs.StringVar(&o.Clock, "clock", o.Clock, "when timers fire: "+words(clocks))
	fs.DurationVar(&o.Delay, "delay", o.Delay,
		"with -clock delay: a finding for which a goroutine must be held up for `d` or longer is slow, and fails no test")
	fs.IntVar(&o.MaxFires, "max-fires", o.MaxFires,
		"with -clock explore: at most `n` timers of an execution fire while processes can still move; with delay: the first n that one goroutine arms; 0: no bound")
	fs.BoolVar(&o.Atomics, "atomics", o.Atomics,
		"make atomic operations scheduling points; without, no exploration that meets one is complete")
	fs.BoolVar(&o.Races, "races", o.Races,
		"look for data races among the accesses to variables that several goroutines may touch")
	fs.StringVar(&o.Why, "why", o.Why,
		"say why the tasks `A.m1,A.m2` commute or not; or races: which races make a finding; or symmetry: which goroutines are twins; or sections: which critical sections have an order")
	fs.StringVar(&o.Backend, "backend", o.Backend, "how processes are switched: "+words(backends))
}
