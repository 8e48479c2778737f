package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// library is what is known of code without bodies. Each field is a table of its own, which says
// what has been done already, so that nothing is done twice.
type library struct {
	callGraph
	state   map[*types.Package]*Object // what functions of a package have been given for good
	asks    map[asker]asked            // methods that an interface, or those of a package, name
	general asked                      // methods that formatting, encoding and errors look for
	asking  map[asksKey][]*ssa.Function
	entered map[enterKey]bool
	hosts   map[cell]*host
}

type enterKey struct {
	host     *host
	typ      int
	at       cell
	writable bool
}

// asksKey is a type of the program and an asker; the zero asker is what all ask for.
type asksKey struct {
	typ    int
	by     asker
	byName bool
}

func (a *library) init() {
	a.state, a.asks = map[*types.Package]*Object{}, map[asker]asked{}
	a.entered, a.hosts = map[enterKey]bool{}, map[cell]*host{}
	a.asking, a.general = map[asksKey][]*ssa.Function{}, asked{}
	for _, p := range a.Program.AllPackages() {
		if path := p.Pkg.Path(); path == "fmt" || path == "encoding" || path == "errors" {
			a.general.add(p.Pkg)
		}
	}
	a.general.addInterface(errorType.Underlying().(*types.Interface))
	a.general.errorMethods()
}

// libraryCallOf returns the call of the library at a site.
func (a *library) libraryCallOf(in *Instance, site ssa.CallInstruction) *libraryCall {
	if in.lib == nil {
		in.lib = map[ssa.Instruction]*libraryCall{}
	}
	if in.lib[site] == nil {
		in.lib[site] = &libraryCall{in: in, site: site}
		a.lend(in, site)
	}
	return in.lib[site]
}

// libraryFunc is a call of a function or method without a body.
func (a *library) libraryFunc(in *Instance, site ssa.CallInstruction, fn *ssa.Function) {
	c, lc := site.Common(), a.libraryCallOf(in, site)
	switch {
	case lc.self != nil:
	case !a.matters(c, site.Value()):
		lc.self = a.errors
		a.results(lc, a.errors.first)
	case !c.IsInvoke() && fn.Signature.Recv() != nil && len(c.Args) > 0 &&
		a.carries(c.Args[0].Type()):
		a.decodeArgs(lc, fn)
		a.rule(in.regs[c.Args[0]], &workRule{a, lc})
	case isReflect(packageOf(fn)):
		lc.self = a.stateOf(packageOf(fn))
		a.insert(a.contents(lc.self.first), a.outside.first)
		a.workOn(lc, lc.self.first)
	default:
		lc.self = a.newBag(&Object{Kind: Library, Type: resultType(fn), Value: callValue(site),
			In: in}, packageOf(fn), 0)
		if isCgo(fn) {
			a.insert(a.contents(lc.self.first), a.outside.first)
		}
		a.decodeArgs(lc, fn)
		a.packageState(lc, fn)
		a.workOn(lc, lc.self.first)
		a.hosts[lc.self.first].byName = findsByName(fn)
	}
}

// isReflect reports whether p is package reflect, all of whose values are one bag: they are made of
// each other.
func isReflect(p *types.Package) bool { return p != nil && p.Path() == "reflect" }

// findsByName reports whether a library function calls methods by their names.
func findsByName(fn *ssa.Function) bool {
	switch pkg := packageOf(fn); {
	case pkg == nil:
		return false
	case pkg.Path() == "text/template" || pkg.Path() == "html/template":
		return strings.HasPrefix(fn.Name(), "Execute")
	case pkg.Path() == "net/rpc":
		return strings.HasPrefix(fn.Name(), "Register")
	}
	return false
}

// bagCall is a call of a method of a library object, or of a function that the library made.
func (a *library) bagCall(in *Instance, site ssa.CallInstruction, o cell) {
	a.workOn(a.libraryCallOf(in, site), o)
}

// hostAt returns the host of a bag.
func (a *library) hostAt(o cell) *host {
	h := a.hosts[o]
	if h == nil {
		h = &host{at: o, askers: map[asker]bool{}, called: map[*Instance]bool{}}
		a.hosts[o] = h
		a.rule(a.contents(o), &hostRule{a, h})
		a.askPackage(h, a.bagPackage(o))
	}
	return h
}

