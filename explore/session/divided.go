package session

import (
	"os"
	"os/signal"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/graph"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
)

// division is a search of execution graphs that several processes divide among them.
type division struct {
	*graph.Search // the one that has refused the program; otherwise one that says nothing
	e             *exploration
	limits        explore.Limits
	unlike        bool // helpers do not do what this process does
}

// division returns the search by execution graphs if processes can divide it, nil if not. With
// -isolate, the search is not divided. Nor is it under Go's race detector, whose findings only the
// process that runs an execution can record.
func (e *exploration) division() *division {
	o := e.suite.opts
	if o.Strategy != "graph" || o.Processes() < 2 || o.Isolate || racelog.Enabled {
		return nil
	}
	return &division{Search: graph.New(), e: e}
}

// whole is search, which begins again when two processes have met in a file, or do not do the same.
func (d *division) whole(lim explore.Limits) explore.Result {
	r := d.search(lim)
	for (library.FilesClash() || d.unlike) && !d.e.stopped() {
		library.JoinFiles()
		r = d.search(lim)
	}
	return r
}

// search explores until a limit is reached.
func (d *division) search(lim explore.Limits) explore.Result {
	d.limits = lim
	x := explore.Prepare(d.e.Exec, d, lim, d.e.progress)
	s := &divide.Search{
		Start: start, Helpers: d.e.suite.opts.Processes() - 1, Test: d.e.test.Name,
		Deadline: lim.Last(), Stop: x.Ends, Do: d.do,
		Try: d.e.tries(lim, !d.e.suite.opts.Separates()),
	}
	if d.unlike {
		s.Helpers = 0
	}
	s.Begin()
	r := x.Gather(s.Next)
	s.Close()
	if d.unlike = s.Unlike(); d.unlike {
		r.CutShort(explore.Stopped) // unless another search takes its place
	}
	return r
}

// do does a task in this process.
func (d *division) do(t divide.Task) divide.Report {
	g, r := d.e.part(t, d.limits.OfTask(t.Deadline))
	if r.Last = g.Summary().Refusal != nil; r.Last {
		d.Search = g
	}
	return r
}

// part does a task.
func (e *exploration) part(t divide.Task, lim explore.Limits) (*graph.Search, divide.Report) {
	g := graph.Below(t.Nodes...)
	lim.MaxExecutions = 0
	x := explore.PreparePart(e.Exec, t.Portion(g), lim)
	e.raw.Search(x)
	r := divide.Report{Part: x.Part()}
	for node := g.Share(); node != nil; node = g.Share() {
		r.Rest = append(r.Rest, node)
	}
	return g, r
}

// remote connects the search to the carrier of this process; nil: there is none.
func (d *pieces) remote() *divide.Remote {
	if carrier == nil {
		return nil
	}
	r := divide.NewRemote(carrier, d.run, d.e.test.Name)
	if d.saving != nil {
		r.Keep = d.saving.file.Add
	}
	return r
}

// hello says to the carrier who this process is.
func (s *suite) hello(args []string) {
	flags := s.opts.Deciding()
	if len(args) > 0 {
		flags = append(append(flags, "-args"), args...)
	}
	carrier.Hello(s.pkg.Path, s.pkg.Dir, flags)
}

// help does tasks of another process, and returns the exit code.
func (s *suite) help(boss *divide.Link, tests []gate.Test) int {
	signal.Ignore(os.Interrupt) // the terminal tells the other process, too, which decides
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return complain(s.stderr, err)
	}
	s.watch = watch.Idle(s.places)
	tests = s.withMain(tests)
	var e *exploration
	boss.Work(func(t divide.Task) divide.Report {
		if e == nil {
			i := slices.IndexFunc(tests, func(g gate.Test) bool { return g.Name == t.Test })
			if i < 0 {
				return divide.Report{Odd: true}
			}
			e = s.newExploration(tests[i], s.opts.MaxSteps)
		}
		return e.help(t)
	})
	return process.Clean
}

// help does a task, if nothing comes up beside what is counted.
func (e *exploration) help(t divide.Task) divide.Report {
	o := e.suite.opts
	lim := explore.Limits{Deadline: t.Deadline, FailFast: o.FailFast, Stop: e.stopped,
		Idle: o.Clock != "explore"}
	if t.Item != nil {
		lim.Known = e.knowsFinding
		return e.helpPiece(t, lim, !o.Separates())
	}
	g, r := e.part(t, lim)
	over := r.Part.Over != "" && r.Part.Over != explore.TimeIsUp
	if over || g.Summary().Refusal != nil || len(e.stuck) > 0 || len(states.Carried()) > 0 {
		return divide.Report{Odd: true}
	}
	return r
}
