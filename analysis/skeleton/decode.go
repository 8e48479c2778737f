package skeleton

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// others finds the code of functions of other packages.
type others struct {
	fact  func(*types.Func) *Code
	known map[*ssa.Function]*Code
	files []*token.File // of the places of what was loaded
}

func newOthers(fact func(*types.Func) *Code) *others {
	return &others{fact: fact, known: map[*ssa.Function]*Code{}}
}

// code returns what is known of fn, a function without a body; nil: nothing.
func (o *others) code(fn *ssa.Function) *Code {
	if o.fact == nil || fn == nil || len(fn.Blocks) > 0 || fn.Origin() != nil {
		return nil
	}
	c, ok := o.known[fn]
	if !ok {
		if obj, is := fn.Object().(*types.Func); is {
			c = o.fact(obj)
		}
		o.known[fn] = c
	}
	return c
}

// does returns what fn does, as far as that is known.
func (o *others) does(fn *ssa.Function) Does {
	if c := o.code(fn); c != nil {
		return c.Does
	}
	return Does{}
}

// Foreign reports whether pos is in code of another package.
func (p *Program) Foreign(pos token.Pos) bool {
	return slices.ContainsFunc(p.others.files, func(f *token.File) bool {
		return token.Pos(f.Base()) <= pos && int(pos) <= f.Base()+f.Size()
	})
}

// load reads the skeleton of a function of another package. It returns nil if nothing is known, or
// if the code names what this package has not heard of.
func (p *Program) load(fn *ssa.Function) *Func {
	if code := p.others.code(fn); code != nil {
		return p.decode(fn, code, fn.Object().Pkg())
	}
	return nil
}

// decode reads the code of fn, a function of pkg.
func (p *Program) decode(fn *ssa.Function, code *Code, pkg *types.Package) *Func {
	d := &decoder{p: p, in: code, types: make([]types.Type, len(code.Types)), ok: true,
		packages: packagesOf(pkg)}
	d.addPlaces()
	d.funcs = append(d.funcs, fn)
	for i := range code.Funcs[1:] {
		d.funcs = append(d.funcs, d.function(&code.Funcs[1+i]))
	}
	bodies := map[*ssa.Function]*Func{}
	for i := range code.Funcs {
		if c := &code.Funcs[i]; d.ok && !c.Inert && !c.Outside {
			bodies[d.funcs[i]] = d.body(c)
		}
	}
	if !d.ok {
		return nil
	}
	maps.Copy(p.funcs, bodies)
	for _, f := range code.Vague {
		d.vague(pkg, f)
	}
	for i, c := range code.Funcs {
		if c.Inert {
			p.need.known[d.funcs[i]] = true // and not live
		}
		if !c.Outside {
			p.names.known[d.funcs[i]] = c.Full
		}
	}
	return bodies[fn]
}

// vague notes a field of pkg, if the type is known here.
func (d *decoder) vague(pkg *types.Package, f codeField) {
	t := pkg.Scope().Lookup(f.Type)
	if t == nil {
		return
	}
	if s, ok := t.Type().Underlying().(*types.Struct); ok {
		for v := range s.Fields() {
			if v.Name() == f.Name {
				d.p.vague[v] = true
			}
		}
	}
}

// packagesOf returns a package and those that it imports, at any depth, by path.
func packagesOf(pkg *types.Package) map[string]*types.Package {
	all := map[string]*types.Package{}
	var add func(*types.Package)
	add = func(p *types.Package) {
		if all[p.Path()] == nil {
			all[p.Path()] = p
			for _, q := range p.Imports() {
				add(q)
			}
		}
	}
	add(pkg)
	return all
}

// decoder reads one Code.
type decoder struct {
	p        *Program
	in       *Code
	packages map[string]*types.Package
	types    []types.Type
	funcs    []*ssa.Function
	file     *token.File // of its places
	ok       bool        // all has been found
}

