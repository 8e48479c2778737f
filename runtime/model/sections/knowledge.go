package sections

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// knowledge is what the executions so far have shown.
type knowledge struct {
	learned map[name]int32 // what operations say of a section: 0 if it is not plain
	next    map[name]int32 // what they will say of those of which something new is known
	roles   map[role]int32 // what accesses come to, of all that was learned
	locks   map[string]*Lock
	counted map[name]*tally // of channels that may be semaphores
}

// name names a section, a task or a channel in all executions.
type name struct {
	path  string // of a process
	place string // of a section: what begins it
	turn  int32
}

// found is a contended variable: one key of a map, or all of a place.
type found struct {
	place
	key   any
	keyed bool
}

// Memory is what has been learned of sections. It is kept until it is needed again.
type Memory struct {
	learned, next map[name]int32
	locks         map[string]*Lock
	services      map[name]*service
	roles         map[role]int32
	counted       map[name]*tally
}

// Begin forgets all that was learned. on says whether there are sections in the executions that
// follow.
func (w *World) Begin(on bool) {
	w.on, w.learned, w.next, w.locks = on, map[name]int32{}, map[name]int32{}, map[string]*Lock{}
	w.services, w.roles = map[name]*service{}, map[role]int32{}
	w.counted = map[name]*tally{}
	if on {
		w.s.Observe(w)
	}
}

// Pause turns sections off, and returns what has been learned of them.
func (w *World) Pause() Memory {
	m := Memory{w.learned, w.next, w.locks, w.services, w.roles, w.counted}
	w.Begin(false)
	return m
}

// Resume turns sections on again, with what had been learned.
func (w *World) Resume(m Memory) {
	w.Begin(true)
	w.learned, w.next, w.locks, w.services = m.learned, m.next, m.locks, m.services
	w.roles, w.counted = m.roles, m.counted
}

// Inherit makes w know what another world has learned.
func (w *World) Inherit(before *World) {
	if before.on {
		w.Begin(true)
		w.learned, w.locks, w.services = before.learned, before.locks, before.services
		w.roles, w.counted = before.roles, before.counted
	}
}

// Learn reports whether the execution that has ended has shown something new. Then the executions
// so far count for nothing. The last one may have been cut off, perhaps in the middle of a section.
func (w *World) Learn(x *trace.Execution) bool {
	if !w.on {
		return false
	}
	cut := x.End == trace.Cut
	news := w.judge(x)
	news = w.judgeSemaphores(x) || news
	awaited := w.awaited()
	for i := range w.list {
		s := &w.list[i]
		open := cut && w.open[s.proc] == int32(i)+1
		if s.task == 0 && !s.plain && !open || w.barred[s.obj] != "" ||
			!s.shared && awaited[s.obj] {
			w.learn(s, 0)
			w.lock(s.place).ordinary(cmp.Or(s.why, w.barred[s.obj], "readers have to wait"))
		}
	}
	for _, f := range w.fresh {
		w.contend(f)
	}
	return len(w.next) > 0 || news
}

// awaited has the mutexes under which somebody reads in a section that is not plain: a writer may
// have to wait for it.
func (w *World) awaited() map[int32]bool {
	mutexes := map[int32]bool{}
	for i := range w.list {
		if s := &w.list[i]; s.shared && !s.plain && w.open[s.proc] == 0 {
			mutexes[s.obj] = true
		}
	}
	return mutexes
}

// Strike makes all sections of a mutex ordinary locks if something new was learned about the mutex.
func (w *World) Strike() {
	about := map[int32]bool{}
	for i := range w.list {
		if _, news := w.next[w.list[i].name]; news {
			about[w.list[i].obj] = true
		}
	}
	for i := range w.list {
		if s := &w.list[i]; about[s.obj] {
			w.next[s.name] = 0
			w.strike(s)
		}
	}
	for _, g := range w.order {
		if t := w.counted[g.name()]; t.next > t.state {
			t.next = struck
		}
	}
}

// Begun reports whether a section has begun in the execution that has ended, or a channel was
// counted.
func (w *World) Begun() bool {
	return slices.ContainsFunc(w.quiet, func(n int) bool { return n > 0 }) ||
		slices.ContainsFunc(w.list, func(s section) bool { return s.says != 0 })
}

// Apply makes the operations of the executions that follow carry what has been learned.
func (w *World) Apply() {
	maps.Copy(w.learned, w.next)
	clear(w.next)
	w.renew()
}

// known returns what operations will say of a section.
func (k *knowledge) known(n name) int32 {
	if says, is := k.next[n]; is {
		return says
	}
	if says, is := k.learned[n]; is {
		return says
	}
	return trace.Section
}

