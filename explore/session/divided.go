package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/graph"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
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

// hello says to the carrier who this process is.
func (s *suite) hello(args []string) {
	flags := s.opts.Deciding()
	if len(args) > 0 {
		flags = append(append(flags, "-args"), args...)
	}
	carrier.Hello(s.pkg.Path, s.pkg.Dir, flags)
}

// divides explores by items if processes can divide the search, or alone. It returns what has
// searched; nil: the search was made alone.
func (s *turnSearch) divides() *pieces {
	e, o := s.exploration, &s.o
	if parts, mine := e.suite.shards.divides(s); mine {
		return parts
	}
	why, kept := o.Whole(), o.Checkpoint != "" || o.Resume
	unasked := o.P == options.AsPays && o.Strategy != "auto" // who names a strategy wants that one
	if why != "" || !kept && carrier == nil && (o.Processes() < 2 || unasked) {
		s.alone(nil)
		e.noteAlone(o, why)
		return nil
	}
	var before explore.Result
	saved := e.resumed(o)
	if saved == nil && (!o.IsPlain() || o.P == options.AsPays && !kept) {
		f := &shift{e: e}
		s.alone(f)
		if !f.due.Load() || e.stopped() {
			e.noteAlone(o, f.why)
			return nil
		}
		before = e.result.Result
		e.number(false)
	}
	d := e.newPieces(s.apart, o, saved)
	if saved == nil {
		d.ordinary = hook.OrdinarySections()
	}
	d.total, d.spread = before.Total, before.Spread
	e.result.Result = d.search(s.limits)
	e.setSections(false)
	if d.whole != "" && !e.stopped() {
		s.alone(nil)
		e.noteAlone(o, d.whole)
		return nil
	}
	e.result.Result.Remember(&before)
	return d
}

// noteAlone says why a search that took long was made in one process although the user has asked
// for several.
func (m *remarks) noteAlone(o *options.Options, why string) {
	switch slow := m.result.Result.Elapsed > patient; {
	case why == "":
	case o.Checkpoint != "":
		m.note("nothing is written to %s, as the search is in one piece: %s", o.Checkpoint, why)
	case carrier != nil:
		m.note("explored by one process, as workers do not divide this: %s", why)
	case o.P > 1 && (o.Verbose || slow):
		m.note("explored by one process, as -p does not divide this: %s", why)
	}
}