// function finds a function, or makes one without a body.
func (d *decoder) function(c *codeFunc) *ssa.Function {
	if !c.Outside {
		sig, ok := d.typeOf(c.Sig).(*types.Signature)
		if !ok {
			d.ok = false
			return nil
		}
		return d.p.SSA.NewFunction(c.Name, sig, "code of another package")
	}
	obj, _ := d.object(c.Path, c.Name, c.Recv).(*types.Func)
	if obj == nil {
		d.ok = false
		return nil
	}
	fn := d.p.SSA.FuncValue(obj)
	d.ok = d.ok && fn != nil
	return fn
}

// object finds an object of a package, or a method of a type; nil: there is none.
func (d *decoder) object(path, name, recv string) types.Object {
	pkg := d.packages[path]
	if pkg == nil {
		return nil
	}
	if recv == "" {
		return pkg.Scope().Lookup(name)
	}
	t := pkg.Scope().Lookup(recv)
	if t == nil {
		return nil
	}
	m, _, _ := types.LookupFieldOrMethod(t.Type(), true, pkg, name)
	return m
}

func (d *decoder) body(c *codeFunc) *Func {
	f := &Func{Name: c.Name, Pos: d.pos(c.Pos), Params: c.Params, Free: c.Free, Regs: len(c.Regs),
		Recover: c.Recover, Foreign: true}
	f.Sig, _ = d.typeOf(c.Sig).(*types.Signature)
	for _, t := range c.Regs {
		f.types = append(f.types, d.typeOf(t))
	}
	for _, k := range c.Consts {
		f.Consts = append(f.Consts, d.constant(k))
	}
	for i := range c.Blocks {
		f.Blocks = append(f.Blocks, d.block(&c.Blocks[i]))
	}
	for _, l := range c.Loops {
		f.loops = append(f.loops, shape{l.Head, l.Outer, l.Counted, l.Bound})
	}
	return f
}

func (d *decoder) constant(c codeConst) Const {
	k := Const{Type: d.typeOf(c.Type), Func: d.funcOf(c.Func)}
	switch c.Kind {
	case token.ILLEGAL:
	case token.IDENT:
		k.Value = constant.MakeBool(c.Value == "true")
	default:
		k.Value = constant.MakeFromLiteral(c.Value, c.Kind, 0)
	}
	if g := c.Global; g != nil {
		k.Global = d.global(g)
	}
	return k
}

// global returns the one Global of a variable.
func (d *decoder) global(c *codeGlobal) *Global {
	g := d.p.globals[c.Full]
	if g == nil {
		name := c.Full[strings.LastIndexByte(c.Full, '/')+1:] // not that of a variable here
		g = &Global{Name: name, Full: c.Full, Type: d.typeOf(c.Type), Pos: d.pos(c.Pos)}
		d.p.globals[c.Full] = g
	}
	return g
}

func (d *decoder) block(c *codeBlock) Block {
	b := Block{Phis: c.Phis, Preds: c.Preds, Succs: c.Succs, Loop: c.Loop, Exit: c.Exit,
		Skips: c.Skips, Spawns: c.Spawns, Idle: c.Idle}
	for i := range c.Instrs {
		b.Instrs = append(b.Instrs, d.instr(&c.Instrs[i]))
	}
	return b
}

func (d *decoder) instr(c *codeInstr) Instr {
	i := Instr{Op: c.Op, Dst: c.Dst, Args: c.Args, Type: d.typeOf(c.Type), Index: c.Index,
		Tok: c.Tok, Comma: c.Comma, Block: c.Block, Fn: d.funcOf(c.Fn), Pos: d.pos(c.Pos),
		Text: c.Text}
	if k := c.Callee; k != nil {
		i.Callee = &Callee{Static: d.funcOf(k.Static), Builtin: k.Builtin}
		i.Callee.Sig, _ = d.typeOf(k.Sig).(*types.Signature)
		if k.Static > 0 {
			i.Callee.Name = d.in.Funcs[k.Static-1].Full
		}
		if k.Method != "" {
			i.Callee.Method = d.method(d.typeOf(k.On), k.Method)
		}
	}
	for _, k := range c.Cases {
		i.Cases = append(i.Cases, Case{k.Send, k.Ch, k.Val, d.pos(k.Pos), d.typeOf(k.Elements)})
	}
	return i
}

