package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/container/intsets"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Result is the solution. Its methods only read it; they are not for several goroutines at a time.
// It has a method for each question that the analyses ask.
type Result struct {
	a        *analysis
	uses     map[*Object]map[OpKind][]ChannelOp // see Senders
	calls    map[ssa.CallInstruction][]Edge     // of the sites that were asked for
	expanded map[partKey]Set                    // see expand
	gaveUp   bool                               // see GaveUp
}

// giveUp is the result for a program that is too much for the budget.
func giveUp(c Config) *Result {
	a := newAnalysis(c)
	a.sites = []Site{{Reason: TooMuch, What: "the program"}}
	return &Result{a: a, calls: map[ssa.CallInstruction][]Edge{}, expanded: map[partKey]Set{},
		gaveUp: true}
}

// GaveUp reports whether the program was too much for Config.Budget. Then nothing is known: every
// value may point to the one unknown object, every call site may call the library, and there are no
// functions, instances, calls and channel operations; that a function has no instances does not
// mean that it is not reached.
func (r *Result) GaveUp() bool { return r.gaveUp }

// Stats says how large the problem was.
type Stats struct {
	Functions, Instances int // that are reached
	Nodes, Edges         int // of the constraint graph
	Objects, Cells       int
	Depth                int // of contexts that was used
	Steps                int // sets that were shown to edges, and elements that were shown to rules

	Rules map[string]int // elements that were shown to rules, by the kind of rule
}

func (a *analysis) result() *Result {
	r := &Result{a: a, calls: map[ssa.CallInstruction][]Edge{}, expanded: map[partKey]Set{}}
	a.markOnce()
	return r
}

// Stats returns the size of the problem.
func (r *Result) Stats() Stats {
	a, rules := r.a, map[string]int{}
	for kind, n := range a.applied {
		rules[strings.TrimSuffix(kind.Elem().Name(), "Rule")] = n
	}
	return Stats{Functions: len(r.Functions()), Instances: len(a.reached), Nodes: int(a.count),
		Edges:   a.edges,
		Objects: len(a.cells.all), Cells: len(a.cells.object), Depth: a.Depth, Steps: a.steps,
		Rules: rules}
}

// Functions returns the functions that are reached, in the order of discovery.
func (r *Result) Functions() []*ssa.Function {
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{}
	for _, in := range r.a.reached {
		if !seen[in.Func] {
			seen[in.Func] = true
			out = append(out, in.Func)
		}
	}
	return out
}

// Instances returns the contexts in which fn is reached; nil if it is not.
func (r *Result) Instances(fn *ssa.Function) []*Instance {
	var out []*Instance
	for _, in := range r.a.byFunc[fn] {
		if in.reached {
			out = append(out, in)
		}
	}
	return out
}

// Entries returns where the program begins: initialisers, entries, and what unknown code calls.
func (r *Result) Entries() []*Instance { return slices.Clone(r.a.entries) }

// Callees returns what a call site calls, in all contexts.
func (r *Result) Callees(site ssa.CallInstruction) []Edge {
	out, known := r.calls[site]
	if !known {
		for _, in := range r.Instances(site.Parent()) {
			out = append(out, r.CalleesIn(in, site)...)
		}
		r.calls[site] = out
	}
	return slices.Clone(out)
}

// CalleesIn returns what a call site calls in one context.
func (r *Result) CalleesIn(in *Instance, site ssa.CallInstruction) []Edge {
	var out []Edge
	for _, e := range in.calls {
		if e.Site == site {
			out = append(out, e)
		}
	}
	return append(out, in.callbacks(site)...)
}

// CallsLibrary reports whether a call site may call code without a body.
func (r *Result) CallsLibrary(site ssa.CallInstruction) bool {
	if r.gaveUp {
		return true
	}
	for _, in := range r.a.byFunc[site.Parent()] {
		if in.lib[site] != nil {
			return true
		}
	}
	return false
}

// Unknown returns the sites that were reached and about which too little is known, in the order of
// discovery.
func (r *Result) Unknown() []Site { return slices.Clone(r.a.sites) }

// PointsTo returns what v may point to, in all contexts of its function.
func (r *Result) PointsTo(v ssa.Value) Set {
	if v.Parent() == nil || r.gaveUp {
		return r.PointsToIn(nil, v)
	}
	out := r.empty()
	for _, in := range r.Instances(v.Parent()) {
		out.include(r.PointsToIn(in, v))
	}
	return out
}

