package actors

import (
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

func newIndex(pos func(token.Pos) facts.Pos) *index {
	return &index{
		pos:      pos,
		byPos:    map[token.Pos]*ssa.Function{},
		syntax:   map[token.Pos]function{},
		impls:    map[*types.Func][]*ssa.Function{},
		callers:  map[*ssa.Function][]ssa.CallInstruction{},
		closures: map[*ssa.Function]*ssa.MakeClosure{},
		bound:    map[*ssa.Function][]*ssa.MakeClosure{},
		cycles:   map[*ssa.Function]map[*ssa.BasicBlock]int{},
	}
}

// each calls f for every instruction.
func (p *index) each(f func(ssa.Instruction)) {
	for _, fn := range p.funcs {
		for i := range kernel.All(fn) {
			f(i)
		}
	}
}

// addFunctions finds the functions, methods and function literals of pkg.
func (p *index) addFunctions(pkg *ssa.Package) {
	scope := pkg.Pkg.Scope()
	if init := pkg.Func("init"); init != nil { // holds the literals in initial values of variables
		p.addFunction(init)
	}
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			p.addFunction(pkg.Prog.FuncValue(obj))
		case *types.TypeName:
			p.addMethods(pkg, obj)
		}
	}
	for i := 1; ; i++ {
		init := pkg.Func("init#" + strconv.Itoa(i))
		if init == nil {
			return
		}
		p.addFunction(init)
	}
}

func (p *index) addMethods(pkg *ssa.Package, obj *types.TypeName) {
	named, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() {
		return
	}
	p.named = append(p.named, named)
	for m := range named.Methods() {
		p.addFunction(pkg.Prog.FuncValue(m))
	}
}

func (p *index) addFunction(fn *ssa.Function) {
	if fn == nil || fn.Blocks == nil {
		return
	}
	if fn.Pos().IsValid() {
		p.byPos[fn.Pos()] = fn
	}
	p.funcs = append(p.funcs, fn)
	for _, f := range fn.AnonFuncs {
		p.addFunction(f)
	}
}

// canon returns the function of the units that fn stands for, or nil.
func (p *index) canon(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	return p.byPos[fn.Pos()]
}

func (p *index) indexClosure(instr ssa.Instruction) {
	c, ok := instr.(*ssa.MakeClosure)
	if !ok {
		return
	}
	fn := c.Fn.(*ssa.Function)
	if target := p.canon(fn); target != nil && target != fn && fn.Parent() == nil {
		p.bound[target] = append(p.bound[target], c)
	} else {
		p.closures[fn] = c
	}
}

func (p *index) indexCall(instr ssa.Instruction) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return
	}
	for _, fn := range p.direct(call.Common()) {
		p.callers[fn] = append(p.callers[fn], call)
	}
}

// direct returns the callees that are known without following values.
func (p *index) direct(c *ssa.CallCommon) []*ssa.Function {
	if c.IsInvoke() {
		return p.implementations(c)
	}
	if fn := p.canon(c.StaticCallee()); fn != nil {
		return []*ssa.Function{fn}
	}
	return nil
}

// maxImplementations bounds how many methods an interface call is taken to reach. An interface with
// more methods is an extension point: the method that runs says nothing about the program's
// structure.
const maxImplementations = 4

func (p *index) implementations(c *ssa.CallCommon) []*ssa.Function {
	if fns, ok := p.impls[c.Method]; ok {
		return fns
	}
	var fns []*ssa.Function
	iface, _ := c.Value.Type().Underlying().(*types.Interface)
	for _, n := range p.named {
		if iface != nil && types.Implements(types.NewPointer(ofItself(n)), iface) {
			if fn := p.method(n, c.Method); fn != nil {
				fns = append(fns, fn)
			}
		}
	}
	if len(fns) > maxImplementations {
		fns = nil
	}
	p.impls[c.Method] = fns
	return fns
}

// ofItself returns n, a generic type as the instance of its own type parameters.
func ofItself(n *types.Named) types.Type {
	if n.TypeParams().Len() == 0 {
		return n
	}
	var args []types.Type
	for t := range n.TypeParams().TypeParams() {
		args = append(args, t)
	}
	t, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		return n
	}
	return t
}

func (p *index) method(n *types.Named, m *types.Func) *ssa.Function {
	if types.IsInterface(n) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(n, true, m.Pkg(), m.Name())
	if f, ok := obj.(*types.Func); ok {
		return p.byPos[f.Pos()]
	}
	return nil
}

// cyclic reports whether instr is in a cycle of its function's control flow.
func (p *index) cyclic(instr ssa.Instruction) bool { return p.cycle(instr) != 0 }

// cycle numbers the outermost cycle that instr is in, from 1; 0 is none.
func (p *index) cycle(instr ssa.Instruction) int {
	fn := instr.Parent()
	ids, ok := p.cycles[fn]
	if !ok {
		ids = kernel.Cycles(fn)
		p.cycles[fn] = ids
	}
	return ids[instr.Block()]
}
