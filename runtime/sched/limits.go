package sched

// Fix notes that the current process is given one of several things that Go could do; see
// trace.Limit. A program may draw a million random numbers, and to find the sites would take longer
// than all else. So after the first fixes of an execution, only some sites are looked up.
func (f *fixes) Fix(what string) {
	if f.fixed++; f.fixed > firstFixed && f.fixed%eachFixed != 0 {
		f.fix(what)
		return
	}
	f.FixAt(what, f.r.here())
}

const (
	firstFixed = 1000
	eachFixed  = 61 // no multiple of how many there are in a round of a loop
)

// fix is FixAt for a site that is not looked for.
func (f *fixes) fix(what string) {
	if !f.r.dying {
		f.r.x.Limits.AddFixed(what)
	}
}

// FixAt is Fix at a site.
func (f *fixes) FixAt(what, site string) {
	if !f.r.dying {
		f.r.x.Limits.AddFixed(what, site)
	}
}

// Cut notes that a bound leaves out something that the current process could do; see trace.Limit.
func (r *record) Cut(what string) { r.CutAt(what, r.here()) }

// CutAt is Cut at a site.
func (r *record) CutAt(what, site string) {
	if !r.dying {
		r.x.Limits.AddCut(what, site)
	}
}
