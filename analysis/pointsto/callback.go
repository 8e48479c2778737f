package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// asksFor returns the methods that an asker names.
func (a *library) asksFor(by asker) asked {
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
func (a *library) askPackage(h *host, p *types.Package) {
	if p != nil && !a.types.source[p] {
		a.ask(h, asker{pkg: p})
	}
}

// ask makes a host look for methods, in the bags that it has, too.
func (a *library) ask(h *host, by asker) {
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
func (a *library) askOf(h *host, by asker) {
	if !h.askers[by] {
		h.askers[by] = true
		a.rule(a.contents(h.at), &askRule{a, h, by})
	}
}

// askRule calls the methods of o that an asker names.
type askRule struct {
	a    *library
	host *host
	by   asker
}

func (r *askRule) apply(o cell) {
	a := r.a
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.host, obj, r.by)
	}
}

// callAsked calls the methods of a value in an interface that an asker names.
func (a *library) callAsked(h *host, obj *Object, by asker) {
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

func (a *library) findAsked(t types.Type, key asksKey) []*ssa.Function {
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
func (a *library) callback(h *host, callee *Instance, recv *Object) {
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
