package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/library"
)

// walks is a search by a randomised strategy whose blocks several processes divide among them. The
// executions, and their order, are those of one process.
type walks struct {
	explore.Strategy // has not begun
	s                *turnSearch
	whole            string        // why one process has to begin again; empty: none has to
	chance           sample.Chance // of the executions that count
}

// walks returns such a search; nil if there is none.
func (s *turnSearch) walks() *walks {
	o := &s.o
	switch {
	case !strategy.Find(o.Strategy).Endless || o.P < 2, o.Alone() != "" || racelog.Enabled,
		o.Checkpoint != "" || o.Resume, s.suite.shards != nil || carrier != nil || o.Records():
		return nil
	}
	return &walks{Strategy: s.strategy, s: s}
}

// whole says why processes do not divide the search; empty: they do, or may.
func (s *turnSearch) whole() string {
	o := &s.o
	why := o.Whole()
	switch {
	case !strategy.Find(o.Strategy).Endless || why != "-strategy "+o.Strategy || carrier != nil:
	case o.Records():
		return why + " with a page or a record"
	case o.Resume:
		return why + " with -resume"
	}
	return why
}

// search explores until a limit is reached. It reports false if one process has to begin again.
func (w *walks) search() bool {
	e, lim := w.s.exploration, w.s.limits
	lim.Known, lim.Study = e.knowsFinding, w.s.study
	x := explore.Prepare(e.Exec, w, lim, e.progress)
	d := &divide.Search{
		Start: start, Helpers: w.s.o.Processes() - 1, Test: e.test.Name, Deadline: lim.Last(),
		Stop: func() bool { return w.whole != "" || x.Ends() },
		Do:   func(t divide.Task) divide.Report { return w.do(t, lim) },
		Try: func(t divide.Task) divide.Report {
			r, _ := e.walk(t, lim.OfTask(t.Deadline))
			return r
		},
	}
	d.BeginRanges(w.s.o.Seed, lim.MaxExecutions, func(r *divide.Report) {
		w.chance = w.chance.Plus(r.Chance)
	})
	r := x.Gather(d.Next)
	d.Close()
	if d.Unlike() {
		w.whole = unlikeProcess
	}
	if w.whole != "" && !e.stopped() {
		return false
	}
	e.result.Result = r
	return true
}

// do does a task in this process.
func (w *walks) do(t divide.Task, lim explore.Limits) divide.Report {
	r, whole := w.s.walk(t, lim.OfTask(t.Deadline))
	w.whole, r.Last = whole, whole != ""
	return r
}

// Summary implements explore.Strategy.
func (w *walks) Summary() explore.Summary {
	s := w.Strategy.Summary()
	s.Bound = w.chance.Bound()
	return s
}

// walk does a task. whole says why the search has to be made by one process; empty: it need not.
func (e *exploration) walk(t divide.Task, lim explore.Limits) (r divide.Report, whole string) {
	o := *e.suite.opts
	o.Seed = t.Blocks.Seed
	made, _, _ := advise.Strategy(&o, advise.For(e.suite.facts, &o))
	b := made.(*sample.Blocks)
	b.Portion(t.Blocks.First, t.Most, t.Until)
	var s explore.Strategy = b
	seen := &divide.Seen{Strategy: s}
	if t.Check {
		s = t.Portion(seen)
	}
	lim.MaxExecutions = 0
	lim.KeepGroups = func() explore.Strategy {
		whole = groupsUnmatched
		return ended{b}
	}
	x := explore.PrepareBehind(t.Blocks.First*sample.Block, e.Exec, s, lim)
	e.raw.Search(x)
	r = divide.Report{Part: x.Part(), Check: seen.Sum,
		Blocks: divide.Blocks{Done: b.Done(), Chance: b.Chance()}}
	switch {
	case slices.ContainsFunc(r.Part.Findings, isUnlike):
		whole = executionsDiffer
	case library.FilesClash():
		whole = "files have more to do with each other than was known"
	}
	return r, whole
}
