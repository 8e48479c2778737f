package skeleton

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// summaries computes the effects of functions, callees first: one pass over the components of the
// call graph. (R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1972.)
type summaries struct {
	need  *need
	nodes map[*ssa.Function]*node
	stack []*node
}

// node is a function in the search.
type node struct {
	Does
	index, low int
	open       bool // is on the stack
}

func newSummaries(n *need) *summaries {
	return &summaries{need: n, nodes: map[*ssa.Function]*node{}}
}

// of returns what fn does; nothing if its code is not known.
func (s *summaries) of(fn *ssa.Function) Does {
	if fn == nil || !s.need.known[kernel.Origin(fn)] {
		return s.need.others.does(fn)
	}
	n := s.nodes[fn]
	if n == nil {
		n = s.visit(fn)
	}
	return n.Does
}

// visit computes the effects of the component of fn, and of those below.
func (s *summaries) visit(fn *ssa.Function) *node {
	n := &node{index: len(s.nodes) + 1, low: len(s.nodes) + 1, open: true}
	s.nodes[fn] = n
	s.stack = append(s.stack, n)
	for i := range kernel.All(fn) {
		n.instruction(s.need, i)
		if call, ok := i.(ssa.CallInstruction); ok {
			s.edge(n, call.Common().StaticCallee())
		}
	}
	for _, a := range fn.AnonFuncs {
		s.edge(n, a)
	}
	if n.low == n.index {
		at := slices.Index(s.stack, n)
		for _, member := range s.stack[at:] {
			member.Does, member.open = n.Does, false
		}
		s.stack = s.stack[:at]
	}
	return n
}

// edge goes from n to a callee. Within a component, the effects of the callee come to the root of
// the component through its first caller.
func (s *summaries) edge(n *node, callee *ssa.Function) {
	if callee == nil || !s.need.known[kernel.Origin(callee)] {
		n.add(s.need.others.does(callee))
		return
	}
	to := s.nodes[callee]
	switch {
	case to == nil:
		to = s.visit(callee)
		n.low = min(n.low, to.low)
	case to.open:
		n.low = min(n.low, to.index)
	}
	n.add(to.Does)
}

// add adds the effects of a callee, but for its locks: these count for its direct caller only.
func (d *Does) add(e Does) {
	d.Spawns = d.Spawns || e.Spawns
	d.Makes = d.Makes || e.Makes
	d.Waits = d.Waits || e.Waits
	d.takes = d.takes || e.takes
}

// instruction adds what an instruction does by itself.
func (n *node) instruction(of *need, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Go:
		n.Spawns = true
	case *ssa.MakeChan:
		n.Makes = true
	case *ssa.Send:
		n.Waits = true
	case *ssa.UnOp:
		n.Waits = n.Waits || i.Op == token.ARROW
	case *ssa.Select:
		n.Waits = n.Waits || i.Blocking
	case *ssa.Alloc:
		t := kernel.Deref(i.Type())
		n.Makes = n.Makes || of.carries(t) && isStruct(t)
	}
	call, ok := i.(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() == nil {
		return
	}
	name := of.names.of(call.Common().StaticCallee())
	n.takes = n.takes || taking[name]
	switch {
	case spawning[name]:
		n.Spawns = true
	case name == "(*sync.WaitGroup).Wait",
		name == "(*golang.org/x/sync/errgroup.Group).Wait",
		name == "(*golang.org/x/sync/semaphore.Weighted).Acquire":
		n.Waits = true
	default:
		n.Makes = n.Makes || strings.HasPrefix(name, "context.With") ||
			name == "golang.org/x/sync/errgroup.WithContext" ||
			name == "golang.org/x/sync/semaphore.NewWeighted" || strings.HasPrefix(name, onceFuncs)
	}
}

// spawning are functions of libraries that start a goroutine.
var spawning = map[string]bool{"time.AfterFunc": true, "(*sync.WaitGroup).Go": true,
	"(*golang.org/x/sync/errgroup.Group).Go":    true,
	"(*golang.org/x/sync/errgroup.Group).TryGo": true}

// taking are functions that take a lock.
var taking = map[string]bool{"(*sync.Mutex).Lock": true, "(*sync.RWMutex).Lock": true,
	"(*sync.RWMutex).RLock": true, "(*sync.Mutex).TryLock": true,
	"(*sync.RWMutex).TryLock": true, "(*sync.RWMutex).TryRLock": true, "(*sync.Once).Do": true,
	"(*golang.org/x/sync/singleflight.Group).Do": true,
	onceFuncs + "Func":                           true,
	onceFuncs + "Value":                          true,
	onceFuncs + "Values":                         true}

// onceFuncs begins the names of functions that make a function which runs another one once.
const onceFuncs = "sync.Once"

func isStruct(t types.Type) bool {
	return kernel.Is[*types.Struct](t)
}

// Closed reports whether fn makes something to wait for, and starts a goroutine or waits. A
// function that only calls another such function, which keeps its objects to itself, is left out.
func (p *Program) Closed(fn *ssa.Function) bool {
	if !p.does.both(fn) {
		return false
	}
	own := false
	var callees []*ssa.Function
	within(fn, func(i ssa.Instruction) {
		_, makes := i.(*ssa.MakeChan)
		own = own || makes || kernel.IsGo(i)
		if call, ok := i.(*ssa.Call); ok {
			g := call.Common().StaticCallee()
			if g != nil && g.Parent() == nil &&
				(p.need.known[kernel.Origin(g)] || p.others.code(g) != nil) {
				callees = append(callees, g)
			}
		}
	})
	return own || len(callees) != 1 || !p.does.both(callees[0]) ||
		p.need.carries(callees[0].Signature.Results())
}

