package pointsto

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// These are questions that only tests ask of a result.

// Stats says how large the problem was.
type Stats struct {
	Functions, Instances int // that are reached
	Nodes                int // of the constraint graph
	Objects, Cells       int
	Depth                int // of contexts that was used
	Steps                int // sets that were shown to edges, and elements that were shown to rules
}

// Stats returns the size of the problem.
func (r *Result) Stats() Stats {
	a := r.a
	return Stats{Functions: len(r.Functions()), Instances: len(a.reached), Nodes: int(a.count),
		Objects: len(a.cells.all), Cells: len(a.cells.object), Depth: a.Depth, Steps: a.steps}
}

func (s Set) addAll(from set) {
	for _, x := range from.elements(nil) {
		s.add(cell(x))
	}
}

// Contents returns what the cell at l may point to.
func (r *Result) Contents(l Location) Set {
	out := r.empty()
	n := r.a.cells.node[l.Object.first+cell(l.Offset)]
	switch {
	case n == 0:
	case l.Object.opaque:
		out.addAll(r.a.heldIn(l.Object.first))
	case r.a.cells.leaf[l.Object.first+cell(l.Offset)] == bag:
		out.addAll(r.a.heldIn(l.Object.first + cell(l.Offset)))
	default:
		r.include(out, n, l.Object.layout.leaves[l.Offset].typ)
	}
	return out
}

// Reach returns all cells that can be reached from the objects of s, these included: by pointers,
// elements, and what closures capture.
func (r *Result) Reach(s Set) Set {
	out, seen := r.empty(), map[*Object]bool{}
	work := s.Objects()
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[o] {
			continue
		}
		seen[o] = true
		next := r.empty()
		for i := range o.size() {
			out.add(o.first + cell(i))
			next.include(r.Contents(Location{o, i}))
		}
		if o.closure != nil {
			for _, v := range o.closure.Func.FreeVars {
				next.include(r.PointsToIn(o.closure, v))
			}
		}
		work = append(work, next.Objects()...)
	}
	return out
}

func (o *Object) size() int {
	if o.opaque {
		return 1
	}
	return o.layout.size()
}

// Path writes how the cell is reached from the object: ".f.g", "[]", "{key}", "{value}.f", "<-".
func (l Location) Path() string {
	part, t, off := l.part()
	if l.Object.opaque {
		return ""
	}
	return part + l.Object.types.path(t, off)
}

// part divides an object into what is at its first cells and what follows: the keys and values of a
// map. It returns the part that has the cell, its type, and the cell's offset in it.
func (l Location) part() (string, types.Type, int) {
	switch t := l.Object.Type.Underlying().(type) {
	case *types.Slice:
		if l.Object.Kind == Array {
			return "[]", t.Elem(), l.Offset
		}
	case *types.Chan:
		if l.Object.Kind == Chan {
			return "<-", t.Elem(), l.Offset
		}
	case *types.Map:
		if l.Object.Kind != Map {
			break
		}
		if key := l.Object.types.layout(t.Key()).size(); l.Offset >= key {
			return "{value}", t.Elem(), l.Offset - key
		}
		return "{key}", t.Key(), l.Offset
	}
	return "", l.Object.Type, l.Offset
}

// String returns the object and the path.
func (l Location) String() string { return l.Object.String() + l.Path() }

// Len is the number of locations.
func (s Set) Len() int { return len(s.cells()) }

// Intersects reports whether s and t have a location in common.
func (s Set) Intersects(t Set) bool {
	return s.set != nil && t.set != nil &&
		s.set.Intersects(t.set)
}

// DynamicTypes returns the types of the values that an interface may hold, each once; values that
// the library or unknown code put there have no type.
func (s Set) DynamicTypes() []types.Type {
	var out []types.Type
	seen := map[types.Type]bool{}
	if s.dyn == nil {
		return nil
	}
	for _, x := range s.dyn.AppendTo(nil) {
		if t := s.r.a.cells.of(cell(x)).Type; !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// String lists the locations.
func (s Set) String() string {
	var out []string
	for _, l := range s.Locations() {
		out = append(out, l.String())
	}
	return strings.Join(out, ", ")
}

// family reports whether o may stand for several objects at a time: it is made in a loop, or by a
// function that may run more than once in its context.
func family(o *Object, once map[*Instance]bool) bool {
	if o.In == nil {
		return o.Value == nil
	}
	instr, ok := o.Value.(ssa.Instruction)
	return ok && kernel.InLoop(instr.Block()) || !once[o.In]
}

// path writes how leaf off of a t is reached: ".f.g", "[]".
func (u *universe) path(t types.Type, off int) string {
	if u.libraryStruct(t) {
		return ""
	}
	switch x := t.Underlying().(type) {
	case *types.Array:
		return "[]" + u.path(x.Elem(), off)
	case *types.Struct:
		if i := u.fieldAt(t, off); i >= 0 {
			return "." + x.Field(i).Name() + u.path(x.Field(i).Type(), off-u.layout(t).fields[i])
		}
	}
	return ""
}
