package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/container/intsets"
	"golang.org/x/tools/go/ssa"
)

// library is what is known of code without bodies.
type library struct {
	outside   *Object                   // unknown code: see outside.go
	errors    *Object                   // all errors that the library makes are one bag
	state     map[*types.Package]nodeID // what functions of a package have been given for good
	asks      map[*types.Package]asked  // methods that the interfaces of a package name
	general   asked                     // methods that formatting, encoding and errors look for
	entered   map[enterKey]bool
	unknownOf map[[2]int]*Object // by type number, see unknown
	decoded   map[cell]bool
	shared    map[cell]bool      // in unknown hands, see shareCell
	open1     map[*Instance]bool // called by unknown code
	hosts     map[cell]*host
	parts     map[filterKey]nodeID // see partOf
	dynamic   map[cell]types.Type  // see dynamicType
	asking    map[asksKey][]*ssa.Function
	entries   []*Instance
}

// asked is names of methods with their signatures.
type asked map[string][]*types.Signature

// host is a bag that calls of the library work on: a receiver, or what the call makes.
type host struct {
	at        cell
	pkgs      map[*types.Package]bool // whose interfaces it asks for
	byName    bool                    // calls all exported methods
	errors    bool                    // gives errors back
	called    map[*Instance]bool
	callbacks []callback
}

// callback is a function that a host calls, and what made it do so.
type callback struct {
	callee  *Instance
	element cell
}

// libraryCall is a call of the library in one instance.
type libraryCall struct {
	in    *Instance
	site  ssa.CallInstruction
	self  *Object // what it makes, unless that is part of its receiver
	hosts []*host // what it works on, in the order of discovery
}

var errorType = types.Universe.Lookup("error").Type()

func (a *analysis) openLibrary() {
	a.state, a.asks = map[*types.Package]nodeID{}, map[*types.Package]asked{}
	a.entered, a.unknownOf, a.decoded = map[enterKey]bool{}, map[[2]int]*Object{}, map[cell]bool{}
	a.parts, a.dynamic = map[filterKey]nodeID{}, map[cell]types.Type{}
	a.hosts, a.asking = map[cell]*host{}, map[asksKey][]*ssa.Function{}
	a.shared, a.open1 = map[cell]bool{}, map[*Instance]bool{}
	a.outside = a.newBag(&Object{Kind: Unknown, Type: types.NewInterfaceType(nil, nil)}, nil, a.newNodes(1))
	a.errors = a.newBag(&Object{Kind: Library, Type: errorType}, nil, a.newNodes(1))
	a.general = asked{}
	for _, p := range a.Program.AllPackages() {
		if path := p.Pkg.Path(); path == "fmt" || path == "encoding" || path == "errors" {
			a.general.add(p.Pkg)
		}
	}
	a.general.addInterface(errorType.Underlying().(*types.Interface))
	a.general.errorMethods()
	a.edge(a.contents(a.errors.first), a.panics)
}

// errorMethods adds what package errors looks for with interfaces that have no name.
func (m asked) errorMethods() {
	err := types.NewTuple(types.NewVar(0, nil, "", errorType))
	errs := types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(errorType)))
	target := types.NewTuple(types.NewVar(0, nil, "", types.NewInterfaceType(nil, nil)))
	is := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool]))
	m["Unwrap"] = append(m["Unwrap"], types.NewSignatureType(nil, nil, nil, nil, err, false), types.NewSignatureType(nil, nil, nil, nil, errs, false))
	m["Is"] = append(m["Is"], types.NewSignatureType(nil, nil, nil, err, is, false))
	m["As"] = append(m["As"], types.NewSignatureType(nil, nil, nil, target, is, false))
}

// add adds the methods of all interfaces that p declares.
func (m asked) add(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			if iface, ok := t.Type().Underlying().(*types.Interface); ok {
				m.addInterface(iface)
			}
		}
	}
}

func (m asked) addInterface(iface *types.Interface) {
	for f := range iface.Methods() {
		m[f.Name()] = append(m[f.Name()], f.Signature())
	}
}