// contend makes all sections that access a contended variable say so.
func (w *World) contend(f found) {
	cleared := w.written(f)
	bit := w.bitOf(&f, cleared)
	alike := map[lockPlace]*lesson{}
	for i := range w.list {
		s := &w.list[i]
		if s.obj != f.obj || !f.concerns(s, cleared) {
			continue
		}
		if s.task != 0 {
			w.teach(s, f.gather(w.list[i:i+1], bit, cleared))
			continue
		}
		at := lockPlace{s.place, s.obj}
		l := alike[at]
		if l == nil {
			l = &lesson{f.gather(w.begunBy(at), bit, cleared), map[name]bool{}}
			alike[at] = l
		}
		if !l.taught[s.name] {
			l.taught[s.name] = true
			w.teach(s, l.doings)
		}
	}
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

// doing is a role without the name of the sections.
type doing struct {
	variable string
	how      How
	keyed    bool
}

// begunBy lists the sections of this execution that one Lock has begun. Each of them is to say all
// that any of them does: another one may do the same if it comes first. To say too much costs
// little, as in the end only what a section did counts. If a section says too little, the search
// begins again for each such section.
func (w *World) begunBy(at lockPlace) (list []section) {
	for i := range w.list {
		if t := &w.list[i]; t.task == 0 && t.place == at.place && t.obj == at.obj {
			list = append(list, *t)
		}
	}
	return list
}

// gather returns what sections of a list are to say, by their accesses to f.
func (f *found) gather(list []section, bit int, cleared bool) map[doing]int32 {
	doings := map[doing]int32{}
	for i := range list {
		for j := range list[i].accesses {
			a := &list[i].accesses[j]
			if n := f.says(a, bit, cleared); n != 0 {
				doings[doing{a.variable(), a.how, a.keyed}] |= n
			}
		}
	}
	return doings
}

// teach makes section s say all that the doings say.
func (w *World) teach(s *section, doings map[doing]int32) {
	says := int32(0)
	for d, n := range doings {
		says |= n
		if r := (role{s.name, d}); w.roles[r]|n != w.roles[r] {
			w.roles[r] |= n
			w.next[s.name] = w.known(s.name) // news, even if it is to say no more
		}
	}
	w.learn(s, says)
}

// bitOf returns the number of contended variable f. It is a number that, in this execution, only
// sections that access f mention, or a free one.
func (w *World) bitOf(f *found, cleared bool) int {
	own, others := int32(0), int32(0)
	for i := range w.list {
		s := &w.list[i]
		if s.obj != f.obj {
			continue
		}
		if f.concerns(s, cleared) {
			own |= w.known(s.name)
		} else {
			others |= w.known(s.name)
		}
	}
	for bit := range trace.Contended {
		if b := trace.Looks(bit) | trace.Updates(bit); own&b != 0 && others&b == 0 {
			return bit
		}
	}
	return w.free(f.obj)
}

// concerns reports whether section s accesses f.
func (f *found) concerns(s *section, cleared bool) bool {
	return slices.ContainsFunc(s.accesses, func(a access) bool {
		return f.says(&a, 0, cleared) != 0
	})
}

// free returns a number of a contended variable that no section of the mutex mentions yet.
func (w *World) free(obj int32) int {
	taken := int32(0)
	for i := range w.list {
		if s := &w.list[i]; s.obj == obj {
			taken |= w.known(s.name)
		}
	}
	for bit := range trace.Contended {
		if taken&(trace.Looks(bit)|trace.Updates(bit)) == 0 {
			return bit
		}
	}
	return trace.Contended - 1
}

// written reports whether some access writes all of the place of f at once.
func (w *World) written(f found) bool {
	c := w.cells[f.place]
	return c != nil && slices.ContainsFunc(c.whole, func(i int) bool {
		return c.visits[i].how == Writes
	})
}

// says returns what a section says because of access a; 0 if a is not on f. cleared: some access
// writes all of the place at once, so a look at one key matters.
func (f *found) says(a *access, bit int, cleared bool) int32 {
	looks, updates := trace.Section|trace.Looks(bit), trace.Section|trace.Updates(bit)
	switch {
	case a.at != f.at:
		return 0
	case f.keyed:
		if !a.keyed || a.key != f.key {
			return 0
		}
	case a.keyed: // beside who looks at all keys
		switch {
		case a.how != Looks:
			return updates
		case cleared:
			return looks
		}
		return 0
	}
	switch a.how {
	case Looks:
		return looks
	case Adds:
		return updates
	}
	return looks | updates
}

// learn makes a section say more; 0: that it is no section.
func (k *knowledge) learn(s *section, says int32) {
	before := k.known(s.name)
	after := before | says
	if says == 0 || before == 0 {
		after = 0
	}
	if after != before {
		k.next[s.name] = after
	}
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
func (k *knowledge) lock(place string) *Lock {
	l := k.locks[place]
	if l == nil {
		l = &Lock{Place: place}
		k.locks[place] = l
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
func (k *knowledge) Locks() (list []Lock) {
	for _, place := range slices.Sorted(maps.Keys(k.locks)) {
		list = append(list, *k.locks[place])
	}
	return list
}
