package effects

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/identity"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// External code may call functions and methods of the values that it is given, now or earlier. A
// value of the library may keep what it was made of: a bufio.Writer has a writer.

// filter says which methods external code calls.
type filter struct {
	name string // tells filters apart
	has  func(*types.Func) bool
	deep bool // it looks for them in values of the program, too: fields, elements
}

// describing are methods that only say what a value is.
var describing = words("Error String GoString Unwrap Is Timeout Temporary")

// The methods that packages look for. A function that is not listed here may call all exported
// methods of the values that it is given in interfaces.
var (
	formats = filter{"what formatting asks for",
		among("Error String GoString Format Unwrap Is As Timeout Temporary LogValue"), true}
	writing = filter{"what formatting and writing ask for",
		among("Error String GoString Format LogValue Write WriteString"), true}
	scans   = filter{"what scanning asks for", among("Scan Read ReadRune UnreadRune"), true}
	handles = filter{"what log/slog asks for",
		among(
			"Error String GoString Format LogValue Write Enabled Handle WithAttrs WithGroup Level"),
		true}
	encodes = filter{"what encoders ask for", among(`MarshalJSON UnmarshalJSON MarshalText UnmarshalText AppendText MarshalBinary
		UnmarshalBinary AppendBinary GobEncode GobDecode MarshalXML UnmarshalXML MarshalXMLAttr UnmarshalXMLAttr IsZero Error String
		Read ReadByte Write Token`), true}
	wrapped  = filter{"what errors asks for", among("Error Unwrap Is As"), false}
	contexts = filter{"what context asks for", among("Done Err Value Deadline AfterFunc"), false}
	locks    = filter{"what sync asks for", among("Lock Unlock"), false}
	nothing  = filter{"nothing", among(""), false}
	exported = filter{"everything", (*types.Func).Exported, false}
)

func among(list string) func(*types.Func) bool {
	in := words(list)
	return func(m *types.Func) bool { return in[m.Name()] }
}

// asking returns which methods a function calls of what it gets, or has got.
func asking(f *types.Func) filter {
	switch f.Pkg().Path() {
	case "fmt":
		switch {
		case strings.Contains(strings.ToLower(f.Name()), "scan"):
			return scans
		case strings.HasPrefix(f.Name(), "F"):
			return writing
		}
		return formats
	case "log":
		return writing
	case "log/slog":
		return handles
	case "testing":
		return formats
	case "errors":
		return wrapped
	case "encoding/json", "encoding/gob", "encoding/xml", "encoding/binary":
		return encodes
	case "context":
		return contexts
	case "sync":
		return locks
	case "time", "reflect", "runtime":
		return nothing
	}
	return exported
}

// installed returns the functions that a function without a receiver calls because the package was
// given them before, as by log.SetOutput and slog.SetDefault.
func (a *summaries) installed(site ssa.CallInstruction, f *types.Func) []invocation {
	path, name := "io", "Writer"
	switch {
	case f.Signature().Recv() != nil:
		return nil
	case f.Pkg().Path() == "log/slog":
		path, name = "log/slog", "Handler"
	case f.Pkg().Path() != "log":
		return nil
	}
	pkg := a.prog.ImportedPackage(path)
	if pkg == nil {
		return nil
	}
	return a.anyMethods(site, pkg.Pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface),
		asking(f))
}

// handed returns the functions that external code may call by its arguments: function values, and
// methods of values in interfaces.
func (a *summaries) handed(site ssa.CallInstruction, f filter) ([]invocation, []Effect) {
	var out []invocation
	var effects []Effect
	for _, arg := range site.Common().Args {
		for _, v := range elementsOf(arg) {
			calls, more := a.handedValue(site, v, f)
			out, effects = append(out, calls...), append(effects, more...)
		}
	}
	if c := site.Common(); c.IsInvoke() {
		out = append(out, a.kept(site, c.Value.Type(), f)...)
	}
	return out, effects
}

// elementsOf returns the values in the slice that go/ssa makes of variadic arguments, or v itself.
func elementsOf(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return []ssa.Value{v}
	}
	at, ok := s.X.(*ssa.Alloc)
	if !ok || at.Comment != "varargs" {
		return []ssa.Value{v}
	}
	var out []ssa.Value
	for _, ref := range *at.Referrers() {
		if i, ok := ref.(*ssa.IndexAddr); ok {
			for _, use := range *i.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == i {
					out = append(out, st.Val)
				}
			}
		}
	}
	return out
}

func (a *summaries) handedValue(site ssa.CallInstruction, v ssa.Value,
	f filter) ([]invocation, []Effect) {
	switch x := v.(type) {
	case *ssa.ChangeType:
		return a.handedValue(site, x.X, f)
	case *ssa.Function:
		return a.callback(site, x, false), nil
	case *ssa.MakeClosure:
		return a.callback(site, x.Fn.(*ssa.Function), true), nil
	case *ssa.MakeInterface:
		if _, ok := x.X.Type().Underlying().(*types.Signature); ok {
			return a.handedValue(site, x.X, f)
		}
		return append(a.methodsOf(site, x.X.Type(), f), a.kept(site, x.X.Type(), f)...), nil
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Signature:
		return a.anyOf(site, t)
	case *types.Interface:
		return a.anyMethods(site, t, f), nil
	}
	if isFromTesting(v.Type()) {
		return nil, nil // it has all that a test was made of
	}
	return a.kept(site, v.Type(), f), nil
}

