package isolation

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// variableWrites returns the writes of p, without a lock, to variables that it captures, between
// one message and the next. One write stands for all to a variable.
func (c check) variableWrites(p *discipline.Process) []access {
	var out []access
	for _, f := range p.Root.FreeVars {
		v := c.capturedVariable(f)
		if v == nil {
			continue
		}
		for _, a := range c.variableAccesses(v) {
			if a.verb == "writes" && p.Runs[a.at.Parent()] && !c.lockedIn(p, a.at) &&
				c.InTask(p, a.at) {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// capturedVariable returns the variable that f is, if it is captured by reference, or nil.
func (c check) capturedVariable(f *ssa.FreeVar) *ssa.Alloc {
	for {
		switch v := kernel.Binding(f).(type) {
		case *ssa.Alloc:
			return v
		case *ssa.FreeVar:
			f = v
		default:
			return nil
		}
	}
}

// variableAccesses returns the accesses to a variable, in the function that declares it and in
// function literals. They are none if its address goes elsewhere.
func (c check) variableAccesses(v *ssa.Alloc) []access {
	var out []access
	for work := []ssa.Value{v}; len(work) > 0; work = work[1:] {
		for _, ref := range *work[0].Referrers() {
			switch i := ref.(type) {
			case *ssa.Store:
				if i.Addr != work[0] {
					return nil
				}
				out = append(out, access{nil, v, i, "writes"})
			case *ssa.UnOp:
				verb := "reads"
				if changes(i) {
					verb = "writes"
				}
				out = append(out, access{nil, v, i, verb})
			case *ssa.MakeClosure:
				for k, b := range i.Bindings {
					if b == work[0] {
						work = append(work, i.Fn.(*ssa.Function).FreeVars[k])
					}
				}
			default:
				return nil
			}
		}
	}
	return out
}