// both reports whether fn makes something to wait for, and starts a goroutine or waits.
func (s *summaries) both(fn *ssa.Function) bool {
	does := s.of(fn)
	return does.Makes && (does.Spawns || does.Waits)
}

// within calls f with the instructions of fn and of its function literals.
func within(fn *ssa.Function, f func(ssa.Instruction)) {
	for i := range kernel.All(fn) {
		f(i)
	}
	for _, a := range fn.AnonFuncs {
		within(a, f)
	}
}

// Locks reports whether fn takes a lock, itself or by a function of another package that leaves it
// locked.
func (p *Program) Locks(fn *ssa.Function) bool {
	locks, _ := p.locking(fn)
	return locks
}

// Owns reports whether fn makes a struct with a lock, keeps it to itself, and hands it on to
// functions that lock: what these do together is known to fn alone.
func (p *Program) Owns(fn *ssa.Function) bool {
	does := p.does.of(fn)
	if !does.Makes || !does.takes || p.need.carries(fn.Signature.Results()) {
		return false
	}
	made, handed := map[ssa.Value]bool{}, false
	within(fn, func(i ssa.Instruction) {
		switch i := i.(type) {
		case *ssa.Alloc:
			t := kernel.Deref(i.Type())
			made[i] = isStruct(t) && p.need.carries(t)
		case *ssa.Call:
			g := i.Common().StaticCallee()
			handed = handed || g != nil && p.need.known[kernel.Origin(g)] &&
				p.does.of(kernel.Origin(g)).takes &&
				slices.ContainsFunc(i.Common().Args, func(v ssa.Value) bool { return made[v] })
		}
	})
	return handed
}

// Doubles reports whether fn calls a function of the package that locks, and that is given two
// pointers to the same type with something to wait for: these may be equal.
func (p *Program) Doubles(fn *ssa.Function) bool {
	found := false
	within(fn, func(i ssa.Instruction) {
		call, ok := i.(*ssa.Call)
		if !ok || found {
			return
		}
		g := call.Common().StaticCallee()
		if g == nil || !p.need.known[kernel.Origin(g)] || !p.does.of(kernel.Origin(g)).takes {
			return
		}
		for k, a := range call.Call.Args {
			_, is := a.Type().Underlying().(*types.Pointer)
			found = found || is && p.need.carries(a.Type()) &&
				slices.ContainsFunc(call.Call.Args[:k], func(b ssa.Value) bool {
					return types.Identical(a.Type(), b.Type())
				})
		}
	})
	return found
}

// Lends reports whether fn calls a function of the package that locks and is given a function to
// call, or returns one: what such functions do together is known to fn alone.
func (p *Program) Lends(fn *ssa.Function) bool {
	found := false
	within(fn, func(i ssa.Instruction) {
		call, ok := i.(ssa.CallInstruction)
		if !ok || found {
			return
		}
		g := call.Common().StaticCallee()
		found = g != nil && g.Parent() == nil && p.need.known[kernel.Origin(g)] &&
			handsFunc(g.Signature) && p.Locks(kernel.Origin(g))
	})
	return found
}

// handsFunc reports whether a function is given another one, or returns one.
func handsFunc(sig *types.Signature) bool {
	if takesFunc(sig) {
		return true
	}
	for v := range sig.Results().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// Told returns what a function of another package does, as far as that is known.
func (p *Program) Told(fn *ssa.Function) Does { return p.others.does(fn) }

// IsLocker reports whether a method is Lock or Unlock of an interface that has both.
func IsLocker(m *types.Func) bool {
	sig := m.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() > 0 ||
		m.Name() != "Lock" && m.Name() != "Unlock" {
		return false
	}
	on, ok := sig.Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	n := 0
	for f := range on.Methods() {
		if f.Name() == "Lock" || f.Name() == "Unlock" {
			n++
		}
	}
	return n == 2
}

// locking reports whether fn takes a lock, and whether it unlocks one.
func (p *Program) locking(fn *ssa.Function) (locks, unlocks bool) {
	within(fn, func(i ssa.Instruction) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			return
		}
		if m := call.Common().Method; call.Common().IsInvoke() && IsLocker(m) {
			locks, unlocks = locks || m.Name() == "Lock", unlocks || m.Name() == "Unlock"
		}
		g := call.Common().StaticCallee()
		if g == nil {
			return
		}
		switch name := p.names.of(g); name {
		case "(*sync.Mutex).Unlock", "(*sync.RWMutex).Unlock", "(*sync.RWMutex).RUnlock":
			unlocks = true
		default:
			locks = locks || taking[name]
		}
		locks = locks || p.others.does(g).Locks
	})
	return locks, unlocks
}

// Runs reports whether a machine that comes to a call of fn goes on with its code.
func (p *Program) Runs(fn *ssa.Function) bool {
	return fn != nil && (p.need.known[kernel.Origin(fn)] || p.others.code(fn) != nil ||
		operating(p.names.of(fn)))
}
