package pop

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The end of the program in pop. A process whose panic nobody recovers, or which exits, reaches a
// step that ends the program (trace.Stop). No event can disable that step. The step changes nothing
// but how far other processes come. So the tree is that of another program, in which such a process
// waits for ever instead. The search runs a trace of that program in which a process waits so up to
// there, and cuts it off. Beside the tree, it runs each crash once.
//
// A crash consists of the process that ends the program, all events that happen before its end, and
// the lines of the log by then. An execution that has ended so shows nothing else. Lemma: each
// crash is found. Take an execution that ends so, and remove its last step z. Some trace T of the
// other program contains the remaining events, and the tree has T. In T, z waits, with the same
// events before it. The lines of the log that come before z are all lines of T but a set. That set
// contains, with each line, all later ones. Each such set is tried (study.ends). TestCrashes
// attacks this.

// goingOn yields the alternatives of s that do not end the program by themselves.
func goingOn(s *trace.State) func(func(trace.Alt) bool) {
	return func(yield func(trace.Alt) bool) {
		for _, a := range s.Alts {
			if s.Procs[a.Proc].Kind != trace.Stop && !yield(a) {
				return
			}
		}
	}
}

// ends returns schedules that lead to those crashes that are possible in the execution and have not
// been run.
func (s *study) ends() (list []schedule) {
	for q := range int32(len(s.x.Procs)) {
		p := &s.x.Procs[q]
		if p.Ended || p.Pending.Kind != trace.Stop {
			continue
		}
		prev := p.Born - 1
		if n := len(s.acts[q]); n > 0 {
			prev = s.acts[q][n-1]
		}
		tries := 0
		s.eachLog(s.logs(prev), nil, func(out []int32) bool {
			if u, isNew := s.crash(q, prev, out); isNew {
				list = append(list, u)
			}
			tries++
			s.p.coarse = s.p.coarse || tries > search.MostPlaces
			return tries <= search.MostPlaces
		})
	}
	return list
}

// logs lists the lines of the log that need not come before the step after event prev.
func (r *reading) logs(prev int32) (list []int32) {
	for k := range r.n {
		if r.x.Events[k].Kind == trace.Log && !r.needed(prev, k) {
			list = append(list, k)
		}
	}
	return list
}

// needed reports whether event k is event prev, or happens before it.
func (r *reading) needed(prev, k int32) bool {
	return k == prev || prev >= 0 && k < prev && search.HasBit(r.row(prev), k)
}

// eachLog calls f for each set of events of list that can be left out, until f returns false. A set
// contains all events of list that need one of its events.
func (r *reading) eachLog(list, out []int32, f func(out []int32) bool) bool {
	if len(list) == 0 {
		return f(out)
	}
	k, more := list[0], list[1:]
	gone := slices.ContainsFunc(out, func(o int32) bool { return r.needed(k, o) })
	if !gone && !r.eachLog(more, out, f) {
		return false
	}
	return r.eachLog(more, append(out[:len(out):len(out)], k), f)
}

// crash returns the schedule of the crash of process q after event prev, and whether it is new. The
// schedule is without the events that need an event of out.
func (s *study) crash(q, prev int32, out []int32) (u schedule, isNew bool) {
	c := search.Crash{Path: s.x.Procs[q].Path}
	if prev >= 0 {
		c.Past = s.p.order.Past(prev)
	}
	for k := range s.n {
		if s.ended(k) || slices.ContainsFunc(out, func(o int32) bool { return s.needed(k, o) }) {
			continue
		}
		if s.x.Events[k].Kind == trace.Log {
			c.Log += s.p.order.Past(k)
		}
		u.steps = append(u.steps, s.p.names.Label(s.x.Events[k].Alt))
	}
	u.steps = append(u.steps, s.p.names.Label(trace.Alt{Proc: q, Partner: -1}))
	u.crash = true
	if s.p.crashes[c] {
		return u, false
	}
	if len(s.p.crashes) < search.MostCrashes {
		s.p.crashes[c] = true
	}
	return u, true
}
