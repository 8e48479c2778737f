package confirm

import (
	"go/types"
	"slices"
	"strings"
)

// callable is a function as a driver calls it: an instance, if the function is generic.
type callable struct {
	name string // with type arguments
	recv types.Type
	sig  *types.Signature
}

// instance chooses type arguments for fn, or for its receiver, if these are generic.
func (w *writer) instance(fn *types.Func) (callable, error) {
	sig := fn.Signature()
	c := callable{name: fn.Name(), sig: sig}
	if r := sig.Recv(); r != nil {
		c.recv = r.Type()
		if p, ok := c.recv.Underlying().(*types.Pointer); ok {
			c.recv = p.Elem()
		}
	}
	var of types.Type
	var params *types.TypeParamList
	switch {
	case sig.TypeParams().Len() > 0:
		of, params = sig, sig.TypeParams()
	case sig.RecvTypeParams().Len() > 0:
		named := types.Unalias(c.recv).(*types.Named).Origin()
		of, params = named, named.TypeParams()
	default:
		return c, nil
	}
	args := w.fitting(of, params.Len())
	if args == nil {
		return c, &noDriver{"no type arguments are known for " + fn.Name()}
	}
	c.instantiate(w, of, args)
	return c, nil
}

// instantiate takes type arguments for a function or its receiver.
func (c *callable) instantiate(w *writer, of types.Type, args []types.Type) {
	t, _ := types.Instantiate(nil, of, args, false) // they fit
	if sig, ok := t.(*types.Signature); ok {
		var names []string
		for _, a := range args {
			names = append(names, w.typeName(a))
		}
		c.name += "[" + strings.Join(names, ", ") + "]"
		c.sig = sig
		return
	}
	c.recv = t
	m, _, _ := types.LookupFieldOrMethod(t, true, w.pkg, c.name)
	c.sig = m.(*types.Func).Signature()
}

// maxTries bounds the search for type arguments.
const maxTries = 10_000

// fitting returns n type arguments that the constraints of a generic type or function allow, or
// nil: types that Go knows by itself, or else those of the package.
func (w *writer) fitting(of types.Type, n int) []types.Type {
	list := w.candidates()
	choice := make([]int, n)
	for range maxTries {
		args := make([]types.Type, n)
		for i, k := range choice {
			args[i] = list[k]
		}
		if _, err := types.Instantiate(nil, of, args, true); err == nil {
			return args
		}
		i := n - 1
		for ; i >= 0 && choice[i] == len(list)-1; i-- {
			choice[i] = 0
		}
		if i < 0 {
			break
		}
		choice[i]++
	}
	return nil
}

// candidates lists types that may be type arguments, the plainest first.
func (w *writer) candidates() []types.Type {
	number, text := types.Typ[types.Int], types.Typ[types.String]
	out := []types.Type{number, text, types.Typ[types.Float64], types.Typ[types.Bool],
		types.NewSlice(number), types.NewSlice(text), types.NewSlice(types.Typ[types.Byte]),
		types.NewPointer(number), types.NewMap(text, number), types.NewMap(number, number),
		types.NewChan(types.SendRecv, number)}
	scope := w.pkg.Scope()
	for _, id := range scope.Names() {
		tn, ok := scope.Lookup(id).(*types.TypeName)
		if !ok {
			continue
		}
		t, ok := types.Unalias(tn.Type()).(*types.Named)
		if ok && t.TypeParams().Len() == 0 && w.nameable(t) && isValue(t) {
			out = append(out, t, types.NewPointer(t))
		}
	}
	return out
}

// isValue reports whether variables may have type t, which a constraint may not be.
func isValue(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return !ok || i.IsMethodSet()
}

// asConstructor returns f as a constructor, or false. A generic one takes the type arguments of t.
func (w *writer) asConstructor(f *types.Func, t types.Type) (callable, bool) {
	c := callable{name: f.Name(), sig: f.Signature()}
	if n := c.sig.TypeParams().Len(); n > 0 {
		list := types.Unalias(t).(*types.Named).TypeArgs()
		if list.Len() != n {
			return c, false
		}
		args := slices.Collect(list.Types())
		if _, err := types.Instantiate(nil, c.sig, args, true); err != nil {
			return c, false
		}
		c.instantiate(w, c.sig, args)
	}
	r := c.sig.Results()
	if r.Len() == 0 || r.Len() > 2 ||
		r.Len() == 2 && types.TypeString(r.At(1).Type(), nil) != "error" {
		return c, false
	}
	p, ok := r.At(0).Type().Underlying().(*types.Pointer)
	return c, ok && types.Identical(p.Elem(), t)
}

// call writes the call of a function.
func (w *writer) call(fn *types.Func) (string, error) {
	c, err := w.instance(fn)
	if err != nil {
		return "", err
	}
	on := ""
	if c.recv != nil {
		if !w.own(c.recv) {
			return "", &noDriver{"the receiver of " + fn.Name() + " is no struct"}
		}
		on = w.object(c.recv, maxDepth) + "."
	}
	return on + c.name + "(" + w.arguments(c.sig, maxDepth) + ")", nil
}

// lookup finds a function by its full name: p.F, (p.T).M or (*p.T).M, T perhaps with type
// parameters.
func lookup(pkg *types.Package, full string) *types.Func {
	name, method, is := strings.Cut(strings.TrimPrefix(full, "("), ").")
	name, _, _ = strings.Cut(name, "[")
	name = name[strings.LastIndexByte(name, '.')+1:]
	obj := pkg.Scope().Lookup(name)
	if !is {
		fn, _ := obj.(*types.Func)
		return fn
	}
	tn, ok := obj.(*types.TypeName)
	if !ok {
		return nil
	}
	sel, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, pkg, method)
	fn, _ := sel.(*types.Func)
	return fn
}
