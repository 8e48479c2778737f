package receivers

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// maxKinds is how many kinds of messages of a method are listed.
const maxKinds = 12

// framework describes the loop of root, which hands messages over by h.
func (p *program) framework(root *ssa.Function, h *hit) facts.Framework {
	f := facts.Framework{Loop: shortName(root), Pos: p.pos(root.Pos())}
	switch {
	case h.iface != nil:
		f.Interface, f.Package = h.iface.Obj().Name(), h.iface.Obj().Pkg().Path()
		f.Receivers = p.receiving(h)
	default:
		f.Interface = types.TypeString(h.call.Common().Signature(), shortPackage)
		f.Package = root.Pkg.Pkg.Path()
		f.Receivers = p.functionsFor(h)
	}
	f.Calls = []facts.Pos{p.pos(h.call.Pos())}
	if h.in.fn.Pkg != root.Pkg && !p.below(root.Pkg.Pkg, p.users(h, f.Receivers)) {
		f.Receivers = nil // a loop of the program, which calls a library
	}
	return f
}

// users returns the paths of the packages whose types, or functions, h may call.
func (p *program) users(h *hit, receivers []facts.Receiver) (paths []string) {
	for _, r := range receivers {
		paths = append(paths, r.Package)
	}
	if h.iface == nil {
		return paths
	}
	for _, n := range p.own {
		if implements(n, h.iface.Underlying().(*types.Interface)) {
			paths = append(paths, n.Obj().Pkg().Path())
		}
	}
	return paths
}

// below reports whether one of the packages of these paths imports pkg, directly or not.
func (p *program) below(pkg *types.Package, paths []string) bool {
	seen := map[string]bool{}
	var imports func(q *types.Package) bool
	imports = func(q *types.Package) bool {
		if q.Path() == pkg.Path() {
			return true
		}
		if seen[q.Path()] {
			return false
		}
		seen[q.Path()] = true
		return slices.ContainsFunc(q.Imports(), imports)
	}
	for q := range p.packages {
		if slices.Contains(paths, q.Path()) && imports(q) {
			return true
		}
	}
	return false
}

func (p *program) pos(at token.Pos) facts.Pos { return p.survey.Pos(at) }

// merge adds f, if it has receivers, to those of list with the same interface.
func (p *program) merge(list []facts.Framework, f facts.Framework) []facts.Framework {
	if len(f.Receivers) == 0 {
		return list
	}
	for i := range list {
		g := &list[i]
		if g.Package != f.Package || g.Interface != f.Interface {
			continue
		}
		if !slices.Contains(g.Calls, f.Calls[0]) {
			g.Calls = append(g.Calls, f.Calls...)
		}
		for _, r := range f.Receivers {
			g.Receivers = addReceiver(g.Receivers, r)
		}
		return list
	}
	return append(list, f)
}

// addReceiver adds r, or its methods to those of the same type.
func addReceiver(list []facts.Receiver, r facts.Receiver) []facts.Receiver {
	for i := range list {
		if list[i].Pos != r.Pos || list[i].Name != r.Name {
			continue
		}
		for _, m := range r.Methods {
			if !slices.ContainsFunc(list[i].Methods,
				func(have facts.Method) bool { return have.Pos == m.Pos }) {
				list[i].Methods = append(list[i].Methods, m)
			}
		}
		return list
	}
	return append(list, r)
}

// receiving returns the types of the main modules that h may call a method of their own of.
func (p *program) receiving(h *hit) (out []facts.Receiver) {
	iface := h.iface.Underlying().(*types.Interface)
	for _, n := range p.own {
		if !implements(n, iface) {
			continue
		}
		fn := p.method(n, h.method)
		if fn == nil || fn.Signature.Recv() == nil ||
			namedOf(fn.Signature.Recv().Type()) != n.Obj() {
			continue // a method of what it embeds
		}
		name := n.Obj().Name()
		if _, ok := fn.Signature.Recv().Type().(*types.Pointer); ok {
			name = "*" + name
		}
		out = append(out, facts.Receiver{Name: name, Package: n.Obj().Pkg().Path(),
			Pos: p.pos(n.Obj().Pos()), Methods: []facts.Method{p.describe(fn)}})
	}
	return out
}

func namedOf(t types.Type) *types.TypeName {
	if n, ok := kernel.Deref(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// functionsFor returns the functions of the main modules that are given, as values of the type that
// h calls, to the package with h.
func (p *program) functionsFor(h *hit) (out []facts.Receiver) {
	want, to := h.call.Common().Signature(), h.call.Parent().Pkg.Pkg.Path()
	seen := map[*ssa.Function]bool{}
	for _, fn := range p.functions {
		for i := range kernel.All(fn) {
			call, ok := i.(ssa.CallInstruction)
			if !ok || call.Common().IsInvoke() || call.Common().StaticCallee() == nil ||
				pkgOf(call.Common().StaticCallee()) != to {
				continue
			}
			for _, a := range call.Common().Args {
				if f := functionOf(a, want); f != nil && !seen[f] && p.byPos[f.Pos()] != nil {
					seen[f] = true
					out = append(out, p.functionReceiver(p.byPos[f.Pos()]))
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b facts.Receiver) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	return out
}

func pkgOf(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg == nil {
		return ""
	}
	return fn.Pkg.Pkg.Path()
}

// functionOf returns the function that v is a value of, if its type is want.
func functionOf(v ssa.Value, want *types.Signature) *ssa.Function {
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok || !sameSignature(sig, want) {
		return nil
	}
	if x := kernel.Converted(v); x != nil {
		v = x
	}
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	}
	return nil
}

func (p *program) functionReceiver(fn *ssa.Function) facts.Receiver {
	m := p.describe(fn)
	m.Name = "call"
	return facts.Receiver{Name: shortName(fn), Package: fn.Pkg.Pkg.Path(), Pos: m.Pos,
		Methods: []facts.Method{m}}
}

// describe describes a method that takes messages.
func (p *program) describe(fn *ssa.Function) facts.Method {
	return facts.Method{Name: fn.Name(), Pos: p.pos(fn.Pos()), Kinds: kinds(fn)}
}

// kinds returns the types that fn, and the closures in it, tell apart of what it is given.
func kinds(fn *ssa.Function) (out []string) {
	for i := range kernel.All(fn) {
		a, ok := i.(*ssa.TypeAssert)
		if !ok || !a.CommaOk || !given(a.X) {
			continue
		}
		kind := types.TypeString(a.AssertedType, shortPackage)
		if !slices.Contains(out, kind) && len(out) < maxKinds {
			out = append(out, kind)
		}
	}
	return out
}

// given reports whether v is a parameter, or what a method or a field of one has.
func given(v ssa.Value) bool {
	for range maxDepth {
		switch x := v.(type) {
		case *ssa.Parameter:
			return true
		case *ssa.Call:
			switch {
			case x.Call.IsInvoke():
				v = x.Call.Value
			case len(x.Call.Args) > 0:
				v = x.Call.Args[0]
			default:
				return false
			}
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		default:
			if v = kernel.Converted(v); v == nil {
				return false
			}
		}
	}
	return false
}

func shortPackage(p *types.Package) string { return p.Name() }

// shortName names fn as stacks do, without its package.
func shortName(fn *ssa.Function) string {
	s := strings.ReplaceAll(fn.RelString(fn.Pkg.Pkg), "$", ".func")
	return strings.NewReplacer("(*", "", ")", "").Replace(s)
}