// has reports whether an interface names f.
func (m asked) has(f *types.Func) bool {
	for _, sig := range m[f.Name()] {
		if types.Identical(sig, f.Signature()) {
			return true
		}
	}
	return false
}

// asksFor returns the methods that the interfaces of p name.
func (a *analysis) asksFor(p *types.Package) asked {
	m := a.asks[p]
	if m == nil {
		m = asked{}
		m.add(p)
		a.asks[p] = m
	}
	return m
}

// libraryCallOf returns the call of the library at a site.
func (a *analysis) libraryCallOf(in *Instance, site ssa.CallInstruction) *libraryCall {
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
func (a *analysis) libraryFunc(in *Instance, site ssa.CallInstruction, fn *ssa.Function) {
	c, lc := site.Common(), a.libraryCallOf(in, site)
	a.listCall(in, site, fn)
	switch {
	case lc.self != nil:
	case !a.matters(c, site.Value()):
		lc.self = a.errors
		a.results(lc, a.errors.first)
	case !c.IsInvoke() && fn.Signature.Recv() != nil && len(c.Args) > 0 && a.carries(c.Args[0].Type()):
		a.decodeArgs(lc, fn)
		a.rule(in.regs[c.Args[0]], &workRule{lc})
	default:
		lc.self = a.newBag(&Object{Kind: Library, Type: resultType(fn), Value: callValue(site), In: in}, packageOf(fn), 0)
		a.decodeArgs(lc, fn)
		a.packageState(lc, fn)
		a.workOn(lc, lc.self.first)
		a.hosts[lc.self.first].byName = findsByName(fn)
		if pkg := packageOf(fn); pkg != nil && pkg.Path() == "reflect" {
			a.insert(a.contents(lc.self.first), a.outside.first)
		}
	}
}

// bagCall is a call of a method of a library object, or of a function that the library made.
func (a *analysis) bagCall(in *Instance, site ssa.CallInstruction, o cell) {
	a.workOn(a.libraryCallOf(in, site), o)
}

// hostAt returns the host of a bag.
func (a *analysis) hostAt(o cell) *host {
	h := a.hosts[o]
	if h == nil {
		h = &host{at: o, pkgs: map[*types.Package]bool{}, called: map[*Instance]bool{}}
		a.hosts[o] = h
		a.rule(a.contents(o), &hostRule{h})
		a.ask(h, a.bagPackage(o))
	}
	return h
}

// workOn makes a call put its arguments into a bag, and return what is there.
func (a *analysis) workOn(lc *libraryCall, o cell) {
	h := a.hostAt(o)
	if slices.Contains(lc.hosts, h) {
		return
	}
	lc.hosts = append(lc.hosts, h)
	a.give(lc, h)
	a.results(lc, o)
}

// workRule is a method call on a library object.
type workRule struct{ lc *libraryCall }

func (r *workRule) apply(a *analysis, o cell) {
	if a.cells.leaf[o] == bag && (o != a.outside.first || len(a.Exported) > 0) {
		a.workOn(r.lc, o)
	}
}

func packageOf(fn *ssa.Function) *types.Package {
	if fn.Object() != nil {
		return fn.Object().Pkg()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
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

// matters reports whether anything but errors can go into a call, or come out of it.
func (a *analysis) matters(c *ssa.CallCommon, v *ssa.Call) bool {
	for _, arg := range c.Args {
		if a.carries(arg.Type()) {
			return true
		}
	}
	return v != nil && a.givesMore(v.Type())
}

// givesMore reports whether a result has addresses of something else than errors.
func (a *analysis) givesMore(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if a.givesMore(v.Type()) {
				return true
			}
		}
		return false
	}
	return len(a.types.layout(t).refs) > 0 && !types.Identical(t, errorType)
}

// carries reports whether a value of type t can hold something that the library could give back or call: not a pointer to a number
// or to a library struct without references.
func (a *analysis) carries(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if a.types.libraryStruct(p.Elem()) && a.types.inert(p.Elem()) {
			return false
		}
		b, ok := p.Elem().Underlying().(*types.Basic)
		return !ok || b.Kind() == types.UnsafePointer
	}
	return len(a.types.layout(t).refs) > 0
}

