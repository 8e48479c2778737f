package schedules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Follower makes the choices of a schedule in a program that may have been edited since it was
// Saved. If a process has declared another operation than the schedule's, the program has changed:
// a removed operation counts as done, and an added one is done now.
//
// A schedule names processes by their paths, which a State does not show. When a process of unknown
// path has appeared, the follower therefore cuts the execution off, learns the path from the
// result, and starts again.
type Follower struct {
	want  []trace.Choice
	next  int              // in want
	Done  []trace.Alt      // decided so far
	procs []trace.Proc     // the processes known so far; only their paths are set
	index map[string]int32 // into procs, by path

	unknown        bool  // cut off to learn paths
	added, removed int   // operations of the program against the schedule
	Err            error // why the schedule does not apply
}

// Follow runs e once as schedule s says. The follower has the choices that it made; its err says if
// s did not apply.
func Follow(e explore.Executor, s *trace.Schedule) (*trace.Execution, *Follower) {
	f := &Follower{want: s.Choices}
	for {
		f.unknown = false
		x := e.Execute(f, false)
		if !f.unknown || len(x.Procs) == len(f.procs) {
			if f.Err == nil && x.End != trace.Cut {
				f.finish()
			}
			return x, f
		}
		f.learn(x)
	}
}

// finish judges what is left of the schedule when the execution has ended.
func (f *Follower) finish() {
	if f.next < len(f.want) {
		if _, exists := f.index[f.want[f.next].Proc]; !exists {
			f.reject("process %s does not exist", f.want[f.next].Proc)
		}
	}
	f.removed += len(f.want) - f.next
}

func (f *Follower) learn(x *trace.Execution) {
	f.procs, f.index = f.procs[:0], map[string]int32{}
	for i, p := range x.Procs {
		f.procs = append(f.procs, trace.Proc{Path: p.Path})
		f.index[p.Path] = int32(i)
	}
}

// Choose implements trace.Chooser.
func (f *Follower) Choose(s *trace.State) int {
	if s.Depth < len(f.Done) {
		return f.again(s)
	}
	if len(s.Procs) > len(f.procs) {
		f.unknown = true
		return -1
	}
	i := f.decide(s)
	if i >= 0 {
		f.Done = append(f.Done, s.Alts[i])
	}
	return i
}

// again makes a choice that was made before the execution was started anew.
func (f *Follower) again(s *trace.State) int {
	i := slices.Index(s.Alts, f.Done[s.Depth])
	if i < 0 {
		f.Err = fmt.Errorf(
			"step %d was possible and no longer is: something outside of the schedule decides",
			s.Depth+1)
	}
	return i
}

// decide finds the alternative that the next choice of the schedule names.
func (f *Follower) decide(s *trace.State) int {
	for f.next < len(f.want) {
		c := &f.want[f.next]
		p, exists := f.index[c.Proc]
		if i := f.match(s, c); i >= 0 {
			f.next++
			return i
		}
		switch {
		case !exists:
			return f.advance(s, c.Proc)
		case s.Procs[p] == nil || f.expects(c.Proc, s.Procs[p].Kind):
			f.removed++
			f.next++
			continue
		}
		if i := f.insert(s, c, p); i >= 0 {
			f.added++
			return i
		}
		return f.reject("%s, but that is not possible", c)
	}
	return explore.Onward(s)
}

// advance makes an operation that the schedule does not know and that comes before the start of
// process path. It is one of the parent of path, or of an earlier ancestor.
func (f *Follower) advance(s *trace.State, path string) int {
	parent, ok := parentOf(path)
	p, exists := f.index[parent]
	if ok && !exists {
		return f.advance(s, parent)
	}
	i := slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return ok && a.Involves(p) })
	if i < 0 {
		return f.reject("process %s does not exist", f.want[f.next].Proc)
	}
	f.added++
	return i
}

// parentOf returns the path of the process that starts process path, 0.1 for 0.1.2; ok is false for
// the first process.
func parentOf(path string) (parent string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], i >= 0
}

func (f *Follower) reject(format string, args ...any) int {
	f.Err = fmt.Errorf("choice %d of %d: %s", f.next+1, len(f.want), fmt.Sprintf(format, args...))
	return -1
}

// match returns the alternative that c names, or -1.
func (f *Follower) match(s *trace.State, c *trace.Choice) int {
	return slices.IndexFunc(s.Alts, func(a trace.Alt) bool {
		e := trace.Event{Alt: a, Op: *s.Procs[a.Proc]}
		if a.Partner >= 0 {
			e.PartnerOp = *s.Procs[a.Partner]
		}
		return trace.ChoiceOf(&e, f.procs) == *c
	})
}

// expects reports whether the schedule's next operation of process path has been removed from the
// program: the process has declared the operation after it, or after several of the same kind.
func (f *Follower) expects(path string, declared trace.Kind) bool {
	missing := f.want[f.next].Kind
	if missing == declared {
		return false
	}
	for _, c := range f.want[f.next+1:] {
		if c.Proc == path && c.Kind == missing {
			continue
		}
		if c.Proc == path {
			return c.Kind == declared
		}
		if c.Partner == path {
			return c.PartnerKind == declared
		}
	}
	return false
}

// insert returns an operation that the schedule does not know and that stands before c: of its
// process p, or of its partner.
func (f *Follower) insert(s *trace.State, c *trace.Choice, p int32) int {
	if s.Procs[p].Kind != c.Kind {
		return slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return a.Involves(p) })
	}
	q, exists := f.index[c.Partner]
	if !exists || s.Procs[q] == nil || s.Procs[q].Kind == c.PartnerKind {
		return -1
	}
	return slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return a.Involves(q) })
}

// Drift says how the program differs from the schedule; empty if it does not.
func (f *Follower) Drift() string {
	if f.added+f.removed == 0 {
		return ""
	}
	return fmt.Sprintf(
		"the program has changed since it was saved: operations added: %d, removed: %d",
		f.added, f.removed)
}
