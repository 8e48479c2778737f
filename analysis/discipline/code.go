package discipline

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Code is the analyzer that builds what the rules look at: the functions of a package, its channel
// operations, which channels may be one, and the processes it starts. It builds SSA itself: package
// buildssa has facts, so that go vet would analyse the standard library first.
var Code = &analysis.Analyzer{
	Name:       "rehearsecode",
	Doc:        "find the channel operations and the processes of a package",
	Requires:   []*analysis.Analyzer{Params},
	ResultType: reflect.TypeFor[*code](),
	Run:        func(pass *analysis.Pass) (any, error) { return newCode(pass), nil },
}

// code is one package.
type code struct {
	turn    sync.Mutex // one rule at a time
	pass    *analysis.Pass
	survey  *actors.Survey
	funcs   []*ssa.Function // with bodies, in source order
	known   map[*ssa.Function]bool
	methods map[string][]*ssa.Function              // by name
	callers map[*ssa.Function][]ssa.CallInstruction // static calls
	callees map[*ssa.Function][]*ssa.Function       // by static calls, go statements aside
	ops     []*op
	byInstr map[ssa.Instruction][]*op
	procs   []*process
	timers  []*process // which time.AfterFunc starts
	flow    *flow
	uses    uses                        // what functions of other packages do to channels
	stores  map[*types.Var][]*ssa.Store // to fields
	touched map[*types.Named][]access   // memo of accesses
	waiting map[*ssa.Function]bool      // memo of mayWait
	// of channel operations, for names; nil until somebody asks
	operands map[token.Pos]ast.Expr
}

// newCode looks at the package of pass. A package without processes and channels is empty.
func newCode(pass *analysis.Pass) *code {
	c := &code{pass: pass, uses: pass.ResultOf[Params].(uses), known: map[*ssa.Function]bool{}, methods: map[string][]*ssa.Function{},
		callers: map[*ssa.Function][]ssa.CallInstruction{},
		byInstr: map[ssa.Instruction][]*op{}, callees: map[*ssa.Function][]*ssa.Function{},
		touched: map[*types.Named][]access{}, waiting: map[*ssa.Function]bool{}, stores: map[*types.Var][]*ssa.Store{}}
	var units []actors.Unit
	if slices.ContainsFunc(pass.Files, concurrent) {
		pkg := build(pass)
		units = append(units, actors.Unit{Syntax: pass.Files, Info: pass.TypesInfo, SSA: pkg})
		c.addFunctions(pkg)
	}
	c.survey = actors.Look(units, positions(pass.Fset))
	c.index()
	c.flow = newFlow(c)
	c.procs, c.timers = c.processes(), c.timed()
	return c
}

// concurrent reports whether a file has a go statement or a channel operation.
func concurrent(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func build(pass *analysis.Pass) *ssa.Package {
	prog := ssa.NewProgram(pass.Fset, ssa.InstantiateGenerics)
	load.CreateImports(prog, pass.Pkg, map[*types.Package]bool{})
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	return pkg
}

func positions(fset *token.FileSet) func(token.Pos) facts.Pos {
	return func(pos token.Pos) facts.Pos {
		p := fset.Position(pos)
		return facts.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
	}
}

// addFunctions finds the functions, methods and function literals of pkg.
func (c *code) addFunctions(pkg *ssa.Package) {
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			c.addFunction(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for f := range named.Methods() {
					c.addFunction(pkg.Prog.FuncValue(f))
				}
			}
		}
	}
	slices.SortStableFunc(c.funcs, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.Name(), b.Name()))
	})
}

func (c *code) addFunction(fn *ssa.Function) {
	if fn == nil || fn.Blocks == nil || c.known[fn] {
		return
	}
	c.known[fn] = true
	c.funcs = append(c.funcs, fn)
	if fn.Signature.Recv() != nil {
		c.methods[fn.Name()] = append(c.methods[fn.Name()], fn)
	}
	for _, f := range fn.AnonFuncs {
		c.addFunction(f)
	}
}

// canon returns the function of the package that fn is, or is an instance of; nil if it is of
// another package.
func (c *code) canon(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if c.known[fn] {
		return fn
	}
	return nil
}

// static returns the function of the package that a call runs for certain, or nil.
func (c *code) static(call *ssa.CallCommon) *ssa.Function { return c.canon(call.StaticCallee()) }

func (c *code) each(f func(ssa.Instruction)) {
	for _, fn := range c.funcs {
		eachOf(fn, f)
	}
}

func eachOf(fn *ssa.Function, f func(ssa.Instruction)) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			f(i)
		}
	}
}

func (c *code) index() {
	c.each(func(instr ssa.Instruction) {
		if call, ok := instr.(ssa.CallInstruction); ok {
			c.indexCall(call)
		}
		if st, ok := instr.(*ssa.Store); ok {
			if addr, ok := st.Addr.(*ssa.FieldAddr); ok {
				v := fieldVar(addr.X.Type(), addr.Field)
				c.stores[v] = append(c.stores[v], st)
			}
		}
		for _, o := range c.operations(instr) {
			c.ops = append(c.ops, o)
			c.byInstr[instr] = append(c.byInstr[instr], o)
		}
	})
}

func (c *code) indexCall(call ssa.CallInstruction) {
	fn := c.static(call.Common())
	if fn == nil {
		return
	}
	c.callers[fn] = append(c.callers[fn], call)
	if from := call.Parent(); !isGo(call) && !slices.Contains(c.callees[from], fn) {
		c.callees[from] = append(c.callees[from], fn)
	}
}

