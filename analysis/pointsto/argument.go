package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// matters reports whether anything but errors can go into a call, or come out of it.
func (a *library) matters(c *ssa.CallCommon, v *ssa.Call) bool {
	for _, arg := range c.Args {
		if a.carries(arg.Type()) {
			return true
		}
	}
	return v != nil && a.givesMore(v.Type())
}

// givesMore reports whether a result has addresses of something else than errors.
func (a *objects) givesMore(t types.Type) bool {
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

// give puts the arguments of a call into a bag. Plain data stays only in what the call makes.
func (a *library) give(lc *libraryCall, h *host) {
	c, self := lc.site.Common(), lc.self != nil && lc.self.first == h.at
	for i, v := range c.Args {
		if !a.carries(v.Type()) || a.types.plain(v.Type()) && !self {
			continue
		}
		l, n := a.types.layout(v.Type()), lc.in.regs[v]
		if formats(c, i) {
			a.rule(n, &formatRule{a, h, givesError(c)})
			continue
		}
		for k := range l.refs {
			a.keep(n+nodeID(k), l.leaves[l.refs[k]].typ, h.at)
			switch t := l.leaves[l.refs[k]].typ; {
			case a.container(t) != nil:
				variadic := c.Signature().Variadic() && i == len(c.Args)-1
				a.rule(n+nodeID(k), &enterRule{a, h, t, !variadic, 0})
			case types.IsInterface(t):
				a.ask(h, asker{iface: a.types.id(t)})
				a.rule(n+nodeID(k), &openRule{a, h})
			}
		}
	}
}

// formats reports whether argument i is a ...any: it is printed, and not kept.
func formats(c *ssa.CallCommon, i int) bool {
	return c.Signature().Variadic() && i == len(c.Args)-1 &&
		isAny(c.Args[i].Type().Underlying().(*types.Slice).Elem())
}

// givesError reports whether a call only makes an error.
func givesError(c *ssa.CallCommon) bool {
	r := c.Signature().Results()
	return r.Len() == 1 && types.Identical(r.At(0).Type(), errorType)
}

// formatRule is what the library does with the array of a ...any: an error that it makes may wrap
// those that are in there.
type formatRule struct {
	a     *library
	host  *host
	error bool
}

func (r *formatRule) apply(o cell) {
	a := r.a
	key := enterKey{r.host, -1, o, false}
	if a.entered[key] || a.cells.of(o).Kind == tagged {
		return
	}
	a.entered[key] = true
	a.rule(a.contents(o), &printRule{a, r.host})
	if r.error {
		a.filter(a.contents(o), a.contents(a.errors.first), errorType)
	}
}

// printRule calls the methods that formatting looks for.
type printRule struct {
	a    *library
	host *host
}

func (r *printRule) apply(o cell) {
	a := r.a
	if obj := a.cells.of(o); obj.Kind == tagged {
		a.callAsked(r.host, obj, asker{})
	}
}

// enterRule is what the library finds in an argument of a container type: it may read the elements,
// and store others there.
type enterRule struct {
	a        *library
	host     *host
	typ      types.Type
	writable bool
	depth    int
}

const maxEnter = 2 // containers in containers

func (r *enterRule) apply(o cell) {
	a := r.a
	l, obj := a.container(r.typ), a.cells.of(o)
	key := enterKey{r.host, a.types.id(r.typ), o, r.writable}
	if a.entered[key] || obj.Kind == tagged || a.cells.leaf[o] == bag {
		return
	}
	a.entered[key] = true
	for _, k := range l.refs {
		at, t := a.cells.at(o, k), l.leaves[k].typ
		if at == none {
			continue
		}
		n := a.contents(at)
		a.keep(n, t, r.host.at)
		if r.writable {
			a.take(r.host.at, t, n)
		}
		if r.depth < maxEnter && a.container(t) != nil {
			a.rule(n, &enterRule{a, r.host, t, r.writable, r.depth + 1})
		}
	}
}

// container returns the layout of what the library sees of a container; nil for what it does not
// look into.
func (a *objects) container(t types.Type) *layout {
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

// open takes a value out of an interface.
func (a *library) open(h *host, obj *Object) {
	switch {
	case a.types.plain(obj.Type):
	case a.cells.leaf[obj.tag] == bag: // of the library's own: see openRule
	case a.container(obj.Type) != nil:
		a.insert(a.contents(h.at), obj.tag)
		(&enterRule{a: a, host: h, typ: obj.Type}).apply(obj.tag)
	case isFunc(obj.Type):
		a.insert(a.contents(h.at), obj.tag)
	}
}

// openRule is what the library finds in an interface that it is given: sort.Slice and errors.As
// write there.
type openRule struct {
	a    *library
	host *host
}

func (r *openRule) apply(o cell) {
	a := r.a
	if obj := a.cells.of(o); obj.Kind == tagged && obj.tag != none && a.cells.leaf[obj.tag] == bag {
		a.insert(a.contents(r.host.at), obj.tag)
	}
	if obj := a.cells.of(o); obj.Kind == tagged && obj.tag != none &&
		a.container(obj.Type) != nil && !a.types.plain(obj.Type) {
		(&enterRule{a: a, host: r.host, typ: obj.Type, writable: true}).apply(obj.tag)
	}
}

// decodeArgs lets a decoder fill in what its arguments point to.
func (a *library) decodeArgs(lc *libraryCall, fn *ssa.Function) {
	if !decoder(fn) {
		return
	}
	for _, v := range lc.site.Common().Args {
		if types.IsInterface(v.Type()) || direct(v.Type()) {
			a.rule(lc.in.regs[v], &decodeRule{&a.bags, kernel.Deref(v.Type())})
		}
	}
}

// decoder reports whether a library function fills in what it is given: Unmarshal, Decode, Scan,
// and the like.
func decoder(fn *ssa.Function) bool {
	return slices.ContainsFunc([]string{"Unmarshal", "Decode", "Scan"}, func(verb string) bool {
		return strings.HasPrefix(fn.Name(), verb) && fn.Signature.Params().Len() > 0
	})
}

type decodeRule struct {
	a   *bags
	typ types.Type
}
