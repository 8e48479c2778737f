package pointsto

import (
	"go/types"

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
	unknownOf map[int]*Object // by type number, see unknown
	decoded   map[cell]bool
	shared    map[cell]bool      // in unknown hands, see shareCell
	open1     map[*Instance]bool // called by unknown code
	entries   []*Instance
}

// asked is names of methods with their signatures.
type asked map[string][]*types.Signature

// libraryCall is what one call of the library, in one instance, knows.
type libraryCall struct {
	in      *Instance
	site    ssa.CallInstruction
	given   nodeID                  // its arguments, and the elements of containers among them
	lent    nodeID                  // plain arguments, which it may return but does not keep
	bag     nodeID                  // also what the library had from before
	self    *Object                 // what it makes, unless that is part of the receiver; its contents are bag
	decodes bool                    // fills in what it is given
	byName  bool                    // calls all exported methods
	pkgs    map[*types.Package]bool // whose interfaces may be asked for
	called  map[*Instance]bool
}

var errorType = types.Universe.Lookup("error").Type()

func (a *analysis) openLibrary() {
	a.state, a.asks = map[*types.Package]nodeID{}, map[*types.Package]asked{}
	a.entered, a.unknownOf, a.decoded = map[enterKey]bool{}, map[int]*Object{}, map[cell]bool{}
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

// libraryCallOf returns the call of the library at a site, with its arguments given and its results delivered.
func (a *analysis) libraryCallOf(in *Instance, site ssa.CallInstruction) *libraryCall {
	if lc := in.lib[site]; lc != nil {
		return lc
	}
	if in.lib == nil {
		in.lib = map[ssa.Instruction]*libraryCall{}
	}
	lc := &libraryCall{in: in, site: site, given: a.newNodes(1), lent: a.newNodes(1), bag: a.newNodes(1), pkgs: map[*types.Package]bool{}, called: map[*Instance]bool{}}
	in.lib[site] = lc
	a.edge(lc.given, lc.bag)
	return lc
}

// libraryFunc is a call of a function or method without a body.
func (a *analysis) libraryFunc(in *Instance, site ssa.CallInstruction, fn *ssa.Function) {
	if in.lib[site] != nil && in.lib[site].self != nil {
		return
	}
	c := site.Common()
	a.listCall(in, site, fn)
	if !a.matters(c, site.Value()) {
		if in.lib == nil {
			in.lib = map[ssa.Instruction]*libraryCall{}
		}
		if in.lib[site] == nil {
			in.lib[site] = &libraryCall{in: in, site: site, self: a.errors, pkgs: map[*types.Package]bool{}, called: map[*Instance]bool{}} // nothing flows
			a.results(in.lib[site])
		}
		return
	}
	lc := a.libraryCallOf(in, site)
	lc.decodes, lc.byName = lc.decodes || decoder(fn), lc.byName || findsByName(fn)
	method := !c.IsInvoke() && fn.Signature.Recv() != nil && len(c.Args) > 0
	recv := method && a.carries(c.Args[0].Type())
	if !recv && lc.self == nil {
		lc.self = a.newBag(&Object{Kind: Library, Type: resultType(fn), Value: callValue(site), In: in}, packageOf(fn), lc.bag)
	}
	a.pass1(lc, c, method)
	if recv {
		a.rule(in.regs[c.Args[0]], &keepRule{lc})
	} else {
		a.edge(lc.lent, lc.bag)
	}
	if !method {
		a.packageState(lc, c, fn)
	}
	if fn.Pkg != nil && fn.Pkg.Pkg.Path() == "reflect" {
		a.insert(lc.bag, a.outside.first)
	}
	a.ask(lc, packageOf(fn))
	a.results(lc)
}

// bagCall is a call of a method of a library object, or of a function that the library made.
func (a *analysis) bagCall(in *Instance, site ssa.CallInstruction, o cell) {
	lc, first := in.lib[site], false
	if lc == nil || lc.bag == 0 {
		lc, first = a.newCall(in, site), true
	}
	if first {
		a.pass1(lc, site.Common(), false)
		a.ask(lc, nil)
		a.results(lc)
	}
	(&keepRule{lc}).apply(a, o)
}

func (a *analysis) newCall(in *Instance, site ssa.CallInstruction) *libraryCall {
	delete(in.lib, site)
	return a.libraryCallOf(in, site)
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

// pass1 gives the arguments to a call. The receiver of a method is not entered.
func (a *analysis) pass1(lc *libraryCall, c *ssa.CallCommon, method bool) {
	for i, v := range c.Args {
		if !a.carries(v.Type()) {
			continue
		}
		l, n := a.types.layout(v.Type()), lc.in.regs[v]
		if a.types.plain(v.Type()) {
			a.copyInto(n, v.Type(), lc.lent)
			continue
		}
		for k := range l.refs {
			a.edge(n+nodeID(k), lc.given)
			if !(method && i == 0) {
				variadic := c.Signature().Variadic() && i == len(c.Args)-1
				a.rule(n+nodeID(k), &enterRule{lc, l.leaves[l.refs[k]].typ, !variadic, 0})
			}
		}
	}
	a.rule(lc.given, &givenRule{lc, lc.given})
	a.rule(lc.bag, &givenRule{lc, lc.bag})
}

// packageState: what a function without results is given, functions of the package without arguments may return.
func (a *analysis) packageState(lc *libraryCall, c *ssa.CallCommon, fn *ssa.Function) {
	pkg := packageOf(fn)
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
		a.edge(a.state[pkg], lc.bag)
	}
}

func (a *analysis) copyInto(from nodeID, t types.Type, to nodeID) {
	for k := range a.types.layout(t).refs {
		a.edge(from+nodeID(k), to)
	}
}

// results delivers what a call of the library returns.
func (a *analysis) results(lc *libraryCall) {
	v := lc.site.Value()
	if v == nil {
		return
	}
	n := lc.bag
	if n == 0 {
		n = a.contents(a.errors.first)
	}
	a.deliver(n, lc.in.regs[v], v.Type())
	a.deliver(lc.lent, lc.in.regs[v], v.Type())
	a.plainResults(lc, v)
}

// plainResults makes a new object for each result that leads to plain data.
func (a *analysis) plainResults(lc *libraryCall, v *ssa.Call) {
	if tuple, ok := v.Type().(*types.Tuple); ok {
		l := a.types.layout(tuple)
		for i := range tuple.Len() {
			a.plainResult(lc, v, lc.in.regs[v]+nodeID(l.ref(l.fields[i])), tuple.At(i).Type())
		}
		return
	}
	a.plainResult(lc, v, lc.in.regs[v], v.Type())
}

func (a *analysis) plainResult(lc *libraryCall, v *ssa.Call, dst nodeID, t types.Type) {
	if direct(t) && a.types.plain(t) {
		o := a.newBag(&Object{Kind: Library, Type: t, Value: v, In: lc.in, plain: true}, nil, 0)
		a.insert(dst, o.first)
	}
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
		a.filter(from, dst, t)
		return
	}
	a.insert(dst, a.errors.first)
	a.filter(from, a.contents(a.errors.first), t)
	a.edge(a.contents(a.errors.first), dst)
}

