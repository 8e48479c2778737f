package independence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/pointsto"
)

// points are aliases from a points-to analysis. The types answer for code that the analysis has not
// reached.
type points struct {
	r         *pointsto.Result
	types     *effects.Types
	instances instances
}

// Objects implements effects.Aliases. A pointer to an object of unknown code may point to anything,
// and so may a pointer to an object that no reached code makes.
func (p points) Objects(v ssa.Value) ([]effects.Object, bool) {
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return nil, true
	}
	if fn := v.Parent(); fn != nil && p.r.Instances(fn) == nil {
		out, ok := p.ofInstances(v)
		if at, is := v.(*ssa.Alloc); is && !effects.AddressTaken(at) {
			return append(out, effects.Object{ID: at, Pos: at.Pos()}), true
		}
		return out, ok
	}
	return p.known(v)
}

// ofInstances is Objects for a value of generic code.
func (p points) ofInstances(v ssa.Value) (out []effects.Object, ok bool) {
	x, ok := v.(ssa.Node)
	if !ok {
		return nil, false
	}
	for _, w := range p.instances.counterparts(x) {
		objects, ok := p.known(w.(ssa.Value))
		if !ok {
			return nil, false
		}
		for _, o := range objects {
			if !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out, len(out) > 0
}

// known is Objects for a value of code that the analysis has reached.
func (p points) known(v ssa.Value) (out []effects.Object, ok bool) {
	for _, o := range p.r.PointsTo(v).Objects() {
		if o.Kind == pointsto.Unknown {
			return nil, false
		}
		out = append(out, effects.Object{ID: o, Pos: o.Pos()})
	}
	return out, len(out) > 0
}

// Callees implements effects.Aliases.
func (p points) Callees(call ssa.CallInstruction) (callees []*ssa.Function, external, ok bool) {
	if call.Common().StaticCallee() != nil {
		return p.types.Callees(call)
	}
	sites := []ssa.Node{call.(ssa.Node)}
	if p.r.Instances(call.Parent()) == nil {
		sites = p.instances.counterparts(sites[0])
	}
	for _, x := range sites {
		site := x.(ssa.CallInstruction)
		for _, e := range p.r.Callees(site) {
			if fn := e.Callee.Func; !e.Library && !slices.Contains(callees, fn) {
				callees = append(callees, fn)
			}
		}
		external = external || p.r.CallsLibrary(site)
	}
	if len(callees) == 0 && !external {
		return p.types.Callees(call) // of nothing that was reached
	}
	return callees, external, true
}
