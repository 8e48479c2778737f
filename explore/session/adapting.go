package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// newPoints returns a search's accesses that are steps: none yet.
func (e *trial) newPoints(o *options.Options) *adapt.Points {
	return adapt.NewPoints(!o.Separates(), func(list []string) {
		e.suite.Change(func(c *world.Config) { c.Points = list })
	})
}

// newSections lets sections of mutexes commute, if the options allow it. again makes a strategy
// that has not begun.
func (e *exploration) newSections(o *options.Options,
	again func() explore.Strategy) explore.Sections {
	if !o.Independent("sections") {
		return nil
	}
	none := func(why string) { e.noteSections(why) }
	if e.result.Early != nil { // a search of early firings is not described
		none = nil
	}
	return adapt.NewSections(e.setSections, none, again)
}

func (e *trial) setSections(may bool) {
	e.suite.Change(func(c *world.Config) { c.Sections = may })
}

// noteSections describes the sections of a search. why gives the reasons if all of them are
// ordinary locks.
func (m *remarks) noteSections(why ...string) {
	for _, l := range hook.Locks() {
		l.Ordinary = append(l.Ordinary, why...)
		m.result.Sections = append(m.result.Sections, report.Sections{Lock: l.Place, Loop: l.Loop,
			Count: l.Sections, Contended: l.Contended, Ordinary: l.Ordinary})
	}
}

// newJoining returns the refinement that lets sends of equal values commute; nil if the options
// turn it off.
func (e *trial) newJoining(o *options.Options, s adapt.Searches) *adapt.Joining {
	if o.Independence != "auto" || o.Strategy != "auto" || o.Model != "go" || o.Isolate || o.Race ||
		o.WhySymmetry() {
		return nil
	}
	return adapt.NewJoining(s)
}

// noteRaces says which accesses of data races became steps.
func (m *remarks) noteRaces(p *adapt.Points) {
	note, cut := p.Conclude()
	if note != "" {
		m.note("%s", note)
	}
	if cut != "" {
		m.result.CutShort(cut)
	}
}

// keepGroups makes the executions that follow keep the order of Add and Done, or not.
func (e *trial) keepGroups(keep bool) {
	e.suite.Change(func(c *world.Config) { c.Groups = keep })
}

// number makes the executions that follow give numbers to values, and a group to receives that drop
// theirs, or not.
func (e *trial) number(values, drops bool) {
	e.suite.Change(func(c *world.Config) { c.Values, c.Drops = values, drops })
}
