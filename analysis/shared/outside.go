package shared

import (
	"go/types"
	"slices"
)

// Code outside of the given packages calls methods of theirs through its own interfaces: a server
// calls ServeHTTP of the http.Handler that it was given.

// receiver is a type of the given packages that has methods with bodies.
type receiver struct {
	t       types.Type
	methods map[string]key
}

// foreign is what the given packages have and mention of such interfaces.
type foreign struct {
	given      map[*types.Package]bool
	paths      map[string]bool // of the given packages
	interfaces []*types.Named  // that the packages mention, the given packages' own ones, too
	seen       map[types.Type]bool
	receivers  []*receiver
	of         map[*types.TypeName]*receiver
	lead       ways
}

// ways says of types whether values of them lead to streams.
type ways map[types.Type]bool

func newForeign() foreign {
	return foreign{
		given: map[*types.Package]bool{}, paths: map[string]bool{}, seen: map[types.Type]bool{},
		of: map[*types.TypeName]*receiver{}, lead: ways{},
	}
}

// declare notes method fn, whose body is k.
func (f *foreign) declare(fn *types.Func, k key) {
	t := fn.Signature().Recv().Type()
	if p, is := t.(*types.Pointer); is {
		t = p.Elem()
	}
	named, is := types.Unalias(t).(*types.Named)
	if !is {
		return
	}
	r := f.of[named.Obj()]
	if r == nil {
		r = &receiver{t: types.NewPointer(named), methods: map[string]key{}}
		f.of[named.Obj()] = r
		f.receivers = append(f.receivers, r)
	}
	r.methods[fn.Name()] = k
}

// mention notes the interfaces that a variable or function has in its type.
func (f *foreign) mention(t types.Type) {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if f.seen[u] {
			return
		}
		f.seen[u] = true
		if i, is := u.Underlying().(*types.Interface); is && i.NumMethods() > 0 {
			f.interfaces = append(f.interfaces, u)
		}
	case *types.Signature:
		for _, list := range [...]*types.Tuple{u.Params(), u.Results()} {
			for v := range list.Variables() {
				f.mention(v.Type())
			}
		}
	case *types.Slice:
		f.mention(u.Elem())
	}
}

// called returns the methods that code outside may call, by the interfaces that the given packages
// mention. LIMIT: not those that only an embedding type has all of.
func (f *foreign) called() (methods []key) {
	for _, named := range f.interfaces {
		pkg := named.Obj().Pkg()
		if pkg == nil || f.given[pkg] {
			continue
		}
		i := named.Underlying().(*types.Interface)
		for _, r := range f.receivers {
			if !types.Implements(r.t, i) {
				continue
			}
			for m := range i.Methods() {
				if k, is := r.methods[m.Name()]; is && !slices.Contains(methods, k) {
					methods = append(methods, k)
				}
			}
		}
	}
	return methods
}
