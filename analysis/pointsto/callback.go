package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// errorMethods adds what package errors looks for with interfaces that have no name.
func (m asked) errorMethods() {
	err := types.NewTuple(types.NewVar(0, nil, "", errorType))
	errs := types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(errorType)))
	target := types.NewTuple(types.NewVar(0, nil, "", types.NewInterfaceType(nil, nil)))
	is := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool]))
	m["Unwrap"] = append(m["Unwrap"], types.NewSignatureType(nil, nil, nil, nil, err, false),
		types.NewSignatureType(nil, nil, nil, nil, errs, false))
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

// asksFor returns the methods that an asker names.
func (a *analysis) asksFor(by asker) asked {
	m := a.asks[by]
	if m == nil {
		m = asked{}
		if by.pkg != nil {
			m.add(by.pkg)
		} else {
			m.addInterface(a.types.types[by.iface].Underlying().(*types.Interface))
		}
		a.asks[by] = m
	}
	return m
}

// askPackage makes a host look for the methods of the interfaces of a package.
func (a *analysis) askPackage(h *host, p *types.Package) {
	if p != nil && !a.types.source[p] {
		a.ask(h, asker{pkg: p})
	}
}

// ask makes a host look for methods, in the bags that it has, too.
func (a *analysis) ask(h *host, by asker) {
	if slices.Contains(h.asks, by) || len(a.asksFor(by)) == 0 {
		return
	}
	h.asks = append(h.asks, by)
	a.askOf(h, by)
	for _, inner := range h.inner {
		if inner.at == a.errors.first {
			continue
		}
		a.askOf(inner, by)
	}
}

// askOf makes a host call the methods of what it has that an asker names.
func (a *analysis) askOf(h *host, by asker) {
	if !h.askers[by] {
		h.askers[by] = true
		a.rule(a.contents(h.at), &askRule{h, by})
	}
}

// askRule calls the methods of o that an asker names.
type askRule struct {
	host *host
	by   asker
}

func (r *askRule) apply(a *analysis, o cell) {
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.host, obj, r.by)
	}
}

// callAsked calls the methods of a value in an interface that an asker names.
func (a *analysis) callAsked(h *host, obj *Object, by asker) {
	key := asksKey{obj.tid, by, h.byName}
	list, ok := a.asking[key]
	if !ok {
		list = a.findAsked(obj.Type, key)
		a.asking[key] = list
	}
	for _, fn := range list {
		a.callback(h, a.instance(fn, nil), obj)
	}
}

func (a *analysis) findAsked(t types.Type, key asksKey) []*ssa.Function {
	asks := a.general
	if key.by != (asker{}) {
		asks = a.asksFor(key.by)
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
func (a *analysis) callback(h *host, callee *Instance, recv *Object) {
	params := callee.Func.Params
	if recv != nil {
		a.receive(callee, recv)
		params = params[1:]
	}
	if h.called[callee] {
		return
	}
	h.called[callee] = true
	h.callbacks = append(h.callbacks, callee)
	a.reach(callee)
	for _, p := range params {
		a.deliver(h.at, callee.regs[p], p.Type())
	}
	a.copyInto(callee.results, callee.Func.Signature.Results(), h.at)
}

// callbacks returns what the library calls when in calls it at a site.
func (in *Instance) callbacks(site ssa.CallInstruction) []Edge {
	lc := in.lib[site]
	if lc == nil {
		return nil
	}
	var out []Edge
	seen := map[*Instance]bool{}
	for _, h := range nested(lc.hosts) {
		for _, callee := range h.callbacks {
			if !seen[callee] {
				seen[callee] = true
				out = append(out, Edge{Caller: in, Site: site, Callee: callee, Library: true})
			}
		}
	}
	return out
}

// nested returns hosts, and those of the bags in them, each once.
func nested(hosts []*host) []*host {
	out, seen := slices.Clone(hosts), map[*host]bool{}
	for _, h := range hosts {
		seen[h] = true
	}
	for i := 0; i < len(out); i++ {
		for _, h := range out[i].inner {
			if !seen[h] {
				seen[h] = true
				out = append(out, h)
			}
		}
	}
	return out
}
