package sched

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Stop makes the next dispatch return to the driver.
func (r *record) Stop(how trace.EndKind) {
	if !r.ended {
		r.ended, r.x.End = true, how
	}
}

// newEvent appends an empty event.
func (r *record) newEvent() *trace.Event {
	n := len(r.x.Events)
	if n == cap(r.x.Events) {
		r.x.Events = append(r.x.Events, trace.Event{})
	} else {
		r.x.Events = r.x.Events[:n+1]
		r.x.Events[n] = trace.Event{}
	}
	return &r.x.Events[n]
}

// LastEvent returns the last event, for models that learn only afterwards what the event did. It
// may be changed until the current process declares its next operation.
func (r *record) LastEvent() *trace.Event { return &r.x.Events[len(r.x.Events)-1] }

// Steps returns the number of events of the execution so far.
func (r *record) Steps() int { return len(r.x.Events) }

// Done returns the events of this execution so far.
func (r *record) Done() []trace.Event { return r.x.Events }

// NewCases returns n Cases that stay valid until the next execution.
func (r *record) NewCases(n int) []trace.Case {
	if len(r.cases)+n > cap(r.cases) {
		r.cases = make([]trace.Case, 0, 2*cap(r.cases)+n)
	}
	r.cases = r.cases[:len(r.cases)+n]
	return r.cases[len(r.cases)-n:]
}

// Objects returns how many objects have been numbered.
func (r *record) Objects() int { return int(r.objects) }

// Met notes that the newest object may be older than its number: it has one because it is used.
func (r *record) Met() {
	if gate.Border {
		r.x.Met = append(r.x.Met, r.objects-1)
	}
}

// Made notes that the newest object is as old as its number, as it has just been made.
func (r *record) Made() {
	if n := len(r.x.Met); n > 0 && r.x.Met[n-1] == r.objects-1 {
		r.x.Met = r.x.Met[:n-1]
	}
}

// Static notes that the newest object was made before the execution.
func (r *record) Static() { r.x.Static = append(r.x.Static, r.objects-1) }

// Begins notes that the newest object differs from a new one.
func (r *record) Begins(i trace.Initial) { r.x.Initial = append(r.x.Initial, i) }

// Hold notes that a timer could have fired early, and was kept from it.
func (r *record) Hold() { r.x.Held = true }

// Armed notes an event that armed a timer: see trace.Execution.
func (r *record) Armed(event int) { r.x.Armed = append(r.x.Armed, int32(event)) }

// Press notes that the event that is being applied lets time pass because processes have gone on
// for too long.
func (r *record) Press() {
	r.x.Pressed, r.x.Forced = true, append(r.x.Forced, int32(len(r.x.Events)-1))
}

// Tell records, for people, the choice of the event that is being applied. It is for executions
// that record sites.
func (r *record) Tell(text string) {
	for len(r.x.Values) < len(r.x.Events)-1 {
		r.x.Values = append(r.x.Values, "")
	}
	r.x.Values = append(r.x.Values, text)
}

// Sites reports whether this execution records source positions.
func (r *record) Sites() bool { return r.opts.Sites }

// Spent notes that the execution might have had more than most faults.
func (r *record) Spent(most int) { r.x.Spent = most }

// upTo notes that a package of the border is in use.
func (r *record) upTo(pkg string) {
	if !slices.Contains(r.x.UpTo, pkg) {
		r.x.UpTo = append(r.x.UpTo, pkg)
	}
}

// Dying reports whether the processes are being unwound.
func (r *record) Dying() bool { return r.dying }

// Excuse makes the processes that are left at the end of this execution count as able to go on.
func (r *record) Excuse() { r.excused = true }

// Recovered notes a panic with value v, which package by of the library recovers. It is called
// while the panicking frames are still on the stack.
func (r *record) Recovered(by string, v any) {
	r.x.Recovered = append(r.x.Recovered,
		trace.Recovered{By: by, Text: plainText(v), Site: crashSite()})
}

// Silent notes that a was done as a part of the last event. In other searches a is an alternative.
func (r *record) Silent(a trace.Alt) {
	r.x.Silent = append(r.x.Silent, trace.Silent{After: int32(len(r.x.Events)), Alt: a})
}

// SilentSince is Silent for what was done right before the first event of a's process since there
// were n events.
func (r *record) SilentSince(a trace.Alt, n int32) {
	for int(n) < len(r.x.Events) && !r.x.Events[n].Alt.Involves(a.Proc) {
		n++
	}
	i := len(r.x.Silent)
	for i > 0 && r.x.Silent[i-1].After > n {
		i--
	}
	r.x.Silent = slices.Insert(r.x.Silent, i, trace.Silent{After: n, Alt: a})
}

// Partial returns the execution under way: its events, and its processes from number first on. It
// is for a chooser, or for a caller of Abandon. The result is valid as long as an Execution.
func (s *course) Partial(first int) *trace.Execution {
	x := s.x
	x.Procs = nil
	for _, p := range s.procs[min(first, len(s.procs)):] {
		x.Procs = p.describe(x.Procs)
	}
	return &x
}

// describe appends the description of p.
func (p *Proc) describe(list []trace.Proc) []trace.Proc {
	list = append(list, trace.Proc{})
	to := &list[len(list)-1]
	to.Path, to.Name, to.Parent, to.Born, to.Site = p.node.path, p.Name, -1, p.born, p.from
	to.Alias, to.Stack = p.alias, p.stack
	if p.parent != nil {
		to.Parent = p.parent.ID
	}
	to.Ours, to.Serving, to.Call = p.ours, p.serving, p.call
	to.Ended, to.Service, to.Twin, to.Drew, to.Bubble, to.Pending = p.ended, p.service, p.twins.of,
		p.twins.drew, p.Bubble.number(), p.Op
	return list
}

// summarise fills in the execution's processes.
func (r *record) summarise(procs []*Proc) {
	for _, p := range procs {
		r.x.Procs = p.describe(r.x.Procs)
		if p.enabled && r.x.End == trace.Steps {
			r.x.Enabled = append(r.x.Enabled, p.ID)
		}
		if !p.ended && !p.daemon && !r.excused && r.x.End == trace.Quiet {
			r.x.Blocked, r.x.BlockedSites = append(r.x.Blocked, p.ID),
				append(r.x.BlockedSites, p.site)
			p.blocked = len(r.x.Blocked)
		}
	}
}

// recordSites records where the processes of a, which is taken, have declared it.
func (r *record) recordSites(procs []*Proc, a *trace.Alt) {
	partner, stack := "", int32(0)
	if a.Partner >= 0 {
		partner, stack = procs[a.Partner].place(), procs[a.Partner].stack
	}
	r.x.Sites = append(r.x.Sites, procs[a.Proc].place())
	r.x.Calls = append(r.x.Calls, procs[a.Proc].call)
	r.x.PartnerSites = append(r.x.PartnerSites, partner)
	if r.opts.Details {
		r.x.StackOf, r.x.PartnerStacks = append(r.x.StackOf, procs[a.Proc].stack),
			append(r.x.PartnerStacks, stack)
	}
}

// End ends the execution now, on behalf of the current process p, which does not continue.
func (s *Sched) End(p *Proc, how trace.EndKind) {
	s.detector.inside(p)
	if !s.dying {
		s.Stop(how)
		s.leave()
		s.switchTo(p, nil)
		s.enter(p)
	}
	p.Goexit()
}