// give puts the arguments of a call into a bag. Plain data stays only in what the call makes.
func (a *analysis) give(lc *libraryCall, h *host) {
	c, self := lc.site.Common(), lc.self != nil && lc.self.first == h.at
	for i, v := range c.Args {
		if !a.carries(v.Type()) || a.types.plain(v.Type()) && !self {
			continue
		}
		l, n := a.types.layout(v.Type()), lc.in.regs[v]
		if formats(c, i) {
			a.rule(n, &formatRule{h, givesError(c)})
			continue
		}
		for k := range l.refs {
			a.edge(n+nodeID(k), a.contents(h.at))
			switch t := l.leaves[l.refs[k]].typ; {
			case a.container(t) != nil:
				variadic := c.Signature().Variadic() && i == len(c.Args)-1
				a.rule(n+nodeID(k), &enterRule{h, t, !variadic, 0})
			case types.IsInterface(t):
				a.rule(n+nodeID(k), &openRule{h})
			}
		}
	}
}

// formats reports whether argument i is a ...any: it is printed, and not kept.
func formats(c *ssa.CallCommon, i int) bool {
	return c.Signature().Variadic() && i == len(c.Args)-1 && isAny(c.Args[i].Type().Underlying().(*types.Slice).Elem())
}

// givesError reports whether a call only makes an error.
func givesError(c *ssa.CallCommon) bool {
	r := c.Signature().Results()
	return r.Len() == 1 && types.Identical(r.At(0).Type(), errorType)
}

// formatRule is what the library does with the array of a ...any: an error that it makes may wrap those that are in there.
type formatRule struct {
	host  *host
	error bool
}

func (r *formatRule) apply(a *analysis, o cell) {
	key := enterKey{r.host, -1, o, false}
	if a.entered[key] || a.cells.of(o).Kind == tagged {
		return
	}
	a.entered[key] = true
	a.rule(a.contents(o), &printRule{r.host})
	if r.error {
		a.filter(a.contents(o), a.contents(a.errors.first), errorType)
	}
}

// printRule calls the methods that formatting looks for.
type printRule struct{ host *host }

func (r *printRule) apply(a *analysis, o cell) {
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.host, o, obj, nil)
	}
}

// lend returns plain arguments, which may be part of the results.
func (a *analysis) lend(in *Instance, site ssa.CallInstruction) {
	v := site.Value()
	if v == nil {
		return
	}
	for _, arg := range site.Common().Args {
		if a.types.plain(arg.Type()) && a.carries(arg.Type()) {
			a.deliverPlain(in.regs[arg], in.regs[v], v.Type())
		}
	}
	a.plainResults(in, v)
}

// packageState: what a function without results is given, functions of the package without arguments may return.
func (a *analysis) packageState(lc *libraryCall, fn *ssa.Function) {
	c, pkg := lc.site.Common(), packageOf(fn)
	if a.state[pkg] == 0 {
		a.state[pkg] = a.newNodes(1)
	}
	gives, takes := a.givesMore(fn.Signature.Results()), false
	for i, v := range c.Args {
		if !a.carries(v.Type()) || c.Signature().Variadic() && i == len(c.Args)-1 {
			continue
		}
		takes = true
		if !gives {
			a.copyInto(lc.in.regs[v], v.Type(), a.state[pkg])
		}
	}
	if gives && !takes {
		a.edge(a.state[pkg], a.contents(lc.self.first))
	}
}

func (a *analysis) copyInto(from nodeID, t types.Type, to nodeID) {
	for k := range a.types.layout(t).refs {
		a.edge(from+nodeID(k), to)
	}
}

// results delivers what a call of the library returns of a bag.
func (a *analysis) results(lc *libraryCall, o cell) {
	if v := lc.site.Value(); v != nil {
		a.deliver(a.contents(o), lc.in.regs[v], v.Type())
	}
}

// eachResult calls f with the nodes and type of each result.
func (a *analysis) eachResult(dst nodeID, t types.Type, f func(nodeID, types.Type)) {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		f(dst, t)
		return
	}
	l := a.types.layout(tuple)
	for i := range tuple.Len() {
		f(dst+nodeID(l.ref(l.fields[i])), tuple.At(i).Type())
	}
}