// method finds a method of an interface.
func (d *decoder) method(on types.Type, name string) *types.Func {
	if on != nil {
		var pkg *types.Package
		if named, ok := on.(*types.Named); ok {
			pkg = named.Obj().Pkg()
		}
		if m, _, _ := types.LookupFieldOrMethod(on, false, pkg, name); m != nil {
			if fn, ok := m.(*types.Func); ok {
				return fn
			}
		}
	}
	d.ok = false
	return nil
}

func (d *decoder) funcOf(n int) *ssa.Function {
	if n == 0 {
		return nil
	}
	return d.funcs[n-1]
}

// addPlaces makes a file for the places of the code: each is one byte of it, and has the name, the
// line and the column of the source.
func (d *decoder) addPlaces() {
	d.file = d.p.SSA.Fset.AddFile("", -1, len(d.in.Places)+1)
	d.p.others.files = append(d.p.others.files, d.file)
	for i, p := range d.in.Places {
		d.file.AddLineColumnInfo(i, p.File, p.Line, p.Column)
	}
}

func (d *decoder) pos(n int) token.Pos {
	if n == 0 {
		return token.NoPos
	}
	return d.file.Pos(n - 1)
}

// typeOf returns the type of a number; nil for 0.
func (d *decoder) typeOf(n int) types.Type {
	if n == 0 {
		return nil
	}
	if t := d.types[n-1]; t != nil {
		return t
	}
	t := d.build(&d.in.Types[n-1])
	d.types[n-1] = t
	return t
}

func (d *decoder) build(c *codeType) types.Type {
	of := make([]types.Type, len(c.Of))
	for i, n := range c.Of {
		of[i] = d.typeOf(n)
	}
	switch c.Kind {
	case basicType:
		return types.Typ[c.N]
	case namedType:
		return d.named(c, of)
	case pointerType:
		return types.NewPointer(of[0])
	case sliceType:
		return types.NewSlice(of[0])
	case arrayType:
		return types.NewArray(of[0], c.N)
	case mapType:
		return types.NewMap(of[0], of[1])
	case chanType:
		return types.NewChan(types.ChanDir(c.N), of[0])
	case tupleType:
		vars := make([]*types.Var, len(of))
		for i, t := range of {
			vars[i] = types.NewVar(token.NoPos, nil, c.Names[i], t)
		}
		return types.NewTuple(vars...)
	case funcType:
		return d.signature(c, of)
	case structType:
		fields := make([]*types.Var, len(of))
		for i, t := range of {
			fields[i] = types.NewField(token.NoPos, d.packages[c.Path], c.Names[i], t,
				c.Embedded[i])
		}
		return types.NewStruct(fields, nil)
	case anyType:
		return types.NewInterfaceType(nil, nil)
	case errorType:
		return types.Universe.Lookup("error").Type()
	}
	d.ok = false
	return types.Typ[types.Invalid]
}

func (d *decoder) named(c *codeType, args []types.Type) types.Type {
	obj, ok := d.object(c.Path, c.Name, "").(*types.TypeName)
	if !ok {
		d.ok = false
		return types.Typ[types.Invalid]
	}
	if len(args) == 0 {
		return obj.Type()
	}
	t, err := types.Instantiate(nil, obj.Type(), args, false)
	if err != nil {
		d.ok = false
		return types.Typ[types.Invalid]
	}
	return t
}

func (d *decoder) signature(c *codeType, of []types.Type) types.Type {
	params, ok := of[0].(*types.Tuple)
	results, too := of[1].(*types.Tuple)
	// a type that is not found may be that of the variadic parameter, which panics
	if !d.ok || !ok || !too || c.N == 1 && params.Len() == 0 {
		d.ok = false
		return types.Typ[types.Invalid]
	}
	return types.NewSignatureType(nil, nil, nil, params, results, c.N == 1)
}