// workOn makes a call put its arguments into a bag, and return what is there. Without an exported
// API, the outside object stands only for values that decoders and reflection make; it keeps
// nothing.
func (a *library) workOn(lc *libraryCall, o cell) {
	h := a.hostAt(o)
	if slices.Contains(lc.hosts, h) {
		return
	}
	lc.hosts = append(lc.hosts, h)
	if o != a.outside.first || len(a.Exported) > 0 {
		a.give(lc, h)
	}
	a.results(lc, o)
}

// results delivers what a call of the library returns of a bag.
func (a *library) results(lc *libraryCall, o cell) {
	if v := lc.site.Value(); v != nil {
		a.deliver(o, lc.in.regs[v], v.Type())
	}
}

// workRule is a method call on a library object.
type workRule struct {
	a  *library
	lc *libraryCall
}

func (r *workRule) apply(o cell) {
	a := r.a
	if a.cells.leaf[o] == bag {
		a.workOn(r.lc, o)
	}
}

// hostRule is what the library does with the content of a bag: it calls functions and methods, also
// those in the bags in it.
type hostRule struct {
	a    *library
	host *host
}

func (r *hostRule) apply(o cell) {
	a := r.a
	obj := a.cells.of(o)
	switch {
	case r.host.at == a.errors.first:
		if obj.Kind == tagged { // what else an error leads to is taken out where the error is used
			a.callAsked(r.host, obj, asker{})
		}
	case a.cells.leaf[o] == bag:
		if !obj.plain && o != r.host.at && obj != a.outside {
			a.nest(r.host, a.hostAt(o))
		}
	case obj.Kind == tagged:
		if obj.tag != none {
			a.open(r.host, obj)
		}
		a.callAsked(r.host, obj, asker{})
	case obj.Kind == Closure:
		a.callback(r.host, obj.closure, nil)
	case obj.Kind == Func:
		if fn := obj.Value.(*ssa.Function); a.hasBody(fn) {
			a.callback(r.host, a.instance(fn, nil), nil)
		}
	}
}

// nest puts bag inner into bag outer: the library calls the methods that it asks for of the content
// of inner, too.
func (a *library) nest(outer, inner *host) {
	outer.inner = append(outer.inner, inner)
	if inner.at == a.errors.first {
		return
	}
	for _, by := range outer.asks {
		a.askOf(inner, by)
	}
}

// packageState keeps the arguments of a function without results: functions of the package without
// arguments may return them.
func (a *library) packageState(lc *libraryCall, fn *ssa.Function) {
	c, state := lc.site.Common(), a.stateOf(packageOf(fn))
	gives, takes := a.givesMore(fn.Signature.Results()), false
	for i, v := range c.Args {
		if !a.carries(v.Type()) || c.Signature().Variadic() && i == len(c.Args)-1 {
			continue
		}
		takes = true
		if !gives {
			a.copyInto(lc.in.regs[v], v.Type(), state.first)
		}
	}
	if gives && !takes {
		a.insert(a.contents(lc.self.first), state.first)
	}
}

// stateOf is the bag of the variables of a package of the library.
func (a *library) stateOf(p *types.Package) *Object {
	o := a.state[p]
	if o == nil {
		o = a.newBag(&Object{Kind: Library, Type: types.NewTuple()}, p, 0)
		a.state[p] = o
	}
	return o
}

// bagPackage is the package whose code a bag belongs to.
func (a *library) bagPackage(o cell) *types.Package {
	obj := a.cells.of(o)
	if obj.opaque {
		return obj.pkg
	}
	if n, ok := types.Unalias(obj.layout.leaves[o-obj.first].typ).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

func callValue(site ssa.CallInstruction) ssa.Value {
	if v := site.Value(); v != nil {
		return v
	}
	return site.Common().Value
}

// resultType is the type of the first result, for people.
func resultType(fn *ssa.Function) types.Type {
	if r := fn.Signature.Results(); r.Len() > 0 {
		return r.At(0).Type()
	}
	return fn.Signature
}
