package sections

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Memory is what the executions so far have shown. It is kept while sections are turned off.
type Memory struct {
	learned  map[name]int32     // what operations say of a section: 0 if it is not plain
	next     map[name]int32     // what they will say of those of which something new is known
	roles    map[role]int32     // what accesses come to, of all that was learned
	services map[name]*standing // of channels that loops receive from
	counted  map[name]*standing // of channels that may be semaphores
	ticketed map[name]*standing // of workers that take tickets
	locks    map[string]*Lock
}

// newMemory returns a memory of nothing.
func newMemory() Memory {
	return Memory{map[name]int32{}, map[name]int32{}, map[role]int32{}, map[name]*standing{},
		map[name]*standing{}, map[name]*standing{}, map[string]*Lock{}}
}

// name names a section, a task or a channel in all executions.
type name struct {
	path  string // of a process
	place string // of a section: what begins it
	turn  int32
}

// role is a way in which sections with a name access variables with a name.
type role struct {
	name
	doing
}

// doing is a role without the name of the sections.
type doing struct {
	variable string
	how      How
	keyed    bool
}

// standing is what was learned of a channel: what it is, and what it will be.
type standing struct {
	state, next state
	place       string     // of the loop or the semaphore
	takes       trace.Kind // of a semaphore that lends slots: what takes one; else None
}

// counts reports whether s is the standing of a semaphore that is counted.
func (s *standing) counts() bool { return s != nil && s.state == served }

// renew puts into effect what was learned.
func (s *standing) renew() { s.state = max(s.state, s.next) }

type state uint8

const (
	open   state = iota // it may be of use to serve or count it
	served              // it is served, or counted
	laid                // all that is sent into it is sent before its server comes to the loop
	struck              // it is an ordinary channel
)

// known returns what operations will say of a section.
func (m *Memory) known(n name) int32 {
	if says, is := m.next[n]; is {
		return says
	}
	if says, is := m.learned[n]; is {
		return says
	}
	return trace.Section
}

// learn makes a section say more; 0: that it is no section.
func (m *Memory) learn(n name, says int32) {
	before := m.known(n)
	after := before | says
	if says == 0 || before == 0 {
		after = 0
	}
	if after != before {
		m.next[n] = after
	}
}

// renew puts into effect what was learned.
func (m *Memory) renew() {
	maps.Copy(m.learned, m.next)
	clear(m.next)
	for _, s := range m.services {
		s.renew()
	}
	for _, s := range m.counted {
		s.renew()
	}
	for _, s := range m.ticketed {
		s.renew()
	}
}

// teach makes the section with a name say all that the doings say.
func (m *Memory) teach(n name, doings map[doing]int32) {
	says := int32(0)
	for d, bits := range doings {
		says |= bits
		if r := (role{n, d}); m.roles[r]|bits != m.roles[r] {
			m.roles[r] |= bits
			m.next[n] = m.known(n) // news, even if it is to say no more
		}
	}
	m.learn(n, says)
}

// Lock is what people read of the sections that one Lock in the source begins, or of the tasks of a
// loop that receives.
type Lock struct {
	Place     string   // the mutex, and where it is locked: "c.mu at cache.go:40"; or the channel
	Loop      bool     // it is a loop that receives
	Sections  int      // that have begun, in all executions
	Contended []string // variables for which they have an order
	Ordinary  []string // why some of them are ordinary locks, or all tasks have an order
}

// lock returns the Lock at a place.
func (m *Memory) lock(place string) *Lock {
	l := m.locks[place]
	if l == nil {
		l = &Lock{Place: place}
		m.locks[place] = l
	}
	return l
}

func (l *Lock) contend(list ...string) {
	for _, what := range list {
		add(&l.Contended, what)
	}
}

func (l *Lock) ordinary(why string) { add(&l.Ordinary, why) }

func add(list *[]string, text string) {
	if !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// Locks lists the Locks of all places.
func (m *Memory) Locks() (list []Lock) {
	for _, place := range slices.Sorted(maps.Keys(m.locks)) {
		list = append(list, *m.locks[place])
	}
	return list
}
