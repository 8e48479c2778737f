package uncontrolled

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// summary is what one function does, whoever calls it.
type summary struct {
	findings    []finding
	calls       []ref
	launches    []ref              // functions that go statements call by name, or timers
	values      []ref              // functions whose value is taken
	kept        []*types.Signature // functions that external code registers
	launchSites []*types.Signature // go statements, and timers, that call function values
	// calls through function values, also those that external code may make
	sites       []*types.Signature
	conversions []*converted // types converted to interfaces
	invokes     []invoke     // calls through interfaces
	library     []*iface     // interfaces that external code gets values of
	reflects    bool         // methods are called by name
}

// finding is a use that does not depend on the root.
type finding struct {
	pos       token.Pos
	in        *ssa.Function
	construct string
	pkg       string // import path of an external construct
	kind      std.Kind
	reason    string
	isGo      bool
	guarded   bool
	linked    bool // it is a function that is linked by name
}

// ref is the mention of a function.
type ref struct {
	fn  *ssa.Function
	pos token.Pos
	in  *ssa.Function

	// the source does not name the function: an interface, a constraint or reflection leads to it
	dynamic bool
}

type invoke struct {
	iface  *iface
	method *types.Func
	pos    token.Pos
	in     *ssa.Function
}

// scanner builds a summary.
type scanner struct {
	*summary
	f  *finder
	fn *ssa.Function
}

func (f *finder) summary(fn *ssa.Function) *summary {
	if s := f.summaries[fn]; s != nil {
		return s
	}
	s := scanner{new(summary), f, fn}
	f.summaries[fn] = s.summary
	s.scan()
	return s.summary
}

func (s *scanner) scan() {
	if s.fn.Pkg != nil {
		s.fn.Pkg.Build()
	}
	if len(s.fn.Blocks) == 0 {
		s.bodyless()
	}
	rewritten := s.f.isControlled(s.fn)
	for instr := range kernel.All(s.fn) {
		s.instruction(instr)
		s.mentions(instr)
		if !rewritten {
			s.concurrency(instr)
		}
	}
}

func (s *scanner) instruction(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case ssa.CallInstruction:
		s.call(instr)
	case *ssa.MakeInterface:
		s.conversions = append(s.conversions, s.f.converted(instr.X.Type()))
		s.handOver(instr.X.Type())
		s.ask(instr.Type())
	case *ssa.ChangeInterface:
		s.ask(instr.Type())
	case *ssa.TypeAssert:
		s.ask(instr.AssertedType)
	case *ssa.Store:
		if s.f.isExternalPlace(instr.Addr) {
			s.handOver(instr.Val.Type())
		}
	}
}

func (s *scanner) call(instr ssa.CallInstruction) {
	common := instr.Common()
	_, isGo := instr.(*ssa.Go)
	if isGo {
		s.goStatement(instr)
	}
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return
	}
	callee := common.StaticCallee()
	switch {
	case common.IsInvoke():
		iface := s.f.iface(common.Value.Type())
		s.invokes = append(s.invokes, invoke{iface, common.Method, instr.Pos(), s.fn})
	case callee != nil && isGo:
		s.launches = append(s.launches, ref{fn: callee, pos: s.position(instr), in: s.fn})
	case callee != nil:
		s.calls = append(s.calls,
			ref{fn: callee, pos: s.position(instr), in: s.fn, dynamic: s.throughConstraint(instr)})
		s.reflects = s.reflects || s.f.callsByName(callee)
	case isGo:
		s.launchSites = append(s.launchSites, common.Signature())
	default:
		s.sites = append(s.sites, common.Signature())
	}
	s.arguments(callee, common.Args)
}

// arguments hands the arguments of a call to external code, if that is what is called.
func (s *scanner) arguments(callee *ssa.Function, args []ssa.Value) {
	var v std.Verdict
	if callee != nil {
		obj := s.f.externalFunc(callee)
		if obj == nil {
			return
		}
		v = treat(obj)
	}
	for _, arg := range args {
		switch sig, ok := arg.Type().Underlying().(*types.Signature); {
		case ok && v.Keeps:
			s.kept = append(s.kept, sig)
		case ok && v.Starts:
			s.start(arg, sig)
		default:
			s.handOver(arg.Type())
		}
	}
}

// start lets a process call the function f.
func (s *scanner) start(f ssa.Value, sig *types.Signature) {
	if closure, ok := f.(*ssa.MakeClosure); ok {
		f = closure.Fn
	}
	if fn, ok := f.(*ssa.Function); ok {
		s.launches = append(s.launches, ref{fn: fn, pos: fn.Pos(), in: s.fn})
		return
	}
	s.launchSites = append(s.launchSites, sig)
}

// throughConstraint reports whether instr, in an instance of a generic function, calls a method of
// a type parameter.
func (s *scanner) throughConstraint(instr ssa.CallInstruction) bool {
	top := s.fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	return top.Origin() != nil && invokes(top.Origin(), instr.Pos())
}

// invokes reports whether fn, or a function in it, has a call at pos that is one through an
// interface.
func invokes(fn *ssa.Function, pos token.Pos) bool {
	for i := range kernel.All(fn) {
		if call, ok := i.(ssa.CallInstruction); ok && call.Pos() == pos &&
			call.Common().IsInvoke() {
			return true
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(f *ssa.Function) bool { return invokes(f, pos) })
}

// handOver lets external code call the functions in a value of type t.
func (s *scanner) handOver(t types.Type) {
	switch t := t.Underlying().(type) {
	case *types.Signature:
		s.sites = append(s.sites, t)
	case *types.Slice:
		if sig, ok := t.Elem().Underlying().(*types.Signature); ok {
			s.sites = append(s.sites, sig)
		}
	}
}

// ask lets external code call the methods of interface t, if t is external itself.
func (s *scanner) ask(t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(named) || !s.f.isExternal(named.Obj().Pkg()) {
		return
	}
	s.library = append(s.library, s.f.siblings(named)...)
}

// mentions records the functions whose values instr takes.
func (s *scanner) mentions(instr ssa.Instruction) {
	var callee ssa.Value
	if call, ok := instr.(ssa.CallInstruction); ok {
		callee = call.Common().Value
	}
	for _, op := range instr.Operands(nil) {
		if fn, ok := (*op).(*ssa.Function); ok && (fn != callee || isArgument(instr, fn)) {
			s.values = append(s.values, ref{fn: fn, pos: s.position(instr), in: s.fn})
		}
	}
}

// isArgument tells f(f) from f().
func isArgument(instr ssa.Instruction, fn *ssa.Function) bool {
	for _, arg := range instr.(ssa.CallInstruction).Common().Args {
		if arg == fn {
			return true
		}
	}
	return false
}

// position returns where instr stands; instructions that have no position of their own get that of
// a neighbour.
func (s *scanner) position(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	block := instr.Block().Instrs
	best := s.fn.Pos()
	for _, other := range block {
		if other.Pos().IsValid() {
			best = other.Pos()
		}
		if other == instr && best.IsValid() {
			break
		}
	}
	return best
}
