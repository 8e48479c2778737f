package independence

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/pointsto"
)

// points are aliases from a points-to analysis. The types answer for code that the analysis has not
// reached.
type points struct {
	r     *pointsto.Result
	types *effects.Types
}

// Objects implements effects.Aliases. A pointer to an object of unknown code may point to anything,
// and so may a pointer to an object that no reached code makes.
func (p points) Objects(v ssa.Value) ([]effects.Object, bool) {
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return nil, true
	}
	if fn := v.Parent(); fn != nil && p.r.Instances(fn) == nil {
		at, ok := v.(*ssa.Alloc)
		if ok && !effects.AddressTaken(at) {
			return []effects.Object{{ID: at, Pos: at.Pos()}}, true
		}
		return nil, false
	}
	objects := p.r.PointsTo(v).Objects()
	var out []effects.Object
	for _, o := range objects {
		if o.Kind == pointsto.Unknown {
			return nil, false
		}
		out = append(out, effects.Object{ID: o, Pos: o.Pos()})
	}
	return out, len(out) > 0
}

// Callees implements effects.Aliases.
func (p points) Callees(call ssa.CallInstruction) (callees []*ssa.Function, external, ok bool) {
	if call.Common().StaticCallee() != nil || p.r.Instances(call.Parent()) == nil {
		return p.types.Callees(call)
	}
	seen := map[*ssa.Function]bool{}
	for _, e := range p.r.Callees(call) {
		if fn := e.Callee.Func; !e.Library && !seen[fn] {
			seen[fn] = true
			callees = append(callees, fn)
		}
	}
	external = p.r.CallsLibrary(call)
	if len(callees) == 0 && !external {
		return p.types.Callees(call) // of nothing that was reached
	}
	return callees, external, true
}
