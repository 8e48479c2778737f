package audit

import (
	"slices"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Breach is something that a task has done and that the facts do not have among what tasks of its handler do.
type Breach struct {
	Handler handlers.Ref
	What    string // "send", "read", "write"
	Site    string // where
	Old     bool   // the facts have the place, but for variables that the task has made itself; this one is older
}

// Checked counts what has been compared with the facts.
type Checked struct{ Tasks, Sends, Accesses int }

// sets are the places of one handler, as an execution names them.
type sets struct {
	known                     bool // there are such, and they are all
	sends, reads, writes, new map[string]bool
}

// Checker compares executions with the sets of the facts.
type Checker struct {
	Checked
	tasks  *handlers.Classifier
	sets   map[handlers.Ref]*sets
	first  map[int32]int // by variable: the number of its first access in the execution, from 1
	seen   int           // accesses of the execution so far
	now    map[int32]*running
	found  []Breach
	before map[Breach]bool
}

// running is the task that a process is in.
type running struct {
	handlers []handlers.Ref // it is of one of these
	began    int            // accesses of the execution before it
}

// NewChecker returns a checker for the facts that tasks go by.
func NewChecker(tasks *handlers.Classifier) *Checker {
	return &Checker{tasks: tasks, sets: map[handlers.Ref]*sets{}, before: map[Breach]bool{}}
}

// Found returns what was found, each once, and forgets it.
func (c *Checker) Found() []Breach {
	list := c.found
	c.found = nil
	return list
}

// Check compares an execution that was run with sites. taken has the handlers of the messages that were taken, by the number of
// the event.
func (c *Checker) Check(x *trace.Execution, taken map[int][]handlers.Ref) {
	c.first, c.seen, c.now = map[int32]int{}, 0, map[int32]*running{}
	at := 0
	for i := range x.Events {
		for ; at < len(x.Accesses) && int(x.Accesses[at].After) <= i; at++ {
			c.access(&x.Accesses[at])
		}
		c.step(&x.Events[i], site(x.Sites, i), site(x.PartnerSites, i), taken[i])
	}
	for ; at < len(x.Accesses); at++ {
		c.access(&x.Accesses[at])
	}
}

// site is where event i was declared; empty if that is not known.
func site(sites []string, i int) string {
	if i < len(sites) {
		return sites[i]
	}
	return ""
}

// step goes by an event: it may end a task, begin one, and be a send of one. A task ends where an actor may begin the next one, also where it
// is not known whether it does: at each receive from a mailbox, and at each place that the facts have.
func (c *Checker) step(e *trace.Event, site, partner string, taken []handlers.Ref) {
	if e.Partner >= 0 && c.tasks.Table.Receives(partner) {
		delete(c.now, e.Partner)
	}
	switch {
	case e.Kind == trace.Recv && trace.Mailbox(e.Cap) || c.tasks.Table.Receives(site):
		delete(c.now, e.Proc)
		if len(taken) > 0 {
			c.Tasks++
			c.now[e.Proc] = &running{taken, c.seen}
		}
	case e.Op.Kind == trace.Send && c.now[e.Proc] != nil:
		c.Sends++
		c.demand(e.Proc, Breach{What: "send", Site: site}, func(s *sets) bool { return s.sends[site] })
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
	if t == nil {
		return
	}
	c.Accesses++
	old = first > 0 && first <= t.began
	b := Breach{What: "read", Site: a.Site}
	if a.Write {
		b.What = "write"
	}
	b.Old = old && !slices.ContainsFunc(t.handlers, func(r handlers.Ref) bool { return !c.setsOf(r).new[a.Site] })
	c.demand(a.Proc, b, func(s *sets) bool {
		return a.Write && s.writes[a.Site] || !a.Write && s.reads[a.Site] || !old && s.new[a.Site]
	})
}

// demand keeps of the handlers that a task may be of those whose facts allow b. If none is left, that is found, and the task is not looked at
// any more.
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
		if p := c.tasks.Table.Program.Behaviours[r.Actor].Tasks[r.Handler].Places; p != nil && !p.Any {
			s = &sets{true, c.places(p.Sends), c.places(p.Reads), c.places(p.Writes), c.places(p.New)}
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