// PointsToIn returns what v, a value of in's function, or a variable or function of the package
// level, may point to. Of a struct, it is what all of its references point to.
func (r *Result) PointsToIn(in *Instance, v ssa.Value) Set {
	out := r.empty()
	if r.gaveUp {
		out.add(r.a.outside.first)
		return out
	}
	switch v := v.(type) {
	case *ssa.Global, *ssa.Function:
		if o := r.a.globals[v]; o != nil {
			out.add(o.first)
		}
		return out
	case *ssa.FieldAddr:
		return r.shifted(in, v.X, r.a.types.fieldOffset(kernel.Deref(v.X.Type()), v.Field))
	case *ssa.IndexAddr:
		return r.shifted(in, v.X, 0)
	case *ssa.Alloc:
		if o := in.objects[v]; o != nil { // v is a value of in's function
			out.add(o.first)
		}
		return out
	}
	if in == nil {
		return out
	}
	if n := in.regs[v]; n != 0 {
		l := r.a.types.layout(v.Type())
		for i, k := range l.refs {
			r.include(out, n+nodeID(i), l.leaves[k].typ)
		}
	}
	return out
}

// shifted is the points-to set of &v.f, whose first cell is off behind that of v.
func (r *Result) shifted(in *Instance, v ssa.Value, off int) Set {
	out := r.empty()
	for _, x := range r.PointsToIn(in, v).cells() {
		if at := r.a.cells.at(x, off); at != none {
			out.add(at)
		}
	}
	return out
}

// Touches returns the cells that a load or store through addr touches, in all contexts: all of a
// struct.
func (r *Result) Touches(addr ssa.Value) Set {
	return r.merged(addr, r.TouchesIn)
}

// TouchesIn is Touches in one context.
func (r *Result) TouchesIn(in *Instance, addr ssa.Value) Set {
	return r.spread(r.PointsToIn(in, addr), r.a.types.layout(kernel.Deref(addr.Type())))
}

// Elements returns the cells of the elements of v in all contexts: of a slice or array behind a
// pointer, of a map (keys and values), of a channel.
func (r *Result) Elements(v ssa.Value) Set { return r.merged(v, r.ElementsIn) }

// ElementsIn is Elements in one context.
func (r *Result) ElementsIn(in *Instance, v ssa.Value) Set {
	switch t := v.Type().Underlying().(type) {
	case *types.Map:
		return r.spread(r.PointsToIn(in, v), r.a.mapLayout(t))
	case *types.Chan:
		return r.spread(r.PointsToIn(in, v), r.a.types.layout(t.Elem()))
	}
	return r.spread(r.PointsToIn(in, v), r.a.elements(v.Type()))
}

func (r *Result) merged(v ssa.Value, f func(*Instance, ssa.Value) Set) Set {
	if v.Parent() == nil || r.gaveUp {
		return f(nil, v)
	}
	out := r.empty()
	for _, in := range r.Instances(v.Parent()) {
		out.include(f(in, v))
	}
	return out
}

// spread is the cells that values of a layout at the cells of s have.
func (r *Result) spread(s Set, l *layout) Set {
	out := r.empty()
	for _, x := range s.cells() {
		for k := range l.size() {
			if at := r.a.cells.at(x, k); at != none {
				out.add(at)
			}
		}
	}
	return out
}

// MayAlias reports whether a and b may point to the same cell.
func (r *Result) MayAlias(a, b ssa.Value) bool { return r.PointsTo(a).Intersects(r.PointsTo(b)) }

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

// Location is one cell of an object.
type Location struct {
	Object *Object
	Offset int
}

// Path writes how the cell is reached from the object: ".f.g", "[]", "{key}", "{value}.f", "<-".
func (l Location) Path() string {
	part, t, off := l.part()
	if l.Object.opaque {
		return ""
	}
	return part + l.Object.types.path(t, off)
}

// Type is the largest type that begins at the cell.
func (l Location) Type() types.Type {
	_, t, off := l.part()
	if l.Object.opaque {
		return t
	}
	return l.Object.types.outermost(t, off)
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

func (s Set) addAll(from set) {
	for _, x := range from.elements(nil) {
		s.add(cell(x))
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

// Len is the number of locations.
func (s Set) Len() int { return len(s.cells()) }

// IsEmpty reports whether there are no locations.
func (s Set) IsEmpty() bool { return s.Len() == 0 }

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

// Has reports whether l is in the set.
func (s Set) Has(l Location) bool {
	return s.set != nil && s.set.Has(int(l.Object.first)+l.Offset)
}

// Intersects reports whether s and t have a location in common.
func (s Set) Intersects(t Set) bool {
	return s.set != nil && t.set != nil &&
		s.set.Intersects(t.set)
}

// SubsetOf reports whether t has all locations of s.
func (s Set) SubsetOf(t Set) bool { return s.set == nil || t.set != nil && s.set.SubsetOf(t.set) }

// Union returns the locations of both.
func (s Set) Union(t Set) Set {
	if s.r == nil {
		return t
	}
	out := s.r.empty()
	out.include(s)
	if t.r != nil {
		out.include(t)
	}
	return out
}

// DynamicTypes returns the types of the values that an interface may hold, each once; what the
// library or unknown code put there has no type.
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