// plainResults makes a new object for each result that leads to plain data.
func (a *analysis) plainResults(in *Instance, v *ssa.Call) {
	a.eachResult(in.regs[v], v.Type(), func(dst nodeID, t types.Type) {
		if direct(t) && a.types.plain(t) {
			o := a.newBag(&Object{Kind: Library, Type: t, Value: v, In: in, plain: true}, nil, 0)
			a.insert(dst, o.first)
		}
	})
}

// deliverPlain passes arrays of numbers and strings on.
func (a *analysis) deliverPlain(from, dst nodeID, t types.Type) {
	a.eachResult(dst, t, func(dst nodeID, t types.Type) {
		if direct(t) && a.types.plain(t) {
			a.filter(from, dst, t)
		}
	})
}

// deliver makes dst include what a bag has that may be of type t.
func (a *analysis) deliver(from, dst nodeID, t types.Type) {
	l := a.types.layout(t)
	if from == 0 || dst == 0 || len(l.refs) == 0 {
		return
	}
	if tuple, ok := t.(*types.Tuple); ok {
		for i := range tuple.Len() {
			if len(a.types.layout(tuple.At(i).Type()).refs) > 0 {
				a.deliver(from, dst+nodeID(l.ref(l.fields[i])), tuple.At(i).Type())
			}
		}
		return
	}
	for i, k := range l.refs {
		a.deliverLeaf(from, dst+nodeID(i), l.leaves[k].typ)
	}
	if _, iface := t.Underlying().(*types.Interface); !iface && !direct(t) && !a.types.libraryStruct(t) {
		a.rule(from, &unboxRule{l, dst})
	}
}

// deliverLeaf: all errors that the library makes are one, which holds those that it was given.
func (a *analysis) deliverLeaf(from, dst nodeID, t types.Type) {
	if !types.Identical(t, errorType) {
		a.edge(a.partOf(from, t), dst)
		return
	}
	all := a.contents(a.errors.first)
	a.insert(dst, a.errors.first)
	a.filter(from, all, t)
	a.edge(all, dst)
}

// partOf returns a node for what may be of type t in a bag: many callbacks have parameters of one type.
func (a *analysis) partOf(from nodeID, t types.Type) nodeID {
	key := filterKey{a.find(from), 0, a.types.id(t)}
	if a.parts[key] == 0 {
		a.parts[key] = a.newNodes(1)
		a.filter(from, a.parts[key], t)
	}
	return a.parts[key]
}

// enterRule is what the library finds in an argument of a container type: it may read the elements, and store others
// there.
type enterRule struct {
	host     *host
	typ      types.Type
	writable bool
	depth    int
}

type enterKey struct {
	host     *host
	typ      int
	at       cell
	writable bool
}

const maxEnter = 2 // containers in containers

func (r *enterRule) apply(a *analysis, o cell) {
	l, obj := a.container(r.typ), a.cells.of(o)
	key := enterKey{r.host, a.types.id(r.typ), o, r.writable}
	if a.entered[key] || obj.Kind == tagged || a.cells.leaf[o] == bag {
		return
	}
	a.entered[key] = true
	bag := a.contents(r.host.at)
	for _, k := range l.refs {
		at, t := a.cells.at(o, k), l.leaves[k].typ
		if at == none {
			continue
		}
		n := a.contents(at)
		a.edge(n, bag)
		if r.writable {
			a.filter(bag, n, t)
		}
		if r.depth < maxEnter && a.container(t) != nil {
			a.rule(n, &enterRule{r.host, t, r.writable, r.depth + 1})
		}
	}
}

// container returns the layout of what the library sees of a container; nil for what it does not look into.
func (a *analysis) container(t types.Type) *layout {
	switch x := t.Underlying().(type) {
	case *types.Slice:
		return a.types.layout(x.Elem())
	case *types.Chan:
		return a.types.layout(x.Elem())
	case *types.Map:
		l := *a.mapLayout(t)
		for i, f := range l.leaves {
			if f.kind != scalar {
				l.refs = append(l.refs, i)
			}
		}
		return &l
	case *types.Pointer:
		if _, ok := x.Elem().Underlying().(*types.Struct); !ok {
			return a.types.layout(x.Elem())
		}
	}
	return nil
}

