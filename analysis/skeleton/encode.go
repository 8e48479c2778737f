package skeleton

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Code returns the fact about a function of the package, or nil: it does nothing that matters, is
// too large, or has something that other packages cannot name.
func (p *Program) Code(fn *ssa.Function) *Code {
	if !nameable(fn) || len(fn.Blocks) == 0 || !p.need.live[fn] {
		return nil
	}
	return p.encode(fn)
}

// encode writes the code of fn; nil: it cannot be told.
func (p *Program) encode(fn *ssa.Function) *Code {
	e := &encoder{p: p, out: &Code{Does: p.does.of(fn)}, fset: fn.Prog.Fset,
		funcs: map[*ssa.Function]int{}, places: map[token.Pos]int{}, asked: map[types.Type]bool{},
		left: maxCode, ok: true}
	locks, unlocks := p.locking(fn)
	e.out.Does.Locks = locks && (!unlocks || takesFunc(fn.Signature))
	e.out.Does.Unlocks = unlocks && !locks
	e.function(fn, fn)
	for i := 0; i < len(e.todo) && e.ok; i++ {
		e.body(e.todo[i])
	}
	if !e.ok {
		return nil
	}
	for _, t := range e.types {
		e.vague(fn.Pkg.Pkg, t)
	}
	return e.out
}

// takesFunc reports whether a function is given another one.
func takesFunc(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// encoder writes one Code.
type encoder struct {
	p      *Program
	out    *Code
	fset   *token.FileSet
	funcs  map[*ssa.Function]int
	types  []types.Type // by number, from 1 on
	places map[token.Pos]int
	asked  map[types.Type]bool // by vague
	todo   []*ssa.Function     // whose skeletons are to be written
	left   int                 // instructions
	ok     bool                // all could be written
}

// function returns the number of fn, as root refers to it.
func (e *encoder) function(fn, root *ssa.Function) int {
	if fn == nil {
		return 0
	}
	if n, ok := e.funcs[fn]; ok {
		return n
	}
	e.out.Funcs = append(e.out.Funcs, codeFunc{})
	n := len(e.out.Funcs)
	e.funcs[fn] = n
	f := codeFunc{Name: fn.Name(), Full: e.p.names.of(fn)}
	switch {
	case fn.Origin() != nil || fn.TypeParams().Len() > 0:
		e.ok = false
	case fn != root && nameable(fn):
		f.Outside = true
		e.name(&f, fn.Object().(*types.Func))
	case len(fn.Blocks) == 0:
		e.ok = false
	default:
		f.Sig = e.typeOf(fn.Signature)
		f.Inert = !e.p.Matters(fn) && !slices.ContainsFunc(fn.Blocks, open)
		if !f.Inert {
			e.todo = append(e.todo, fn)
		}
	}
	e.out.Funcs[n-1] = f
	return n
}

// name notes by which other packages find a function.
func (e *encoder) name(f *codeFunc, obj *types.Func) {
	if obj.Pkg() == nil {
		e.ok = false
		return
	}
	f.Path = obj.Pkg().Path()
	if recv := obj.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		if !ok || named.TypeArgs().Len() > 0 {
			e.ok = false
			return
		}
		f.Recv = named.Obj().Name()
	}
}

// body writes the skeleton of fn.
func (e *encoder) body(fn *ssa.Function) {
	f := e.p.Func(fn)
	out := &codeFunc{Params: f.Params, Free: f.Free, Recover: f.Recover, Pos: e.pos(f.Pos)}
	for _, t := range f.types {
		out.Regs = append(out.Regs, e.typeOf(t))
	}
	for _, k := range f.Consts {
		out.Consts = append(out.Consts, e.constant(k))
	}
	for i := range f.Blocks {
		b := e.block(&f.Blocks[i])
		if b.Idle != -1 && opens(fn.Blocks[i], b.Idle) {
			b.Idle = -1
		}
		out.Blocks = append(out.Blocks, b)
	}
	for _, l := range f.loops {
		out.Loops = append(out.Loops, codeLoop{l.head, l.outer, l.counted, l.bound})
	}
	n := e.funcs[fn] - 1
	head := e.out.Funcs[n]
	out.Name, out.Full, out.Sig = f.Name, head.Full, head.Sig
	e.out.Funcs[n] = *out
}

