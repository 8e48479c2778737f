package pointsto

import (
	"golang.org/x/tools/container/intsets"
	"golang.org/x/tools/go/ssa"
)

// Result is the solution. Its methods only read it; they are not for several goroutines at a time.
// It has a method for each question that the analyses ask.
type Result struct {
	a        *analysis
	calls    map[ssa.CallInstruction][]Edge // of the sites that were asked for
	expanded map[partKey]Set                // see expand
	gaveUp   bool                           // see GaveUp
}

// Location is one cell of an object.
type Location struct {
	Object *Object
	Offset int
}

// Set is a set of locations. That of an interface value has what the values in it point to.
type Set struct {
	r   *Result
	set *intsets.Sparse // cells, without tagged objects
	dyn *intsets.Sparse // tagged objects
}

func (r *Result) empty() Set { return Set{r, new(intsets.Sparse), new(intsets.Sparse)} }

func (s Set) add(x cell) {
	o := s.r.a.cells.of(x)
	if o.Kind != tagged {
		s.set.Insert(int(x))
		return
	}
	s.dyn.Insert(int(x))
	if o.tag != none {
		s.set.Insert(int(o.tag))
	}
}

func (s Set) include(t Set) {
	s.set.UnionWith(t.set)
	s.dyn.UnionWith(t.dyn)
}

func (s Set) cells() []cell {
	var out []cell
	if s.set == nil {
		return nil
	}
	for _, x := range s.set.AppendTo(nil) {
		out = append(out, cell(x))
	}
	return out
}

// Locations returns the locations in the order of discovery.
func (s Set) Locations() []Location {
	var out []Location
	for _, x := range s.cells() {
		o := s.r.a.cells.of(x)
		out = append(out, Location{o, int(x - o.first)})
	}
	return out
}

// Objects returns the objects that have locations in the set, each once, in the order of discovery.
func (s Set) Objects() []*Object {
	var out []*Object
	for _, l := range s.Locations() {
		if len(out) == 0 || out[len(out)-1] != l.Object {
			out = append(out, l.Object)
		}
	}
	return out
}
