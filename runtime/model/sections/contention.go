package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// contention makes all sections that access a contended variable say so.
type contention struct {
	*sections
	what    found
	cleared bool // some access writes all of the place at once, so a look at one key matters
	bit     int  // the variable's number
}

// contend makes the executions that follow know that f is contended.
func (ss *sections) contend(f found) {
	c := &contention{sections: ss, what: f, cleared: ss.written(f.place)}
	c.bit = c.number()
	c.teachAll()
}

// written reports whether some access writes all of a place at once.
func (ss *sections) written(at place) bool {
	c := ss.cells[at]
	return c != nil && slices.ContainsFunc(c.whole, func(i int) bool {
		return c.visits[i].how == Writes
	})
}

// number returns a number that, in this execution, only sections that access the variable mention,
// or a free one.
func (c *contention) number() int {
	own, others := int32(0), int32(0)
	for i := range c.list {
		s := &c.list[i]
		if s.obj != c.what.obj {
			continue
		}
		if c.concerns(s) {
			own |= c.known(s.name)
		} else {
			others |= c.known(s.name)
		}
	}
	for bit := range trace.Contended {
		if b := trace.Looks(bit) | trace.Updates(bit); own&b != 0 && others&b == 0 {
			return bit
		}
	}
	for bit := range trace.Contended {
		if (own|others)&(trace.Looks(bit)|trace.Updates(bit)) == 0 {
			return bit
		}
	}
	return trace.Contended - 1
}

// concerns reports whether section s accesses the variable.
func (c *contention) concerns(s *section) bool {
	return slices.ContainsFunc(s.accesses, func(a access) bool { return c.says(&a) != 0 })
}

// says returns what a section says because of access a; 0 if a is not on the variable.
func (c *contention) says(a *access) int32 {
	looks := trace.Section | trace.Looks(c.bit)
	updates := trace.Section | trace.Updates(c.bit)
	switch {
	case a.at != c.what.at:
		return 0
	case c.what.keyed:
		if !a.keyed || a.key != c.what.key {
			return 0
		}
	case a.keyed: // beside who looks at all keys
		switch {
		case a.how != Looks:
			return updates
		case c.cleared:
			return looks
		}
		return 0
	}
	switch a.how {
	case Looks:
		return looks
	case Adds:
		return updates
	case Appends:
		if !c.what.arranged {
			return updates
		}
	}
	return looks | updates
}

// lockPlace is a Lock in the source, of one mutex.
type lockPlace struct {
	place string
	obj   int32
}

// lesson is what sections of one lockPlace are to say, and the names of those that have been told.
type lesson struct {
	doings map[doing]int32
	taught map[name]bool
}

// teachAll makes the tasks that access the variable say so, and the sections with their like.
func (c *contention) teachAll() {
	alike := map[lockPlace]*lesson{}
	for i := range c.list {
		s := &c.list[i]
		if s.obj != c.what.obj || !c.concerns(s) {
			continue
		}
		if s.task != 0 {
			c.teach(s.name, c.gather(c.list[i:i+1]))
			continue
		}
		at := lockPlace{s.place, s.obj}
		l := alike[at]
		if l == nil {
			l = &lesson{c.gather(c.begunBy(at)), map[name]bool{}}
			alike[at] = l
		}
		if !l.taught[s.name] {
			l.taught[s.name] = true
			c.teach(s.name, l.doings)
		}
	}
}

// begunBy lists the sections of this execution that one Lock has begun. Each of them is to say all
// that any of them does: another one may do the same if it comes first. To say too much costs
// little, as in the end only what a section did counts. If a section says too little, the search
// begins again for each such section.
func (ss *sections) begunBy(at lockPlace) (list []section) {
	for i := range ss.list {
		if t := &ss.list[i]; t.task == 0 && t.place == at.place && t.obj == at.obj {
			list = append(list, *t)
		}
	}
	return list
}

// gather returns what sections of a list are to say, by their accesses to the variable.
func (c *contention) gather(list []section) map[doing]int32 {
	doings := map[doing]int32{}
	for i := range list {
		for j := range list[i].accesses {
			a := &list[i].accesses[j]
			if n := c.says(a); n != 0 {
				doings[doing{a.variable(), a.how, a.keyed}] |= n
			}
		}
	}
	return doings
}
