package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

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
	why, kept := s.whole(), o.Checkpoint != "" || o.Resume
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
			if f.why == "" && !e.result.Complete && o.Checkpoint != "" {
				f.why = tooEarly
			}
			e.noteAlone(o, f.why)
			return nil
		}
		before = e.result.Result
		e.number(false, false)
	}
	d := e.newPieces(s.apart, o, saved)
	if saved == nil {
		d.ordinary = hook.OrdinarySections()
	}
	d.total, d.spread = before.Total, before.Spread
	if before.Executions > 0 && d.samples != nil {
		d.samples.SkipHead()
	}
	limits := s.limits
	limits.Study = s.study
	e.result.Result = d.search(limits)
	e.setSections(false)
	if d.keeper.Spun() {
		d.whole = polls
	}
	if d.whole != "" && !e.stopped() {
		s.alone(nil)
		e.noteAlone(o, d.whole)
		return nil
	}
	e.result.Result.Learn(&before)
	e.result.Result.CountOnce()
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
