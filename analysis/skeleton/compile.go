package skeleton

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Program has the skeletons of a program's functions, made as they are asked for.
type Program struct {
	SSA     *ssa.Program
	local   []*ssa.Function // of the package
	funcs   map[*ssa.Function]*Func
	globals map[string]*Global // by full name
	vague   map[*types.Var]bool
	need    *need
	names   *names
	does    *summaries
	others  *others
}

// NewProgram returns a program of the functions of one package. Branches that nobody needs are
// idle; if funcs is empty, all branches are needed. Code says what is known of functions of other
// packages: nil for most.
func NewProgram(prog *ssa.Program, funcs []*ssa.Function,
	code func(*types.Func) *Code) *Program {
	o := newOthers(code)
	n := &names{known: map[*ssa.Function]string{}}
	need := slice(n, funcs, o)
	return &Program{SSA: prog, local: funcs, funcs: map[*ssa.Function]*Func{},
		globals: map[string]*Global{}, vague: map[*types.Var]bool{}, names: n, need: need,
		does: newSummaries(need), others: o}
}

// Functions lists the functions of the package.
func (p *Program) Functions() []*ssa.Function { return p.local }

// Func returns the skeleton of fn, or nil if its code is not known.
func (p *Program) Func(fn *ssa.Function) *Func {
	if fn == nil {
		return nil
	}
	f, ok := p.funcs[fn]
	if !ok {
		if len(fn.Blocks) > 0 {
			f = p.compile(fn)
		} else {
			f = p.load(fn)
		}
		p.funcs[fn] = f
	}
	return f
}

// Vague reports whether a field of a type of another package may have a value that its code does
// not tell.
func (p *Program) Vague(field types.Object) bool {
	v, ok := field.(*types.Var)
	return ok && p.vague[v.Origin()]
}

// FullName names a function with its package, the generic one for an instance.
func (p *Program) FullName(fn *ssa.Function) string { return p.names.of(fn) }

// names remembers the full names of functions.
type names struct{ known map[*ssa.Function]string }

func (n *names) of(fn *ssa.Function) string {
	name, ok := n.known[fn]
	if !ok {
		name = kernel.Origin(fn).RelString(nil)
		n.known[fn] = name
	}
	return name
}

// Method returns the method of a value of type t that an interface's method m stands for.
func (p *Program) Method(t types.Type, m *types.Func) *ssa.Function {
	if types.IsInterface(t) {
		return nil
	}
	sel := p.SSA.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return nil
	}
	return p.SSA.MethodValue(sel)
}

// Named returns the exported method of a name of values of type t, or nil.
func (p *Program) Named(t types.Type, name string) *ssa.Function {
	if sel := p.SSA.MethodSets.MethodSet(t).Lookup(nil, name); sel != nil {
		return p.SSA.MethodValue(sel)
	}
	return nil
}

// Acts reports whether a value of type t has a method of this package that matters.
func (p *Program) Acts(t types.Type) bool {
	set := p.SSA.MethodSets.MethodSet(t)
	for i := range set.Len() {
		fn, ok := set.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		if body := p.SSA.FuncValue(fn); body != nil &&
			(p.need.live[body] || p.others.code(body) != nil) {
			return true
		}
	}
	return false
}

// Matters reports whether fn does anything that matters: see need.
func (p *Program) Matters(fn *ssa.Function) bool { return p.need.matters(fn) }

// compiler makes one skeleton.
type compiler struct {
	p    *Program
	fn   *ssa.Function
	f    *Func
	regs map[ssa.Value]int
	loop *loops
}

func (p *Program) compile(fn *ssa.Function) *Func {
	c := &compiler{p: p, fn: fn, regs: map[ssa.Value]int{}, loop: loopsOf(fn), f: &Func{
		Name: discipline.Name(fn), Pos: fn.Pos(), Sig: fn.Signature, Params: len(fn.Params),
		Free: len(fn.FreeVars), Recover: -1,
	}}
	c.number()
	c.f.loops = c.loop.shapes()
	for _, b := range fn.Blocks {
		c.f.Blocks = append(c.f.Blocks, c.block(b))
	}
	if fn.Recover != nil {
		c.f.Recover = fn.Recover.Index
	}
	return c.f
}

