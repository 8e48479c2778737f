package independence

import (
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/pointsto"
)

// Actors are found in generic code as it is written, and the points-to analysis reaches its
// instances only. So a value of generic code may be whatever its counterparts in all instances may
// be.

// instances are the instances of generic functions that the points-to analysis has reached.
type instances struct {
	of   map[*ssa.Function][]*ssa.Function // by the generic function
	like map[[2]*ssa.Function]bool         // memo of alike
}

// newInstances returns r's instances: none if other programs may have more.
func newInstances(c pointsto.Config, r *pointsto.Result) instances {
	s := instances{map[*ssa.Function][]*ssa.Function{}, map[[2]*ssa.Function]bool{}}
	if len(c.Exported) > 0 {
		return s
	}
	for _, fn := range r.Functions() {
		if o := fn.Origin(); o != nil {
			s.of[o] = append(s.of[o], fn)
		}
	}
	return s
}

// counterparts returns what an instruction, parameter or captured variable is in each instance of
// the generic function that it is in; nil if there is none, or one has another shape.
func (s instances) counterparts(x ssa.Node) (list []ssa.Node) {
	fn := x.Parent()
	if fn == nil {
		return nil
	}
	for _, g := range s.of[kernel.Origin(fn)] {
		if !s.alike(fn, g) {
			return nil
		}
		list = append(list, counterpart(x, fn, g))
	}
	return list
}

// counterpart returns what x, which is in fn, is in the function g of the same shape.
func counterpart(x ssa.Node, fn, g *ssa.Function) ssa.Node {
	switch x := x.(type) {
	case *ssa.Parameter:
		return g.Params[kernel.ParamIndex(x)]
	case *ssa.FreeVar:
		return g.FreeVars[slices.Index(fn.FreeVars, x)]
	}
	i := x.(ssa.Instruction)
	b := i.Block()
	return g.Blocks[b.Index].Instrs[slices.Index(b.Instrs, i)].(ssa.Node)
}

// alike reports whether two functions have the same instructions, but for their types.
func (s instances) alike(fn, g *ssa.Function) bool {
	key := [2]*ssa.Function{fn, g}
	like, known := s.like[key]
	if !known {
		kind := func(x, y ssa.Instruction) bool { return reflect.TypeOf(x) == reflect.TypeOf(y) }
		like = len(fn.Params) == len(g.Params) && len(fn.FreeVars) == len(g.FreeVars) &&
			slices.EqualFunc(fn.Blocks, g.Blocks, func(b, c *ssa.BasicBlock) bool {
				return slices.EqualFunc(b.Instrs, c.Instrs, kind)
			})
		s.like[key] = like
	}
	return like
}
