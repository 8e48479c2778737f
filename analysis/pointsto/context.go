package pointsto

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// contexts are the functions that are reached, by how they are called.
type contexts struct {
	Config
	casts
	large                  bool // see isLarge
	instances              map[instanceKey]*Instance
	byFunc                 map[*ssa.Function][]*Instance
	known                  map[context]*context
	constructors, spawners map[*ssa.Function]bool // see splits
	reached                []*Instance            // in the order of discovery
	methods                map[methodKey]*ssa.Function
	built                  map[*ssa.Package]bool
}

// methodKey is a method of a type.
type methodKey struct {
	typ  int
	name string
	pkg  *types.Package // if it is not exported
}

// instanceKey identifies an instance.
type instanceKey struct {
	fn  *ssa.Function
	ctx *context
}

func (a *contexts) init(c Config, large bool) {
	a.Config, a.large = c, large
	a.instances, a.byFunc = map[instanceKey]*Instance{}, map[*ssa.Function][]*Instance{}
	a.known, a.methods = map[context]*context{}, map[methodKey]*ssa.Function{}
	a.constructors, a.spawners = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	a.built = map[*ssa.Package]bool{}
}

// instance returns fn in a context, with nodes for parameters, captured variables and results.
func (a *contexts) instance(fn *ssa.Function, ctx *context) *Instance {
	key := instanceKey{fn, ctx}
	if in := a.instances[key]; in != nil {
		return in
	}
	in := &Instance{Func: fn, ctx: ctx, regs: map[ssa.Value]nodeID{}}
	a.instances[key] = in
	a.byFunc[fn] = append(a.byFunc[fn], in)
	for _, p := range fn.Params {
		in.regs[p] = a.newNodes(len(a.types.layout(p.Type()).refs))
	}
	for _, v := range fn.FreeVars {
		in.regs[v] = a.newNodes(len(a.types.layout(v.Type()).refs))
	}
	in.results = a.newNodes(len(a.types.layout(fn.Signature.Results()).refs))
	return in
}

// reach puts in on the list of what is to be generated.
func (a *contexts) reach(in *Instance) {
	if !in.reached {
		in.reached = true
		a.reached = append(a.reached, in)
	}
}

// callee returns the instance of fn, which is not a closure, that a call runs.
func (a *contexts) callee(in *Instance, site ssa.CallInstruction, fn *ssa.Function) *Instance {
	switch {
	case a.Depth == 0:
		return a.instance(fn, nil)
	case isWrapper(in.Func) || selfCall(in.Func, site.Common()):
		return a.instance(fn, in.ctx)
	case kernel.IsGo(site) || memo(a.spawners, fn, a.spawner):
		return a.instance(fn, a.capped(fn, a.push(site, in.ctx)))
	case a.splits(fn):
		return a.instance(fn, a.within(fn, a.push(site, in.ctx)))
	}
	return a.instance(fn, nil)
}

// capped returns ctx, or the empty context if there are too many instances of fn already.
func (a *contexts) capped(fn *ssa.Function, ctx *context) *context {
	if a.instances[instanceKey{fn, ctx}] == nil && len(a.byFunc[fn]) >= a.Cap {
		return nil
	}
	return ctx
}

// within is capped; in a large program, constructors are kept apart only if they return mailboxes.
func (a *contexts) within(fn *ssa.Function, ctx *context) *context {
	if a.large && !a.returnsMailbox(fn) {
		return nil
	}
	return a.capped(fn, ctx)
}

// returnsMailbox reports whether fn returns a channel, or a pointer to what has one.
func (a *contexts) returnsMailbox(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		for _, l := range a.types.layout(kernel.Deref(v.Type())).leaves {
			if _, ok := l.typ.Underlying().(*types.Chan); ok {
				return true
			}
		}
	}
	return false
}

// push puts a call site before a context and cuts it to Depth.
func (a *contexts) push(site ssa.Instruction, caller *context) *context {
	return a.cut(site, caller, a.Depth)
}

func (a *contexts) cut(site ssa.Instruction, caller *context, depth int) *context {
	if caller != nil && depth > 1 {
		caller = a.cut(caller.site, caller.caller, depth-1)
	} else {
		caller = nil
	}
	key := context{site, caller}
	c := a.known[key]
	if c == nil {
		c = &key
		a.known[key] = c
	}
	return c
}

// isWrapper reports whether fn only passes its call on to a method.
func isWrapper(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Synthetic, "wrapper") || strings.HasPrefix(fn.Synthetic, "bound") ||
		strings.HasPrefix(fn.Synthetic, "thunk")
}

// selfCall reports whether a call in fn is one of a method of fn's own receiver.
func selfCall(fn *ssa.Function, c *ssa.CallCommon) bool {
	return fn.Signature.Recv() != nil && len(fn.Params) > 0 && c.Signature().Recv() != nil &&
		len(c.Args) > 0 && c.Args[0] == fn.Params[0]
}

// splits reports whether fn is a constructor or a spawner, which have an instance for each call
// site.
func (a *contexts) splits(fn *ssa.Function) bool {
	return memo(a.constructors, fn, a.constructor) || memo(a.spawners, fn, a.spawner)
}