// number gives each value of the function a register.
func (c *compiler) number() {
	add := func(v ssa.Value) {
		c.regs[v] = c.f.Regs
		c.f.types = append(c.f.types, v.Type())
		c.f.Regs++
	}
	for _, v := range c.fn.Params {
		add(v)
	}
	for _, v := range c.fn.FreeVars {
		add(v)
	}
	for i := range kernel.All(c.fn) {
		if v, ok := i.(ssa.Value); ok {
			add(v)
		}
	}
}

func (c *compiler) arg(v ssa.Value) Arg {
	if v == nil {
		return NoArg
	}
	if r, ok := c.regs[v]; ok {
		return Arg(r)
	}
	k := Const{Type: v.Type()}
	switch v := v.(type) {
	case *ssa.Const:
		k.Value = v.Value
	case *ssa.Function:
		k.Func = v
	case *ssa.Global:
		k.Global = c.p.global(v)
	}
	c.f.Consts = append(c.f.Consts, k)
	return Arg(^(len(c.f.Consts) - 1))
}

// global returns the one Global of a variable.
func (p *Program) global(v *ssa.Global) *Global {
	full := v.RelString(nil)
	g := p.globals[full]
	if g == nil {
		g = &Global{v.Name(), full, kernel.Deref(v.Type()), v.Pos(), v.Object()}
		p.globals[full] = g
	}
	return g
}

func (c *compiler) args(vs ...ssa.Value) (list []Arg) {
	for _, v := range vs {
		list = append(list, c.arg(v))
	}
	return list
}

func (c *compiler) block(b *ssa.BasicBlock) Block {
	out := Block{Loop: -1, Exit: -1, Skips: -1, Idle: -1}
	if l := c.loop.around(b); l != nil {
		out.Loop, out.Exit, out.Spawns = l.head.Index, l.exit(b), c.p.spawnsIn(l)
	}
	for _, q := range b.Preds {
		out.Preds = append(out.Preds, q.Index)
	}
	for _, s := range b.Succs {
		out.Succs = append(out.Succs, s.Index)
	}
	if len(b.Succs) == 2 && b.Succs[0].Comment == "rangeint.body" {
		out.Skips = 1
	}
	out.Idle = c.p.need.idle(b)
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.Phi:
			out.Phis = append(out.Phis, Phi{c.regs[i], c.args(i.Edges...)})
		case *ssa.DebugRef:
		default:
			out.Instrs = append(out.Instrs, c.instr(i))
		}
	}
	return out
}

// spawnsIn reports whether loop l starts goroutines.
func (p *Program) spawnsIn(l *loop) bool {
	for b := range l.body {
		for _, i := range b.Instrs {
			if kernel.IsGo(i) {
				return true
			}
			call, ok := i.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil {
				continue
			}
			callee := call.Common().StaticCallee()
			if p.does.of(callee).Spawns || spawning[p.names.of(callee)] {
				return true
			}
		}
	}
	return false
}

func (c *compiler) instr(i ssa.Instruction) Instr {
	out := Instr{Dst: -1, Pos: kernel.PosOf(i)}
	if v, ok := i.(ssa.Value); ok {
		out.Dst, out.Type = c.regs[v], v.Type()
	}
	switch i := i.(type) {
	case ssa.CallInstruction:
		c.call(&out, i)
	case *ssa.Select:
		c.choice(&out, i)
	default:
		if !c.memory(&out, i) && !c.control(&out, i) && !c.compute(&out, i) {
			out.Op, out.Text = Unknown, "what is computed here"
		}
	}
	return out
}

// memory compiles what makes, reads and writes variables.
func (c *compiler) memory(out *Instr, i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Alloc:
		out.Op, out.Type, out.Text = New, kernel.Deref(i.Type()), i.Comment
	case *ssa.MakeChan:
		out.Op, out.Args = MakeChan, c.args(i.Size)
	case *ssa.MakeMap:
		out.Op = MakeMap
	case *ssa.MakeSlice:
		out.Op, out.Args = MakeSlice, c.args(i.Len)
	case *ssa.MakeClosure:
		out.Op, out.Fn, out.Args = MakeClosure, i.Fn.(*ssa.Function), c.args(i.Bindings...)
	case *ssa.Store:
		out.Op, out.Args = Store, c.args(i.Addr, i.Val)
	case *ssa.FieldAddr:
		out.Op, out.Args, out.Index = FieldAddr, c.args(i.X), i.Field
		out.Type = kernel.Deref(i.X.Type())
	case *ssa.Field:
		out.Op, out.Args, out.Index = Field, c.args(i.X), i.Field
	case *ssa.IndexAddr:
		out.Op, out.Args = IndexAddr, c.args(i.X, i.Index)
		out.Type = kernel.Deref(i.Type())
	case *ssa.Index:
		out.Op, out.Args = Element, c.args(i.X, i.Index)
	case *ssa.Lookup:
		out.Op, out.Args, out.Comma = Lookup, c.args(i.X, i.Index), i.CommaOk
	case *ssa.MapUpdate:
		out.Op, out.Args = MapUpdate, c.args(i.Map, i.Key, i.Value)
	case *ssa.Slice:
		out.Op, out.Args, out.Comma = Slice, c.args(i.X, i.Low, i.High), i.Max != nil
	case *ssa.Range:
		out.Op, out.Args = Range, c.args(i.X)
	case *ssa.Next:
		out.Op, out.Args = Next, c.args(i.Iter)
	default:
		return false
	}
	return true
}

