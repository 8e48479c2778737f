package report

import (
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Step is one event of an execution that was run with sites, for programs that read the report.
type Step struct {
	Choice  string // as in a schedule: "0 send > 0.0 recv"
	Process string // path
	Op      string // what was done: "send"
	Object  string `json:",omitempty"` // on what
	Pos     string // where
	Partner string `json:",omitempty"` // of a rendezvous: the path of the receiving process
	At      string `json:",omitempty"` // where that is
	Closed  bool   `json:",omitempty"` // the channel was closed
	// to variables that the program announces, after this step and before the next
	Accesses []Access `json:",omitempty"`
}

// Access is a read or a write of a variable.
type Access struct {
	Process string
	Cell    int32 // equal for the same variable
	Write   bool  `json:",omitempty"`
	Pos     string
}

// Steps lists the events of x. Accesses before the first event are left out.
func Steps(x *trace.Execution, at *depict.Places) []Step {
	steps := make([]Step, len(x.Events))
	for i := range x.Events {
		e := &x.Events[i]
		s := &steps[i]
		s.Choice, s.Process, s.Op = trace.ChoiceOf(e, x.Procs).String(), x.Procs[e.Proc].Path,
			e.Kind.String()
		s.Pos, s.At, s.Closed = depict.Site(x.Sites, i), depict.Site(x.PartnerSites, i), e.Closed
		if e.Obj >= 0 && int(e.Obj) < len(x.Objects) {
			s.Object = at.About(x.Objects[e.Obj])
		}
		if e.Partner >= 0 {
			s.Partner = x.Procs[e.Partner].Path
		}
	}
	for _, a := range x.Accesses {
		if i := int(a.After) - 1; i >= 0 && i < len(steps) {
			steps[i].Accesses = append(steps[i].Accesses,
				Access{x.Procs[a.Proc].Path, a.Cell, a.Write, a.Site})
		}
	}
	return steps
}
