package sections

import (
	"strings"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A section does only a part of what it may do: see trace.Event.Did. Contended variables have
// numbers that hold in all executions; addresses do not. So a role maps the name of a variable in
// the source to the numbers of its accesses. If the source names one variable in two ways, a role
// may be missing. Then two sections that conflict count as commuting; but their conflict is new,
// and the search begins again.

// close finds out what section s of p did before it ends: see trace.Event.Did.
func (ss *sections) close(p *sched.Proc, s *section) int32 {
	s.did = s.says & trace.Section
	for i := 0; i < len(s.accesses) && s.did != s.says; i++ {
		s.did |= s.says & ss.roles[s.role(&s.accesses[i])]
	}
	if e := ss.s.LastEvent(); e.Proc == p.ID && e.Obj == s.obj && begins(e.Kind) {
		e.Seq = s.did
	} else {
		s.did = s.says
	}
	ss.clocks.EndsSection(p, s.did)
	return s.did
}

func (s *section) role(a *access) role { return role{s.name, doing{a.variable(), a.how, a.keyed}} }

// variable is the name of the variable, without the place of the access.
func (a *access) variable() string {
	name, _, _ := strings.Cut(a.what, " at ")
	return name
}
