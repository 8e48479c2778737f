package uncontrolled

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// converted is a type that is converted to an interface.
type converted struct {
	typ     types.Type
	methods *types.MethodSet
	called  []*ssa.Function // see formatted
	scanned bool
}

// iface is an interface through which methods are called.
type iface struct {
	typ *types.Interface
}

type implementation struct {
	c *converted
	i *iface
}

func (f *finder) converted(t types.Type) *converted {
	if c, ok := f.concrete.At(t).(*converted); ok {
		return c
	}
	c := &converted{typ: t, methods: f.prog.MethodSets.MethodSet(t)}
	f.concrete.Set(t, c)
	return c
}

func (f *finder) iface(t types.Type) *iface {
	u := t.Underlying()
	if i, ok := f.ifaces.At(u).(*iface); ok {
		return i
	}
	i := &iface{u.(*types.Interface)}
	f.ifaces.Set(u, i)
	return i
}

// method returns c's method m if c implements i, or nil.
func (f *finder) method(c *converted, i *iface, m *types.Func) *ssa.Function {
	sel := c.methods.Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return nil
	}
	key := implementation{c, i}
	yes, known := f.implements[key]
	if !known {
		yes = types.Implements(c.typ, i.typ)
		f.implements[key] = yes
	}
	if !yes {
		return nil
	}
	return f.prog.MethodValue(sel)
}

// siblings returns an external interface with the others of its package: the library asserts that
// an io.Reader is an io.WriterTo.
func (f *finder) siblings(named *types.Named) []*iface {
	list := []*iface{f.iface(named)}
	if named.Obj().Pkg() == nil {
		return list
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if ok && isPlainInterface(t.Type()) {
			list = append(list, f.iface(t.Type()))
		}
	}
	return list
}

func isPlainInterface(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.IsMethodSet() && i.NumMethods() > 0
}

// formattingMethods are those that fmt, errors, log/slog and the encoding packages look for in any
// value.
var formattingMethods = []string{
	"AppendBinary", "AppendText", "As", "Error", "Format", "GoString", "GobDecode", "GobEncode",
	"Is", "LogValue",
	"MarshalBinary", "MarshalJSON", "MarshalText", "MarshalXML", "MarshalXMLAttr", "String",
	"UnmarshalBinary",
	"UnmarshalJSON", "UnmarshalText", "UnmarshalXML", "UnmarshalXMLAttr", "Unwrap",
}

// formatted returns the methods of c and of the values within it that formatting or encoding c may
// call.
func (c *converted) formatted(f *finder) []*ssa.Function {
	if !c.scanned {
		c.scanned = true
		c.called = f.formatters(c.typ, map[types.Type]bool{}, nil)
	}
	return c.called
}

func (f *finder) formatters(t types.Type, seen map[types.Type]bool,
	out []*ssa.Function) []*ssa.Function {
	t = types.Unalias(t)
	if seen[t] {
		return out
	}
	seen[t] = true
	if named, ok := t.(*types.Named); ok {
		if f.isExternal(named.Obj().Pkg()) {
			return out
		}
		out = f.ownFormatters(named, out)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		out = f.formatters(u.Elem(), seen, out)
	case *types.Slice:
		out = f.formatters(u.Elem(), seen, out)
	case *types.Array:
		out = f.formatters(u.Elem(), seen, out)
	case *types.Map:
		out = f.formatters(u.Elem(), seen, f.formatters(u.Key(), seen, out))
	case *types.Struct:
		for field := range u.Fields() {
			if field.Exported() || field.Embedded() {
				out = f.formatters(field.Type(), seen, out)
			}
		}
	}
	return out
}

// ownFormatters adds the formatting methods of named. Its pointer's are among them: values within
// others may be addressable.
func (f *finder) ownFormatters(named *types.Named, out []*ssa.Function) []*ssa.Function {
	if types.IsInterface(named) {
		return out
	}
	for sel := range f.prog.MethodSets.MethodSet(types.NewPointer(named)).Methods() {
		if !slices.Contains(formattingMethods, sel.Obj().Name()) {
			continue
		}
		if fn := f.prog.MethodValue(sel); fn != nil && f.externalFunc(fn) == nil {
			out = append(out, fn)
		}
	}
	return out
}
