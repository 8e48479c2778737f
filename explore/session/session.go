// Package session is the harness inside a controlled test binary: it takes the place of package
// testing's runner, explores each selected test, and reports.
//
// Vocabulary: a suite is one run of the binary. A study turns a finding of the exploration into one
// for people (minimised, drawn, saved). A saved schedule is a file under testdata/rehearse/<Test>
// of the package. To follow a schedule is to make its choices in a program that may have been
// edited since.
//
// The binary is built with one generated file, which calls Configure from an init function. This
// package's own init takes the command line away before any TestMain can parse it.
//
// Guarantees: saved schedules run first. An interrupt or the end of the budget stops even a long
// execution, and the findings until then are reported. The exit code is 0, 1, 2 or 3 as for the
// command. With -isolate, each of the same executions runs in a process of its own. With -p,
// several processes divide the search where they can, with the same result as one process.
//
// LIMITS: -run selects top-level tests only: a subtest is a part of its test's executions. The
// goroutine of a process that neither reaches its next operation nor ends can only be left behind;
// see watch.Guard.
package session

import (
	"cmp"
	"errors"
	"flag"
	"os"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/rounds"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Configure hands over the package under test. It is called once, before main.
func Configure(p Package) {
	configured = p
	rounds.Know(p.Loops)
	trusts := func(u Use) bool { return u.Trusted != "" }
	executor.Describe(world.Program{
		Path: p.Path, Announced: p.Announced, Unguarded: p.Unguarded,
		TrustedFunctions: p.TrustedFunctions, WithC: p.WithC,
		Foreign: len(p.TrustedFunctions) > 0 || slices.ContainsFunc(p.Uses, trusts),
	})
}

func init() {
	defer gate.Prepare()()
	if racelog.Enabled {
		raceFile = racelog.Redirect()
	}
	if isolate.IsChild() {
		link = isolate.Guard()
	}
	if divide.IsHelper() {
		boss = divide.Join()
	}
	var carried error
	if divide.IsCarried() {
		carrier, carried = divide.Carried()
	}
	start = isolate.Self()
	home, from = process.TakeHome(), process.TakeFrom()
	var forTests []string
	command.options, forTests, command.err = options.Parse(os.Args[1:])
	command.err = cmp.Or(carried, command.err)
	if command.err == nil {
		command.options.Watched = carrier != nil
	}
	if racelog.Enabled && command.err == nil {
		command.options.Race = true // it was built with that
		command.err = command.options.Check()
	}
	os.Args = append(os.Args[:1:1], forTests...)
	gate.Main = Main
	if command.err == nil {
		gate.InputLog = command.options.Inputs()
	}
}

// again says that TestMain has called m.Run.
var again bool

// Main explores the tests of the package and returns the exit code. Executions begin with what the
// first call has found, so another one, after changes by TestMain, is refused.
func Main(tests []gate.Test) int {
	if command.err != nil {
		return complain(os.Stderr, command.err)
	}
	if again {
		return complain(os.Stderr,
			errors.New("TestMain calls m.Run again: only the first run was explored"))
	}
	again = true
	if home != "" {
		if err := os.Chdir(home); err != nil {
			return complain(os.Stderr, err)
		}
	}
	process.Mark(command.options.Begun())
	exposeToTests(command.options)
	process.CollectRarely()
	if raceFile != "" {
		defer os.Remove(raceFile)
	}
	s, err := newSuite(configured, command.options)
	switch {
	case err != nil:
		return complain(os.Stderr, err)
	case link != nil:
		return child{s, link}.serve(tests)
	case boss != nil:
		return s.help(boss, tests)
	}
	s.from(began)
	s.watch = watch.New(s.places, s.stderr, s.opts.Timeout, s.deadline)
	s.watch.LimitMemory(allowedMemory(s.opts))
	defer s.watch.End()
	return s.run(tests)
}

// exposeToTests lets testing.Short and testing.Verbose answer as the user asked.
func exposeToTests(o *options.Options) {
	for name, on := range map[string]bool{"test.short": o.Short, "test.v": o.Verbose} {
		if f := flag.Lookup(name); f != nil && on {
			f.Value.Set("true")
		}
	}
	if f := flag.Lookup("test.parallel"); f != nil && o.Parallel > 0 {
		f.Value.Set(strconv.Itoa(o.Parallel))
	}
}

// allowedMemory is the limit that -memory sets, in bytes, or half of the machine's memory; 0: there
// is no limit, or the machine's memory is unknown.
func allowedMemory(o *options.Options) int64 {
	if limit, ok := o.MemoryLimit(); ok {
		return limit
	}
	return process.MachineMemory() / 2
}