// control compiles what decides where to go on, and communications.
func (c *compiler) control(out *Instr, i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.RunDefers:
		out.Op = RunDefers
	case *ssa.Return:
		out.Op, out.Args = Return, c.args(i.Results...)
	case *ssa.Jump:
		out.Op = Jump
	case *ssa.If:
		out.Op, out.Args = If, c.args(i.Cond)
	case *ssa.Panic:
		out.Op, out.Args = Panic, c.args(i.X)
	case *ssa.Send:
		out.Op, out.Args = Send, c.args(i.Chan, i.X)
	default:
		return false
	}
	return true
}

// compute compiles what has a value.
func (c *compiler) compute(out *Instr, i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		c.unary(out, i)
	case *ssa.BinOp:
		out.Op, out.Args, out.Tok = Binary, c.args(i.X, i.Y), i.Op
	case *ssa.ChangeType:
		out.Op, out.Args = Convert, c.args(i.X)
	case *ssa.ChangeInterface:
		out.Op, out.Args = Convert, c.args(i.X)
	case *ssa.Convert:
		out.Op, out.Args, out.Block = Convert, c.args(i.X), launders(i)
	case *ssa.MakeInterface:
		out.Op, out.Args, out.Type = MakeIface, c.args(i.X), i.X.Type()
	case *ssa.TypeAssert:
		out.Op, out.Args, out.Type, out.Comma = Assert, c.args(i.X), i.AssertedType, i.CommaOk
	case *ssa.Extract:
		out.Op, out.Args, out.Index = Extract, c.args(i.Tuple), i.Index
	default:
		return false
	}
	return true
}

func (c *compiler) unary(out *Instr, i *ssa.UnOp) {
	out.Args, out.Comma, out.Tok = c.args(i.X), i.CommaOk, i.Op
	switch i.Op {
	case token.MUL:
		out.Op = Load
	case token.ARROW:
		out.Op, out.Type = Recv, kernel.Elem(i.X)
	default:
		out.Op = Unary
	}
}

func (c *compiler) choice(out *Instr, s *ssa.Select) {
	out.Op, out.Block = Select, s.Blocking
	for _, st := range s.States {
		k := Case{Send: st.Dir == types.SendOnly, Ch: c.arg(st.Chan), Val: NoArg, Pos: st.Pos,
			Elements: kernel.Elem(st.Chan)}
		if k.Send {
			k.Val = c.arg(st.Send)
		}
		out.Cases = append(out.Cases, k)
	}
}

// call compiles a call, a go statement or a defer.
func (c *compiler) call(out *Instr, i ssa.CallInstruction) {
	out.Op = Call
	switch i.(type) {
	case *ssa.Go:
		out.Op = Go
	case *ssa.Defer:
		out.Op = Defer
	}
	common := i.Common()
	callee := &Callee{Sig: common.Signature()}
	out.Callee = callee
	switch v := common.Value.(type) {
	case *ssa.Function:
		callee.Static, callee.Name = v, c.p.names.of(v)
		out.Args = c.args(common.Args...)
		return
	case *ssa.Builtin:
		callee.Builtin = v.Name()
		out.Args = c.args(common.Args...)
		return
	}
	if common.IsInvoke() {
		callee.Method = common.Method
	}
	out.Args = c.args(append([]ssa.Value{common.Value}, common.Args...)...)
}

// Name names a function as people do.
func Name(fn *ssa.Function) string { return discipline.Name(fn) }