// bagPackage is the package whose code a bag belongs to.
func (a *analysis) bagPackage(o cell) *types.Package {
	obj := a.cells.of(o)
	if obj.opaque {
		return obj.pkg
	}
	if n, ok := types.Unalias(obj.layout.leaves[o-obj.first].typ).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// ask makes a host look for the methods of the interfaces of a package.
func (a *analysis) ask(h *host, p *types.Package) {
	if p == nil || h.pkgs[p] || a.types.source[p] {
		return
	}
	h.pkgs[p] = true
	a.rule(a.contents(h.at), &askRule{h, p})
}

// askRule calls the methods of o that a package asks for.
type askRule struct {
	host *host
	pkg  *types.Package
}

func (r *askRule) apply(a *analysis, o cell) {
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.host, o, obj, r.pkg)
	}
}

// hostRule is what the library does with what is in a bag: it calls functions and methods, takes values out of
// interfaces, and everything from other bags.
type hostRule struct{ host *host }

func (r *hostRule) apply(a *analysis, o cell) {
	obj := a.cells.of(o)
	switch {
	case r.host.at == a.errors.first:
		if obj.Kind == tagged { // what else an error leads to is taken out where the error is used
			a.callAsked(r.host, o, obj, nil)
		}
	case a.cells.leaf[o] == bag:
		if !obj.plain && o != r.host.at {
			a.passOn(a.contents(o), a.contents(r.host.at))
		}
	case obj.Kind == tagged:
		if obj.tag != none {
			a.open(r.host, obj)
		}
		a.callAsked(r.host, o, obj, nil)
	case obj.Kind == Closure:
		a.callback(r.host, obj.closure, o, nil)
	case obj.Kind == Func:
		if fn := obj.Value.(*ssa.Function); a.hasBody(fn) {
			a.callback(r.host, a.instance(fn, nil), o, nil)
		}
	}
}

// passOn lets one bag have the values in interfaces that are in another: what a context holds, and errors. All else stays with
// the bag that was given it: its functions are called there.
func (a *analysis) passOn(from, to nodeID) {
	key := filterKey{a.find(from), a.find(to), -2}
	if !a.filters[key] {
		a.filters[key] = true
		a.rule(from, &passRule{to})
	}
}

type passRule struct{ to nodeID }

func (r *passRule) apply(a *analysis, o cell) {
	if a.cells.of(o).Kind == tagged {
		a.insert(r.to, o)
	}
}

// open takes a value out of an interface.
func (a *analysis) open(h *host, obj *Object) {
	switch {
	case a.types.plain(obj.Type):
	case a.cells.leaf[obj.tag] == bag: // of the library's own: see openRule
	case direct(obj.Type):
		a.insert(a.contents(h.at), obj.tag)
		if a.container(obj.Type) != nil {
			(&enterRule{host: h, typ: obj.Type}).apply(a, obj.tag)
		}
	default:
		for _, k := range a.types.layout(obj.Type).refs {
			if at := a.cells.at(obj.tag, k); at != none {
				a.edge(a.contents(at), a.contents(h.at))
			}
		}
	}
}

// openRule is what the library finds in an interface that it is given: sort.Slice and errors.As write there.
type openRule struct{ host *host }

func (r *openRule) apply(a *analysis, o cell) {
	if obj := a.cells.of(o); obj.Kind == tagged && obj.tag != none && a.cells.leaf[obj.tag] == bag {
		a.insert(a.contents(r.host.at), obj.tag)
	}
	if obj := a.cells.of(o); obj.Kind == tagged && obj.tag != none && a.container(obj.Type) != nil && !a.types.plain(obj.Type) {
		(&enterRule{host: r.host, typ: obj.Type, writable: true}).apply(a, obj.tag)
	}
}