// open reports whether a block calls a function value or a method of an interface. The slice of the
// package knows what it has of these, but an importer may hand others in.
func open(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
		call, ok := i.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() != nil {
			return false
		}
		_, builtin := call.Common().Value.(*ssa.Builtin)
		return !builtin && (!call.Common().IsInvoke() || !ofContext(call.Common().Method))
	})
}

// ofContext reports whether a method is one of a context, which are known.
func ofContext(m *types.Func) bool { return m.Pkg() != nil && m.Pkg().Path() == "context" }

// opens reports whether a way from the branch at the end of b to block idle (see Block.Idle) has an
// open block.
func opens(b *ssa.BasicBlock, idle int) bool {
	seen := map[*ssa.BasicBlock]bool{b: true}
	var look func(*ssa.BasicBlock) bool
	look = func(b *ssa.BasicBlock) bool {
		if b.Index == idle || seen[b] {
			return false
		}
		seen[b] = true
		return open(b) || slices.ContainsFunc(b.Succs, look)
	}
	return slices.ContainsFunc(b.Succs, look)
}

func (e *encoder) constant(k Const) codeConst {
	out := codeConst{Type: e.typeOf(k.Type), Func: e.function(k.Func, nil)}
	if g := k.Global; g != nil {
		out.Global = &codeGlobal{g.Full, e.typeOf(g.Type), e.pos(g.Pos)}
	}
	if k.Value == nil {
		return out
	}
	switch k.Value.Kind() {
	case constant.Bool:
		out.Kind = token.IDENT
	case constant.String:
		out.Kind = token.STRING
	case constant.Int:
		out.Kind = token.INT
	default:
		e.ok = false
	}
	out.Value = k.Value.ExactString()
	return out
}

func (e *encoder) block(b *Block) codeBlock {
	out := codeBlock{Phis: b.Phis, Preds: b.Preds, Succs: b.Succs, Loop: b.Loop, Exit: b.Exit,
		Skips: b.Skips, Spawns: b.Spawns, Idle: b.Idle}
	if e.left -= len(b.Instrs); e.left < 0 {
		e.ok = false
		return out
	}
	for i := range b.Instrs {
		out.Instrs = append(out.Instrs, e.instr(&b.Instrs[i]))
	}
	return out
}

func (e *encoder) instr(i *Instr) codeInstr {
	out := codeInstr{Op: i.Op, Dst: i.Dst, Args: i.Args, Type: e.typeOf(i.Type), Index: i.Index,
		Tok: i.Tok, Comma: i.Comma, Block: i.Block, Fn: e.function(i.Fn, nil), Pos: e.pos(i.Pos),
		Text: i.Text}
	if c := i.Callee; c != nil {
		out.Callee = &codeCallee{Static: e.function(c.Static, nil), Builtin: c.Builtin,
			Sig: e.typeOf(c.Sig)}
		if m := c.Method; m != nil {
			out.Callee.Method, out.Callee.On = m.Name(), e.typeOf(m.Signature().Recv().Type())
		}
	}
	for _, k := range i.Cases {
		out.Cases = append(out.Cases,
			codeCase{k.Send, k.Ch, k.Val, e.pos(k.Pos), e.typeOf(k.Elements)})
	}
	return out
}

// pos returns the number of a position; 0 for none.
func (e *encoder) pos(pos token.Pos) int {
	if !pos.IsValid() {
		return 0
	}
	n, ok := e.places[pos]
	if !ok {
		at := e.fset.Position(pos)
		e.out.Places = append(e.out.Places, codePlace{at.Filename, at.Line, at.Column})
		n = len(e.out.Places)
		e.places[pos] = n
	}
	return n
}

