package clock

// watch counts a firing of the vigils.
func (vs *vigils) watch(c *Clock) {
	vs.waits.watch(&c.timers, c.s.MainMoved())
	vs.polls.watch(&c.timers, c.s.OuterMoved())
	if vs.vain.watch(&c.timers, c.s.Changed()); vs.vain.firings == maxVigil-lastRounds {
		c.s.WatchLast()
	}
}

// watch counts a firing after step at, which ends the vigil if that began with another one.
func (v *vigil) watch(ts *timers, at int) {
	if at != v.from {
		*v = vigil{from: at}
		for _, t := range ts.armed {
			if t.zone == 0 {
				v.due = max(v.due, t.when)
			}
		}
	}
	v.firings++
}

// over reports whether most firings have been in vain since step at.
func (v *vigil) over(ts *timers, at, most int) bool {
	return v.firings >= most && ts.now(0) >= v.due && v.from == at
}