func isFromTesting(t types.Type) bool {
	n, ok := types.Unalias(kernel.Deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// anyOf returns the functions of a signature whose value is taken.
func (a *summaries) anyOf(site ssa.CallInstruction, sig *types.Signature) ([]invocation, []Effect) {
	fns := a.types.valuesOf(sig)
	c := a.several(site, "func "+identity.Of(sig), func(s *summary) { a.callAll(s, site, fns) })
	if len(fns) == 0 || a.types.foreign.At(sig) != nil || kernel.IsParametric(sig) {
		return c, []Effect{{Kind: Unknown, State: -1,
			What: "function value that " + a.callName(site.Common()) + " may call", Pos: pos(site)}}
	}
	return c, nil
}

// several returns a call of something that calls all of some functions, which is made once for each
// name.
func (a *summaries) several(site ssa.CallInstruction, name string,
	fill func(*summary)) []invocation {
	s := a.groups[name]
	if s == nil {
		s = a.newSummary(nil, whole)
		a.groups[name] = s
		fill(s)
	}
	_, spawned := site.(*ssa.Go)
	return []invocation{{to: s, site: site, spawned: spawned}}
}

func (a *summaries) callAll(s *summary, site ssa.CallInstruction, fns []*ssa.Function) {
	for _, fn := range fns {
		if len(fn.Blocks) > 0 {
			s.call(invocation{to: a.summary(fn, whole), site: site})
		}
	}
}

// methodsOf returns the methods of a type that external code may call.
func (a *summaries) methodsOf(site ssa.CallInstruction, t types.Type, f filter) []invocation {
	var out []invocation
	for _, fn := range a.selected(t, f) {
		c := a.invocation(site, fn)
		c.args = false
		out = append(out, c)
	}
	return out
}

// selected are the methods of a type with a body that a filter has.
func (a *summaries) selected(t types.Type, f filter) []*ssa.Function {
	var out []*ssa.Function
	for sel := range a.prog.MethodSets.MethodSet(t).Methods() {
		if m, ok := sel.Obj().(*types.Func); ok && f.has(m) {
			fn := a.prog.MethodValue(sel)
			if fn == nil { // of a generic type, in generic code
				fn = a.prog.FuncValue(m.Origin())
			}
			if fn != nil && len(fn.Blocks) > 0 {
				out = append(out, fn)
			}
		}
	}
	return out
}

// anyMethods returns the methods that external code may call of a value in an interface of type
// iface. One with a type parameter is another one in each instance.
func (a *summaries) anyMethods(site ssa.CallInstruction, iface *types.Interface,
	f filter) []invocation {
	if kernel.IsParametric(iface) {
		iface = types.NewInterfaceType(nil, nil)
	}
	return a.several(site, f.name+" of "+identity.Of(iface), func(s *summary) {
		for _, t := range a.types.converted {
			if types.Implements(t, iface) {
				a.callAll(s, site, a.selected(t, f))
				if f.deep {
					s.callGroups(a.kept(site, t, f))
				}
			}
		}
	})
}

// kept returns the functions that external code may call because a value of type t keeps them:
// functions, and methods of values in interfaces, within library objects; for a deep filter also
// methods of everything within values of the program.
func (a *summaries) kept(site ssa.CallInstruction, t types.Type, f filter) []invocation {
	return a.several(site, f.name+" in "+strconv.Itoa(a.typeID(t)), func(s *summary) {
		w := keeping{summaries: a, filter: f, site: site, to: s, seen: map[int]bool{}}
		w.walk(t)
	})
}

// callGroups adds calls of what several has returned.
func (s *summary) callGroups(groups []invocation) {
	for _, g := range groups {
		g.spawned = false
		s.call(g)
	}
}

// keeping makes a summary call what may be called of what is in values of a type.
type keeping struct {
	*summaries
	filter
	site ssa.CallInstruction
	to   *summary
	seen map[int]bool // by typeID
}

func (w *keeping) walk(t types.Type) {
	id := w.typeID(t)
	if w.seen[id] {
		return
	}
	w.seen[id] = true
	if w.deep {
		w.callAll(w.to, w.site, w.selected(t, w.filter))
	}
	if n, ok := types.Unalias(t).(*types.Named); ok &&
		(!w.deep && w.types.has(n) || isFromTesting(t)) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		w.walk(u.Elem())
	case *types.Slice:
		w.walk(u.Elem())
	case *types.Array:
		w.walk(u.Elem())
	case *types.Chan:
		w.walk(u.Elem())
	case *types.Map:
		w.walk(u.Key())
		w.walk(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			w.walk(f.Type())
		}
	case *types.Signature:
		if !w.deep {
			w.callAll(w.to, w.site, w.types.valuesOf(u))
		}
	case *types.Interface:
		w.to.callGroups(w.anyMethods(w.site, u, w.filter))
	}
}