// kind is what an operation does to a channel.
type kind int

const (
	sends kind = iota
	receives
	closes
)

// op is one channel operation. Each case of a select is one.
type op struct {
	kind kind
	ch   ssa.Value
	// what is sent, if it is seen; the received message, if something looks at it; or nil
	msg   ssa.Value
	at    ssa.Instruction
	pos   token.Pos
	alone bool // it waits for this channel and for nothing else
}

func (o *op) in() *ssa.Function { return o.at.Parent() }

func (c *code) operations(instr ssa.Instruction) []*op {
	switch i := instr.(type) {
	case *ssa.Send:
		return []*op{{sends, i.Chan, i.X, i, i.Pos(), true}}
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			return []*op{{receives, i.X, received(i, i.CommaOk), i, i.Pos(), true}}
		}
	case *ssa.Select:
		return cases(i)
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return []*op{{closes, i.Common().Args[0], nil, i, i.Pos(), true}}
		}
		return c.operationsBy(i)
	}
	return nil
}

// operationsBy returns what a function of another package does to the channels that it is given, at
// the call. It may also do nothing.
func (c *code) operationsBy(call ssa.CallInstruction) []*op {
	use := c.channelUse(call.Common())
	if use == nil || isGo(call) {
		return nil
	}
	var out []*op
	for i, u := range use.Params {
		a := argumentOf(call.Common(), i)
		for k, bit := range []Use{sends: Sends, receives: Receives, closes: Closes} {
			if a != nil && u&bit != 0 && u&Retains == 0 {
				out = append(out, &op{kind(k), a, nil, call, call.Pos(), false})
			}
		}
	}
	return out
}

// channelUse returns what is known of a function of another package that is called, or nil.
func (c *code) channelUse(call *ssa.CallCommon) *ChannelUse {
	fn := call.StaticCallee()
	if fn == nil || c.static(call) != nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return nil
	}
	return c.uses(obj)
}

// argumentOf returns the argument for parameter i, the receiver not counted, if it is a channel;
// else nil.
func argumentOf(call *ssa.CallCommon, i int) ssa.Value {
	if call.Signature().Recv() != nil {
		i++
	}
	if i >= len(call.Args) {
		return nil
	}
	if _, ok := call.Args[i].Type().Underlying().(*types.Chan); !ok {
		return nil
	}
	return call.Args[i]
}

func cases(sel *ssa.Select) []*op {
	var out []*op
	n := 2 // an index and ok come first
	for _, st := range sel.States {
		o := &op{sends, st.Chan, st.Send, sel, st.Pos, false}
		if st.Dir == types.RecvOnly {
			o.kind, o.msg = receives, extracted(sel, n)
			n++
		}
		out = append(out, o)
	}
	return out
}

func received(v *ssa.UnOp, commaOk bool) ssa.Value {
	if commaOk {
		return extracted(v, 0)
	}
	if len(*v.Referrers()) == 0 {
		return nil
	}
	return v
}

// extracted returns part i of a tuple, or nil if nothing takes it.
func extracted(v ssa.Value, i int) ssa.Value {
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// process is every goroutine that runs one root.
type process struct {
	root *ssa.Function
	// go statements, or what makes the function value for a helper that starts it
	starts []ssa.Instruction
	runs   map[*ssa.Function]bool // the root and what it calls statically
}

func (c *code) processes() []*process {
	var out []*process
	for _, g := range c.survey.Goroutines {
		p := &process{root: g.Root, runs: c.reach(g.Root)}
		for _, l := range g.Launches {
			p.starts = append(p.starts, l.At)
		}
		out = append(out, p)
	}
	return out
}

// reach returns fn and the functions that it calls statically, at any depth.
func (c *code) reach(fn *ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		for _, g := range c.callees[work[0]] {
			if !seen[g] {
				seen[g] = true
				work = append(work, g)
			}
		}
	}
	return seen
}

// single reports whether p is started at one place only, and not in a loop.
func (p *process) single() bool { return len(p.starts) == 1 && !cyclic(p.starts[0]) }

// alone reports whether only p runs fn: every call of fn is in a function that p alone runs, and
// nothing else refers to fn.
func (c *code) alone(p *process, fn *ssa.Function) bool {
	return c.aloneFrom(p, fn, map[*ssa.Function]bool{})
}

func (c *code) aloneFrom(p *process, fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || fn == p.root {
		return true
	}
	seen[fn] = true
	if !p.runs[fn] || c.exported(fn) || c.valueOf(fn) {
		return false
	}
	for _, call := range c.callers[fn] {
		if _, started := call.(*ssa.Go); started || !c.aloneFrom(p, call.Parent(), seen) {
			return false
		}
	}
	return true
}

// exported reports whether other packages may call fn.
func (c *code) exported(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return false
	}
	return c.pass.Pkg.Name() != "main" || obj.Signature().Recv() != nil
}

// public reports whether other packages can name fn, a method, and call it when they like.
func (c *code) public(fn *ssa.Function) bool {
	if !c.exported(fn) || fn.Signature.Recv() == nil || c.pass.Pkg.Name() == "main" {
		return false
	}
	n, ok := types.Unalias(deref(fn.Signature.Recv().Type())).(*types.Named)
	return ok && n.Obj().Exported()
}

// valueOf reports whether fn is used as a value: somebody may call it who is not seen.
func (c *code) valueOf(fn *ssa.Function) bool { return c.flow.values[fn] }