// typeOf returns the number of a type; 0 for nil.
func (e *encoder) typeOf(t types.Type) int {
	if s, ok := t.(*types.Signature); t == nil || ok && s == nil {
		return 0
	}
	if i := slices.IndexFunc(e.types, func(u types.Type) bool { return u == t }); i >= 0 {
		return i + 1
	}
	e.types = append(e.types, t)
	n := len(e.types)
	e.out.Types = append(e.out.Types, codeType{})
	c := e.describe(types.Unalias(t))
	e.out.Types[n-1] = c
	return n
}

// describe writes a type, and those that it is made of.
func (e *encoder) describe(t types.Type) codeType {
	switch t := t.(type) {
	case *types.Basic:
		return codeType{Kind: basicType, N: int64(t.Kind())}
	case *types.Named:
		return e.named(t)
	case *types.Pointer:
		return codeType{Kind: pointerType, Of: e.all(t.Elem())}
	case *types.Slice:
		return codeType{Kind: sliceType, Of: e.all(t.Elem())}
	case *types.Array:
		return codeType{Kind: arrayType, N: t.Len(), Of: e.all(t.Elem())}
	case *types.Map:
		return codeType{Kind: mapType, Of: e.all(t.Key(), t.Elem())}
	case *types.Chan:
		return codeType{Kind: chanType, N: int64(t.Dir()), Of: e.all(t.Elem())}
	case *types.Tuple:
		c := codeType{Kind: tupleType}
		for v := range t.Variables() {
			c.Of, c.Names = append(c.Of, e.typeOf(v.Type())), append(c.Names, v.Name())
		}
		return c
	case *types.Signature:
		c := codeType{Kind: funcType, Of: e.all(t.Params(), t.Results())}
		if t.Variadic() {
			c.N = 1
		}
		if t.TypeParams().Len() > 0 {
			e.ok = false
		}
		return c
	case *types.Struct:
		return e.structure(t)
	case *types.Interface:
		if t.Empty() {
			return codeType{Kind: anyType}
		}
		e.ok = false
	case *types.TypeParam:
		e.ok = false
	}
	return codeType{Kind: basicType, N: int64(types.Invalid)} // as of an iterator
}

func (e *encoder) all(list ...types.Type) (out []int) {
	for _, t := range list {
		out = append(out, e.typeOf(t))
	}
	return out
}

func (e *encoder) named(t *types.Named) codeType {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return codeType{Kind: errorType}
	}
	c := codeType{Kind: namedType, Path: obj.Pkg().Path(), Name: obj.Name()}
	if obj.Parent() != obj.Pkg().Scope() { // it is declared in a function
		e.ok = false
	}
	for a := range t.TypeArgs().Types() {
		c.Of = append(c.Of, e.typeOf(a))
	}
	return c
}

func (e *encoder) structure(t *types.Struct) codeType {
	c := codeType{Kind: structType}
	for f := range t.Fields() {
		c.Of, c.Names = append(c.Of, e.typeOf(f.Type())), append(c.Names, f.Name())
		c.Embedded = append(c.Embedded, f.Embedded())
		if f.Pkg() != nil {
			c.Path = f.Pkg().Path()
		}
	}
	return c
}

// vague lists the fields of types of pkg that a value of type t leads to and that the package does
// not need: the code leaves out what is written to them.
func (e *encoder) vague(pkg *types.Package, t types.Type) {
	t = types.Unalias(t)
	if e.asked[t] {
		return
	}
	e.asked[t] = true
	switch u := t.(type) {
	case *types.Pointer:
		e.vague(pkg, u.Elem())
	case *types.Slice:
		e.vague(pkg, u.Elem())
	case *types.Array:
		e.vague(pkg, u.Elem())
	case *types.Map:
		e.vague(pkg, u.Elem())
	case *types.Named:
		s, ok := u.Underlying().(*types.Struct)
		if !ok || u.Obj().Pkg() != pkg || u.Obj().Parent() != pkg.Scope() {
			return
		}
		for f := range s.Fields() {
			if !e.p.need.cells[f.Origin()] && !e.p.need.carries(f.Type()) {
				e.out.Vague = append(e.out.Vague, codeField{u.Obj().Name(), f.Name()})
			}
			e.vague(pkg, f.Type())
		}
	}
}