// enterRule is what a call of the library finds in an argument of a container type: it may read the elements, and store others
// there.
type enterRule struct {
	lc       *libraryCall
	typ      types.Type
	writable bool
	depth    int
}

type enterKey struct {
	lc  *libraryCall
	typ int
	at  cell
}

const maxEnter = 2 // containers in containers

func (r *enterRule) apply(a *analysis, o cell) { a.enterCell(r, o) }

func (a *analysis) enterCell(r *enterRule, o cell) {
	obj := a.cells.of(o)
	l := a.entered1(r.typ)
	if l == nil || obj.Kind == tagged || a.cells.leaf[o] == bag {
		if p, ok := r.typ.Underlying().(*types.Pointer); ok && r.lc.decodes && obj.Kind != tagged {
			a.decode(o, p.Elem())
		}
		return
	}
	key := enterKey{r.lc, a.types.id(r.typ), o}
	if a.entered[key] {
		return
	}
	a.entered[key] = true
	for _, k := range l.refs {
		at, t := a.cells.at(o, k), l.leaves[k].typ
		if at == none {
			continue
		}
		n := a.contents(at)
		a.edge(n, r.lc.given)
		if r.writable {
			a.filter(r.lc.bag, n, t)
		}
		if r.depth < maxEnter && a.entered1(t) != nil {
			a.rule(n, &enterRule{r.lc, t, r.writable, r.depth + 1})
		}
	}
}