// asksKey is a type of the program and a package of the library, nil for what all ask for.
type asksKey struct {
	typ    int
	pkg    *types.Package
	byName bool
}

// callAsked calls the methods of a value in an interface that the interfaces of a package name.
func (a *analysis) callAsked(h *host, o cell, obj *Object, pkg *types.Package) {
	key := asksKey{a.types.id(obj.Type), pkg, h.byName}
	list, ok := a.asking[key]
	if !ok {
		list = a.findAsked(obj.Type, key)
		a.asking[key] = list
	}
	for _, fn := range list {
		a.callback(h, a.instance(fn, nil), o, obj)
	}
}

func (a *analysis) findAsked(t types.Type, key asksKey) []*ssa.Function {
	asks := a.general
	if key.pkg != nil {
		asks = a.asksFor(key.pkg)
	}
	var out []*ssa.Function
	set := a.Program.MethodSets.MethodSet(t)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		if !asks.has(m) && !(key.byName && m.Exported()) {
			continue
		}
		if fn := a.method(t, m); fn != nil && a.hasBody(fn) {
			out = append(out, fn)
		}
	}
	return out
}

// callback is a call from the library: of a method if there is a receiver.
func (a *analysis) callback(h *host, callee *Instance, o cell, recv *Object) {
	params := callee.Func.Params
	if recv != nil {
		a.receive(callee, recv)
		params = params[1:]
	}
	if h.called[callee] {
		return
	}
	h.called[callee] = true
	h.callbacks = append(h.callbacks, callback{callee, o})
	a.reach(callee)
	for _, p := range params {
		a.deliver(a.contents(h.at), callee.regs[p], p.Type())
	}
	a.copyInto(callee.results, callee.Func.Signature.Results(), a.contents(h.at))
}

// callbackEdges adds the calls that the library makes to the call graph.
func (a *analysis) callbackEdges(in *Instance) {
	for _, b := range in.Func.Blocks {
		for _, instr := range b.Instrs {
			lc := in.lib[instr]
			if lc == nil || len(lc.hosts) == 0 {
				continue
			}
			given := a.givenAt(lc)
			for _, h := range lc.hosts {
				for _, cb := range h.callbacks {
					a.calls(Edge{Caller: in, Site: lc.site, Callee: cb.callee, Library: true, Kept: !given.Has(int(cb.element))})
				}
			}
		}
	}
}

// givenAt is what a call gives to the library: its arguments, the elements of containers among them, and what is in interfaces.
func (a *analysis) givenAt(lc *libraryCall) *intsets.Sparse {
	given := new(intsets.Sparse)
	for _, v := range lc.site.Common().Args {
		l, n := a.types.layout(v.Type()), lc.in.regs[v]
		if n == 0 {
			continue
		}
		for k := range l.refs {
			given.UnionWith(&a.node(n + nodeID(k)).pts)
			if in := a.container(l.leaves[l.refs[k]].typ); in != nil {
				to := a.newNodes(1)
				a.addElements(&a.node(n+nodeID(k)).pts, in, &a.node(to).pts)
				given.UnionWith(&a.node(to).pts)
			}
		}
	}
	for _, x := range given.AppendTo(nil) {
		if o := a.cells.of(cell(x)); o.Kind == tagged {
			given.Insert(int(o.tag))
		}
	}
	return given
}

func (a *analysis) addElements(of *intsets.Sparse, l *layout, to *intsets.Sparse) {
	for _, x := range of.AppendTo(nil) {
		for _, k := range l.refs {
			if at := a.cells.at(cell(x), k); at != none && a.cells.node[at] != 0 {
				to.UnionWith(&a.node(a.cells.node[at]).pts)
			}
		}
	}
}

// decodeArgs lets a decoder fill in what its arguments point to.
func (a *analysis) decodeArgs(lc *libraryCall, fn *ssa.Function) {
	if !decoder(fn) {
		return
	}
	for _, v := range lc.site.Common().Args {
		if types.IsInterface(v.Type()) || direct(v.Type()) {
			a.rule(lc.in.regs[v], &decodeRule{deref(v.Type())})
		}
	}
}
