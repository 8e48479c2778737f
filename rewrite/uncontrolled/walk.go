package uncontrolled

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/rewrite/std"
)

// walk is the search from one root. Besides the findings, it has the function values and types seen
// so far, and the calls through signatures and interfaces, so that each new one meets all of the
// other kind.
type walk struct {
	f    *finder
	root *ssa.Function
	env  []*walk // what happened before the root began
	// of each reached function, the first caller found; nil for the root and for what runs by
	// itself
	caller map[*ssa.Function]*ssa.Function
	queue  []*ssa.Function // reached, not yet visited

	values signatures[ref] // function values taken
	// calls through function values: the first caller for each signature
	sites   signatures[*ssa.Function]
	types   []*converted // in order of discovery
	typeSet map[*converted]bool
	invokes []invoke // calls through interfaces, the first for each method
	invSet  map[invokeKey]bool
	library []*iface // interfaces that external code asks for
	libSet  map[*iface]bool
	every   bool // reflection may call any exported method

	found []reached
	// of functions of an outside root, whose go statements start what every execution has
	services []*summary
	sure     map[*ssa.Function]bool // see surely
}

// reached is a finding with the function whose call led to it: the one that contains it, or the one
// that called the function value.
type reached struct {
	finding
	by     *ssa.Function
	direct bool // by names what it uses
}

type invokeKey struct {
	iface  *iface
	method string
}

// walk finds all that root reaches.
func (f *finder) walk(root *ssa.Function, env []*walk) *walk {
	w := &walk{
		f: f, root: root, env: env,
		caller:  map[*ssa.Function]*ssa.Function{},
		values:  newSignatures[ref](),
		sites:   newSignatures[*ssa.Function](),
		typeSet: map[*converted]bool{},
		invSet:  map[invokeKey]bool{},
		libSet:  map[*iface]bool{},
	}
	w.enter(root, nil)
	if !w.isOutside() {
		for _, e := range env {
			for _, s := range e.services {
				w.launch(s, nil)
			}
		}
	}
	for len(w.queue) > 0 {
		fn := w.queue[0]
		w.queue = w.queue[1:]
		w.visit(fn)
	}
	return w
}

func (w *walk) isOutside() bool { return isInit(w.root) || isTestMain(w.root) }

// enter marks fn as reached from caller.
func (w *walk) enter(fn, caller *ssa.Function) {
	if _, seen := w.caller[fn]; !seen {
		w.caller[fn] = caller
		w.queue = append(w.queue, fn)
	}
}

func (w *walk) visit(fn *ssa.Function) {
	s := w.f.summary(fn)
	for _, v := range s.findings {
		w.find(v, fn, true)
	}
	for _, r := range s.calls {
		w.call(r, fn, !r.dynamic)
	}
	w.launch(s, fn)
	for _, r := range s.values {
		w.takeValue(r)
	}
	for _, c := range s.conversions {
		w.convert(c, fn)
	}
	for _, i := range s.invokes {
		w.invoke(i)
	}
	for _, i := range s.library {
		w.askedFor(i, fn)
	}
	if !w.isOutside() {
		for _, sig := range s.kept {
			w.callValue(sig, fn)
		}
	}
	for _, sig := range s.sites {
		w.callValue(sig, fn)
	}
	if s.reflects && !w.every {
		w.every = true
		w.reflectAll(fn)
	}
}

// launch follows go statements of a function, and timers. A goroutine or timer that an outside root
// starts runs in every execution, and not before: nobody calls its function, and fn is nil.
func (w *walk) launch(s *summary, fn *ssa.Function) {
	if w.isOutside() && w.f.isControlled(fn) {
		w.services = append(w.services, s)
		return
	}
	for _, r := range s.launches {
		w.call(r, fn, true)
	}
	for _, sig := range s.launchSites {
		w.callValue(sig, fn)
	}
}

// find records a finding that a call by the function by leads to, directly if by names it.
func (w *walk) find(v finding, by *ssa.Function, direct bool) {
	if w.f.inLibrary(v.pos) {
		return
	}
	if v.isGo && w.f.isControlled(v.in) ||
		w.isOutside() && (v.kind != std.Background || v.guarded) {
		return
	}
	w.found = append(w.found, reached{v, by, direct})
}