// memo decides a question about each function once; a recursive call decides nothing.
func memo(known map[*ssa.Function]bool, fn *ssa.Function, decide func(*ssa.Function) bool) bool {
	is, ok := known[fn]
	if !ok {
		known[fn] = false
		is = decide(fn)
		known[fn] = is
	}
	return is
}

// constructor reports whether fn may return what it makes, by itself or by another constructor.
func (a *contexts) constructor(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range r.Results {
			if len(a.types.layout(v.Type()).refs) > 0 && a.fresh(v, map[ssa.Value]bool{}) {
				return true
			}
		}
	}
	return false
}

// fresh reports whether v may be something that its function makes.
func (a *contexts) fresh(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.MakeChan, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeClosure:
		return true
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && a.hasBody(fn) && a.splits(fn)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if a.fresh(e, seen) {
				return true
			}
		}
	case *ssa.UnOp:
		return v.Op == token.MUL && a.freshIn(v.X, seen)
	case *ssa.Extract:
		return a.fresh(v.Tuple, seen)
	case *ssa.MakeInterface:
		return a.fresh(v.X, seen)
	case *ssa.ChangeType:
		return a.fresh(v.X, seen)
	case *ssa.ChangeInterface:
		return a.fresh(v.X, seen)
	case *ssa.Slice:
		return a.fresh(v.X, seen)
	}
	return false
}

// freshIn reports whether something that the function makes may be stored in one of its variables.
func (a *contexts) freshIn(addr ssa.Value, seen map[ssa.Value]bool) bool {
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *alloc.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == addr && a.fresh(st.Val, seen) {
			return true
		}
	}
	return false
}

// spawner reports whether fn starts a goroutine with a parameter: go f(), go x.run(), go func() {
// f() }(). A function that hands a parameter on to another spawner, or to a library function named
// Go, is one, too.
func (a *contexts) spawner(fn *ssa.Function) bool {
	for instr := range kernel.All(fn) {
		site, ok := instr.(ssa.CallInstruction)
		if ok && (kernel.IsGo(site) && givenTo(site.Common(), pointerLike) ||
			givenTo(site.Common(), isFunc) && a.handsOn(site)) {
			return true
		}
	}
	return false
}

// handsOn reports whether a call is one of a spawner, or of a library function named Go.
func (a *contexts) handsOn(site ssa.CallInstruction) bool {
	fn := site.Common().StaticCallee()
	return fn != nil && (a.hasBody(fn) && memo(a.spawners, fn, a.spawner) ||
		!a.hasBody(fn) && fn.Name() == "Go")
}

// givenTo reports whether a call's function, or an argument, is a parameter of some kind of
// type, or captures one.
func givenTo(c *ssa.CallCommon, kind func(types.Type) bool) bool {
	if c.StaticCallee() == nil && isGiven(c.Value, kind) {
		return true
	}
	for _, v := range c.Args {
		if isGiven(v, kind) || captures(v, kind) {
			return true
		}
	}
	return captures(c.Value, kind)
}

// captures reports whether v is a closure that captures a parameter.
func captures(v ssa.Value, kind func(types.Type) bool) bool {
	m, ok := v.(*ssa.MakeClosure)
	return ok && slices.ContainsFunc(m.Bindings, func(b ssa.Value) bool { return isGiven(b, kind) })
}

// isGiven reports whether v is a parameter or the variable that one was moved to.
func isGiven(v ssa.Value, kind func(types.Type) bool) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return kind(v.Type())
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
			st, ok := ref.(*ssa.Store)
			if !ok || st.Addr != v {
				return false
			}
			p, ok := st.Val.(*ssa.Parameter)
			return ok && kind(p.Type())
		})
	}
	return false
}

func isFunc(t types.Type) bool {
	return kernel.Is[*types.Signature](t)
}

// pointerLike reports whether values of type t are not plain numbers, strings or structs.
func pointerLike(t types.Type) bool { return direct(t) || types.IsInterface(t) }

// hasBody reports whether fn can be analysed. The bodies of a source package are built when the
// first of them is needed. The bodies of calls of C say nothing: C writes the results.
func (a *contexts) hasBody(fn *ssa.Function) bool {
	if isCgo(fn) || !a.inSource(fn) {
		return false
	}
	if fn.Blocks == nil && fn.Pkg != nil && a.types.source[fn.Pkg.Pkg] && !a.built[fn.Pkg] {
		a.built[fn.Pkg] = true
		fn.Pkg.Build()
	}
	return fn.Blocks != nil
}

// inSource reports whether fn is declared in a source package, or made for types and values: a
// wrapper.
func (a *contexts) inSource(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg == nil || a.types.source[fn.Pkg.Pkg]
}

// method returns the function that implements m for t, or nil if t has no such method.
func (a *contexts) method(t types.Type, m *types.Func) *ssa.Function {
	key := methodKey{typ: a.types.id(t), name: m.Name()}
	if !m.Exported() {
		key.pkg = m.Pkg()
	}
	fn, ok := a.methods[key]
	if !ok {
		if sel := a.Program.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name()); sel != nil {
			fn = a.Program.MethodValue(sel)
		}
		a.methods[key] = fn
	}
	return fn
}

// isCgo reports whether fn calls C.
func isCgo(fn *ssa.Function) bool {
	name := fn.Name()
	return strings.HasPrefix(name, "_Cfunc_") || strings.HasPrefix(name, "_C2func_") ||
		strings.HasPrefix(name, "_cgo")
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
