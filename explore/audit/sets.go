package audit

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Breach is an operation of a task that is not in the facts about its handler.
type Breach struct {
	Handler handlers.Ref
	// "send", "read", "write", "start of a goroutine", or the kind of another operation
	What string
	Site string // where
	// the facts have the place, but for variables that the task has made itself; this one is older
	Old bool
}

// Checked has the counts of comparisons with the facts.
type Checked struct{ Tasks, Sends, Operations, Accesses int }

// sets are the places of one handler, as an execution names them.
type sets struct {
	known                     bool // there are such, and they are all
	sends, reads, writes, new map[string]bool
	operations, newOperations map[string]bool
}

// Checker compares executions with the sets of the facts.
type Checker struct {
	Checked
	tasks  *handlers.Classifier
	sets   map[handlers.Ref]*sets
	first  map[int32]int // by variable: the number of its first access in the execution, from 1
	seen   int           // accesses of the execution so far
	used   map[int32]int // by object: the number of the first event on it in the execution, from 1
	now    map[int32]*running
	found  []Breach
	before map[Breach]bool
}

// running is the task that a process is in.
type running struct {
	handlers []handlers.Ref // it is of one of these
	began    int            // accesses of the execution before it
	event    int            // the number of its first event, from 1
}

// newChecker returns a checker for the facts that tasks go by.
func newChecker(tasks *handlers.Classifier) *Checker {
	return &Checker{tasks: tasks, sets: map[handlers.Ref]*sets{}, before: map[Breach]bool{}}
}

// Found returns what was found, each once, and forgets it.
func (c *Checker) Found() []Breach {
	list := c.found
	c.found = nil
	return list
}

// Check compares an execution that was run with sites. taken has the handlers of the messages that
// were taken, by the number of the event.
func (c *Checker) Check(x *trace.Execution, taken map[int][]handlers.Ref) {
	c.first, c.seen, c.now, c.used = map[int32]int{}, 0, map[int32]*running{}, map[int32]int{}
	access, born := 0, 0
	for i := 0; i <= len(x.Events); i++ {
		for ; access < len(x.Accesses) &&
			(i == len(x.Events) || int(x.Accesses[access].After) <= i); access++ {
			c.access(&x.Accesses[access])
		}
		for ; born < len(x.Procs) && int(x.Procs[born].Born) <= i; born++ {
			c.birth(x, &x.Procs[born])
		}
		if i < len(x.Events) {
			c.step(i, &x.Events[i], site(x.Sites, i), site(x.PartnerSites, i), taken[i])
		}
	}
}

// site is where event i was declared; empty if that is not known.
func site(sites []string, i int) string {
	if i < len(sites) {
		return sites[i]
	}
	return ""
}

// step goes by event i, e: it may end a task, begin one, and be a send or another operation of one.
// A task ends at each point where an actor may begin the next one, even if it is unknown whether it
// does: at each receive from a mailbox, and at each place that the facts have.
func (c *Checker) step(i int, e *trace.Event, site, partner string, taken []handlers.Ref) {
	if c.used[e.Obj] == 0 {
		c.used[e.Obj] = i + 1
	}
	switch {
	case e.Partner < 0:
	case c.tasks.Table.Receives(partner):
		delete(c.now, e.Partner)
	default:
		c.operation(e.Partner, trace.Recv, e.Obj, partner)
	}
	switch {
	case e.Kind == trace.Recv && trace.Mailbox(e.Cap) || c.tasks.Table.Receives(site):
		delete(c.now, e.Proc)
		if len(taken) > 0 {
			c.Tasks++
			c.now[e.Proc] = &running{taken, c.seen, i + 1}
		}
	case c.now[e.Proc] == nil:
	case e.Kind == trace.Send:
		c.Sends++
		c.demand(e.Proc, Breach{What: "send", Site: site},
			func(s *sets) bool { return s.sends[site] })
	default:
		c.operation(e.Proc, e.Kind, e.Obj, site)
	}
}

// unnoticed are steps without a statement, or that nobody notices.
var unnoticed = []trace.Kind{trace.Default, trace.Pick, trace.Fire, trace.End, trace.Death,
	trace.Join, trace.Stop}

// operation goes by another operation than a send.
func (c *Checker) operation(p int32, k trace.Kind, obj int32, site string) {
	t := c.now[p]
	if t == nil || slices.Contains(unnoticed, k) {
		return
	}
	c.Operations++
	isNew := obj >= 0 && c.used[obj] > t.event
	c.demand(p, Breach{What: operationName(k), Site: site}, func(s *sets) bool {
		return s.operations[site] || isNew && s.newOperations[site]
	})
}

// operationName is what people call an operation.
func operationName(k trace.Kind) string {
	if k == trace.Recv {
		return "receive"
	}
	return k.String()
}

// birth goes by the start of a process, if it is known whose step that was: the one that was done
// last.
func (c *Checker) birth(x *trace.Execution, p *trace.Proc) {
	if p.Born == 0 || p.Site == "" || c.now[p.Parent] == nil {
		return
	}
	if last := &x.Events[p.Born-1]; last.Proc == p.Parent || last.Partner == p.Parent {
		c.Operations++
		c.demand(p.Parent, Breach{What: "start of a goroutine", Site: p.Site}, func(s *sets) bool {
			return s.operations[p.Site]
		})
	}
}

// access goes by an access.
func (c *Checker) access(a *trace.Access) {
	c.seen++
	first, old := c.first[a.Cell], false
	if first == 0 {
		c.first[a.Cell] = c.seen
	}
	t := c.now[a.Proc]
	if t == nil || a.Atomic { // that is an operation, and looked up as one
		return
	}
	c.Accesses++
	old = first > 0 && first <= t.began
	b := Breach{What: "read", Site: a.Site}
	if a.Write {
		b.What = "write"
	}
	b.Old = old && !slices.ContainsFunc(t.handlers, func(r handlers.Ref) bool {
		return !c.setsOf(r).new[a.Site]
	})
	c.demand(a.Proc, b, func(s *sets) bool {
		return a.Write && s.writes[a.Site] || !a.Write && s.reads[a.Site] || !old && s.new[a.Site]
	})
}

// demand keeps those possible handlers of a task whose facts allow b. If none is left, b is found,
// and the task is not looked at any more.
func (c *Checker) demand(p int32, b Breach, allows func(*sets) bool) {
	t := c.now[p]
	b.Handler = t.handlers[0]
	t.handlers = slices.DeleteFunc(slices.Clone(t.handlers), func(r handlers.Ref) bool {
		s := c.setsOf(r)
		return s.known && !allows(s)
	})
	if len(t.handlers) > 0 {
		return
	}
	delete(c.now, p)
	if !c.before[b] {
		c.before[b] = true
		c.found = append(c.found, b)
	}
}

// setsOf returns the places of a handler.
func (c *Checker) setsOf(r handlers.Ref) *sets {
	s := c.sets[r]
	if s == nil {
		s = &sets{}
		if p := c.tasks.Table.Program.Behaviours[r.Actor].Tasks[r.Handler].Places; p != nil &&
			!p.Any {
			s = &sets{true, c.places(p.Sends), c.places(p.Reads), c.places(p.Writes),
				c.places(p.New),
				c.places(p.Operations), c.places(p.NewOperations)}
		}
		c.sets[r] = s
	}
	return s
}

func (c *Checker) places(list []facts.Pos) map[string]bool {
	set := map[string]bool{}
	for _, p := range list {
		set[c.tasks.Table.At(p)] = true
	}
	return set
}