// call follows a call of r's function, which is made by the function by, directly if by names it.
func (w *walk) call(r ref, by *ssa.Function, direct bool) {
	obj := w.f.externalFunc(r.fn)
	if obj == nil {
		w.enter(r.fn, by)
		return
	}
	if v, bad := w.f.judge(obj, r); bad {
		w.find(v, by, direct)
	}
}

// takeValue makes a function value callable.
func (w *walk) takeValue(r ref) {
	w.values.add(r.fn.Signature, r)
	if callers := w.sites.at(r.fn.Signature); len(callers) > 0 {
		w.call(r, callers[0], false)
	}
}

// callValue calls all function values of a signature.
func (w *walk) callValue(sig *types.Signature, by *ssa.Function) {
	if len(w.sites.at(sig)) > 0 {
		return
	}
	w.sites.add(sig, by)
	for _, e := range append([]*walk{w}, w.env...) {
		for _, r := range e.values.at(sig) {
			w.call(r, by, false)
		}
	}
}

// convert makes the methods of a type callable through interfaces.
func (w *walk) convert(c *converted, by *ssa.Function) {
	if w.typeSet[c] {
		return
	}
	w.typeSet[c] = true
	w.types = append(w.types, c)
	for _, fn := range c.formatted(w.f) {
		w.enter(fn, by)
	}
	for _, i := range w.invokes {
		w.callMethod(c, i)
	}
	for _, i := range w.library {
		w.callLibrary(c, i, by)
	}
	if w.every {
		w.callExported(c, by)
	}
}

// invoke calls a method through an interface.
func (w *walk) invoke(i invoke) {
	key := invokeKey{i.iface, i.method.Id()}
	if w.invSet[key] {
		return
	}
	w.invSet[key] = true
	w.invokes = append(w.invokes, i)
	for _, c := range w.allTypes() {
		w.callMethod(c, i)
	}
}

func (w *walk) callMethod(c *converted, i invoke) {
	if fn := w.f.method(c, i.iface, i.method); fn != nil {
		w.call(ref{fn: fn, pos: i.pos, in: i.in, dynamic: true}, i.in, false)
	}
}

// askedFor lets external code call the methods of interface i.
func (w *walk) askedFor(i *iface, by *ssa.Function) {
	if w.libSet[i] {
		return
	}
	w.libSet[i] = true
	w.library = append(w.library, i)
	for _, c := range w.allTypes() {
		w.callLibrary(c, i, by)
	}
}

// callLibrary lets external code call c's methods of interface i. Methods that are external
// themselves are part of what the table says of the external caller.
func (w *walk) callLibrary(c *converted, i *iface, by *ssa.Function) {
	for m := range i.typ.Methods() {
		if fn := w.f.method(c, i, m); fn != nil && w.f.externalFunc(fn) == nil {
			w.enter(fn, by)
		}
	}
}

func (w *walk) reflectAll(by *ssa.Function) {
	for _, c := range w.allTypes() {
		w.callExported(c, by)
	}
}

func (w *walk) callExported(c *converted, by *ssa.Function) {
	for sel := range c.methods.Methods() {
		fn := w.f.prog.MethodValue(sel)
		if fn != nil && sel.Obj().Exported() {
			w.call(ref{fn: fn, pos: by.Pos(), in: by, dynamic: true}, by, false)
		}
	}
}

// allTypes returns the types converted by this root and before it.
func (w *walk) allTypes() []*converted {
	all := w.types[:len(w.types):len(w.types)]
	for _, e := range w.env {
		all = append(all, e.types...)
	}
	return all
}

// signatures maps function signatures to lists, in the order of their addition.
type signatures[V any] struct{ m *typeutil.Map }

func newSignatures[V any]() signatures[V] { return signatures[V]{new(typeutil.Map)} }

func (s signatures[V]) at(sig *types.Signature) []V {
	list, _ := s.m.At(sig).([]V)
	return list
}

func (s signatures[V]) add(sig *types.Signature, v V) {
	s.m.Set(sig, append(s.at(sig), v))
}
