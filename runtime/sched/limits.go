package sched

import (
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Fix notes that the current process is given one of several things that Go could do; see
// trace.Limit. A program may draw a million random numbers, and to say where takes longer than all
// else: of what comes after the first fixes of an execution, only some is looked at.
func (s *Sched) Fix(what string) {
	if s.fixed++; s.fixed > firstFixed && s.fixed%eachFixed != 0 {
		s.fix(what)
		return
	}
	s.FixAt(what, s.here())
}

const (
	firstFixed = 1000
	eachFixed  = 61 // no multiple of how many there are in a round of a loop
)

// fix is FixAt for a site that is not looked for.
func (s *Sched) fix(what string) {
	if !s.dying {
		s.x.Limits.AddFixed(what)
	}
}

// FixAt is Fix at a site.
func (s *Sched) FixAt(what, site string) {
	if !s.dying {
		s.x.Limits.AddFixed(what, site)
	}
}

// Cut notes that a bound leaves out something that the current process could do; see trace.Limit.
func (s *Sched) Cut(what string) { s.CutAt(what, s.here()) }

// CutAt is Cut at a site.
func (s *Sched) CutAt(what, site string) {
	if !s.dying {
		s.x.Limits.AddCut(what, site)
	}
}

// Here is Site, which remembers what it has found: it takes no longer than an operation.
func (s *Sched) Here() string { return s.here() }

// here is Here for the caller of its caller.
func (s *Sched) here() string {
	var pcs [few]uintptr
	for _, most := range [...]int{near, few} { // to unwind is what takes time
		n := gate.Callers(3, pcs[:most])
		site, ok := s.sites[pcs]
		if !ok {
			site = programSite(pcs[:n])
			if n == near && most == near && !inProgram(site) {
				site = ""
			}
			s.sites[pcs] = site
		}
		if site != "" {
			return site
		}
	}
	return s.Site()
}

// near is how many callers mostly reach into the program from a hook that it calls itself.
const near = 6

// inProgram reports whether a site is outside of the standard library.
func inProgram(site string) bool {
	return site != "" && (!strings.HasPrefix(site, StdRoot) || strings.Contains(site, "_test.go:"))
}