// entered1 returns the layout of what the library sees of a container; nil for what it does not look into.
func (a *analysis) entered1(t types.Type) *layout {
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

// keepRule says that a library object keeps what a method of it is given, and that the method may return what it has.
type keepRule struct{ lc *libraryCall }

func (r *keepRule) apply(a *analysis, o cell) {
	if a.cells.leaf[o] != bag {
		return
	}
	a.edge(a.contents(o), r.lc.bag)
	a.edge(r.lc.bag, a.contents(o))
	a.ask(r.lc, a.bagPackage(o))
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

// ask makes a call look for the methods of the interfaces of another package.
func (a *analysis) ask(lc *libraryCall, p *types.Package) {
	if p == nil || lc.pkgs[p] || a.types.source[p] {
		return
	}
	lc.pkgs[p] = true
	a.rule(lc.bag, &askRule{lc, a.asksFor(p)})
}

// askRule calls the methods of o that a package asks for.
type askRule struct {
	lc   *libraryCall
	asks asked
}

func (r *askRule) apply(a *analysis, o cell) {
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.lc, o, obj, r.asks)
	}
}

// givenRule is what a call of the library does with what it gets hold of: it takes it out of interfaces; and, in its bag, calls
// functions and methods, and takes everything from other bags.
type givenRule struct {
	lc *libraryCall
	to nodeID
}

func (r *givenRule) apply(a *analysis, o cell) {
	obj, all := a.cells.of(o), r.to == r.lc.bag
	switch {
	case a.cells.leaf[o] == bag:
		if all {
			a.edge(a.contents(o), r.to)
		}
	case obj.Kind == tagged:
		if obj.tag != none {
			a.open(r, obj)
		}
		if all {
			a.callAsked(r.lc, o, obj, a.general)
		}
	case obj.Kind == Closure && all:
		a.callback(r.lc, obj.closure, o, nil)
	case obj.Kind == Func && all:
		if fn := obj.Value.(*ssa.Function); a.hasBody(fn) {
			a.callback(r.lc, a.callee(r.lc.in, r.lc.site, fn), o, nil)
		}
	}
}

// open takes a value out of an interface.
func (a *analysis) open(r *givenRule, obj *Object) {
	if direct(obj.Type) {
		a.insert(r.to, obj.tag)
		a.enterCell(&enterRule{lc: r.lc, typ: obj.Type, writable: true}, obj.tag)
		return
	}
	l := a.types.layout(obj.Type)
	for _, k := range l.refs {
		if at := a.cells.at(obj.tag, k); at != none {
			a.edge(a.contents(at), r.to)
		}
	}
}

// callAsked calls the methods of a value in an interface that asks names.
func (a *analysis) callAsked(lc *libraryCall, o cell, obj *Object, asks asked) {
	set := a.Program.MethodSets.MethodSet(obj.Type)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		if !asks.has(m) && !(lc.byName && m.Exported()) {
			continue
		}
		if fn := a.method(obj.Type, m); fn != nil && a.hasBody(fn) {
			a.callback(lc, a.callee(lc.in, lc.site, fn), o, obj)
		}
	}
}

// callback is a call from the library: of a method if there is a receiver.
func (a *analysis) callback(lc *libraryCall, callee *Instance, o cell, recv *Object) {
	params := callee.Func.Params
	if recv != nil {
		a.receive(callee, recv)
		params = params[1:]
	}
	if lc.called[callee] {
		return
	}
	lc.called[callee] = true
	a.calls(Edge{Caller: lc.in, Site: lc.site, Callee: callee, Library: true, element: o})
	for _, p := range params {
		a.deliver(lc.bag, callee.regs[p], p.Type())
	}
	a.copyInto(callee.results, callee.Func.Signature.Results(), lc.bag)
}
