package skeleton

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// slicer computes a need. Its knowledge of the package is larger than the slice, and is dropped
// when the slice is done.
type slicer struct {
	*need
	needed  map[ssa.Instruction]struct{}
	results map[*ssa.Function]bool // somebody needs its results
	handed  map[types.Type]bool    // what code of other packages is given
	work    []ssa.Instruction

	callers map[*ssa.Function][]ssa.Instruction // static calls
	stores  map[any][]ssa.Instruction           // by cell
	taken   map[string][]any                    // fields whose address is a value, by type
	dynamic map[string][]ssa.Instruction        // calls of function values, by signature
	invokes map[string][]ssa.Instruction        // calls of methods of interfaces, by name
	returns map[*ssa.Function][]*ssa.Return
	methods map[string][]*ssa.Function // by name
	bySig   map[string][]*ssa.Function // that return something, by signature
	values  map[string]bool            // signatures of functions that matter and are used as values

	types map[types.Type]string // their names: see typeKey
	sigs  map[*types.Signature]string

	unseen *unseen
}

// slice makes the slice of a package.
func slice(names *names, funcs []*ssa.Function, others *others) *need {
	n := &slicer{need: &need{names: names, others: others, known: map[*ssa.Function]bool{},
		live: map[*ssa.Function]bool{}, branches: map[*ssa.If]bool{}, cells: map[any]bool{},
		flow: map[*ssa.Function]*postdominators{}, carry: map[types.Type]bool{}},
		needed: map[ssa.Instruction]struct{}{}, results: map[*ssa.Function]bool{},
		handed:  map[types.Type]bool{},
		callers: map[*ssa.Function][]ssa.Instruction{},
		stores:  map[any][]ssa.Instruction{}, taken: map[string][]any{},
		dynamic: map[string][]ssa.Instruction{}, invokes: map[string][]ssa.Instruction{},
		returns: map[*ssa.Function][]*ssa.Return{}, values: map[string]bool{},
		methods: map[string][]*ssa.Function{}, bySig: map[string][]*ssa.Function{},
		types: map[types.Type]string{}, sigs: map[*types.Signature]string{}}
	n.unseen = newUnseen()
	n.declare(funcs)
	for _, fn := range funcs {
		for i := range kernel.All(fn) {
			n.index(i)
		}
	}
	for _, fn := range funcs {
		for i := range kernel.All(fn) {
			if n.operates(i) {
				n.add(i)
			}
		}
	}
	for _, i := range recovered(funcs, n.known) {
		n.add(i)
	}
	for len(n.work) > 0 {
		i := n.work[len(n.work)-1]
		n.work = n.work[:len(n.work)-1]
		n.require(i)
	}
	clear(n.flow) // most functions are no scope
	return n.need
}

// declare notes the functions of the package.
func (n *slicer) declare(funcs []*ssa.Function) {
	for _, fn := range funcs {
		n.known[fn] = true
		if fn.Signature.Results().Len() == 0 {
			continue
		}
		n.bySig[n.signature(fn.Signature)] = append(n.bySig[n.signature(fn.Signature)], fn)
		if fn.Signature.Recv() != nil {
			n.methods[fn.Name()] = append(n.methods[fn.Name()], fn)
		}
	}
}

// index notes where calls, stores and returns are.
func (n *slicer) index(i ssa.Instruction) {
	switch i := i.(type) {
	case ssa.CallInstruction:
		c := i.Common()
		n.given(i)
		switch fn := c.StaticCallee(); {
		case fn != nil:
			n.callers[kernel.Origin(fn)] = append(n.callers[kernel.Origin(fn)], i)
			if _, writes := n.atomic(c); writes {
				n.storedAt(c.Args[0], i)
			}
		case c.IsInvoke():
			n.invokes[c.Method.Name()] = append(n.invokes[c.Method.Name()], i)
		default:
			key := n.signature(c.Signature())
			n.dynamic[key] = append(n.dynamic[key], i)
		}
	case *ssa.Store:
		n.storedAt(i.Addr, i)
	case *ssa.FieldAddr:
		if escapes(i) {
			t := n.typeKey(kernel.Deref(i.Type()))
			n.taken[t] = append(n.taken[t], kernel.FieldVar(i.X.Type(), i.Field))
		}
	case *ssa.MapUpdate:
		k := n.typeKey(i.Map.Type())
		n.stores[k] = append(n.stores[k], i)
	case *ssa.Convert:
		if launders(i) {
			n.give(i.X, i)
		}
	case *ssa.MakeInterface:
		n.box(i.X.Type())
	case *ssa.Return:
		n.returns[i.Parent()] = append(n.returns[i.Parent()], i)
	}
}

// signature is the same for two functions if one can be called in place of the other: it has no
// names of parameters.
func (n *slicer) signature(s *types.Signature) string {
	if key, ok := n.sigs[s]; ok {
		return key
	}
	var b strings.Builder
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range tuple.Variables() {
			b.WriteString(types.TypeString(v.Type(), nil) + ",")
		}
		b.WriteByte(')')
	}
	n.sigs[s] = b.String()
	return n.sigs[s]
}

// typeKey names a type, as a variable of which no more is known.
func (n *slicer) typeKey(t types.Type) string {
	key, ok := n.types[t]
	if !ok {
		key = "type " + types.TypeString(t, nil)
		n.types[t] = key
	}
	return key
}

// storedAt notes that i writes what an address means.
func (n *slicer) storedAt(addr ssa.Value, i ssa.Instruction) {
	for _, k := range n.cellsOf(addr) {
		n.stores[k] = append(n.stores[k], i)
	}
}

// atomic reports whether a call is of package sync/atomic, and whether that may write.
func (n *slicer) atomic(c *ssa.CallCommon) (is, writes bool) {
	fn := c.StaticCallee()
	if fn == nil || len(c.Args) == 0 {
		return false, false
	}
	name := strings.TrimPrefix(n.names.of(fn), "(*")
	if !strings.HasPrefix(name, "sync/atomic.") {
		return false, false
	}
	return true, !strings.HasPrefix(fn.Name(), "Load")
}

func (n *slicer) add(i ssa.Instruction) {
	if _, ok := n.needed[i]; ok {
		return
	}
	n.needed[i] = struct{}{}
	n.work = append(n.work, i)
	if branch, ok := i.(*ssa.If); ok {
		n.branches[branch] = true
	}
}

// operates reports whether i is needed whatever else is.
func (n *slicer) operates(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go:
		return true
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Store:
		return n.holder(i.Val)
	case *ssa.MapUpdate:
		return n.holder(i.Value)
	case ssa.CallInstruction:
		return n.calls(i.Common())
	}
	return false
}

// calls reports whether a call is needed whatever else is: it operates, ends something, or gives
// something to wait for to code that is not seen.
func (n *slicer) calls(c *ssa.CallCommon) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" || b.Name() == "recover"
	}
	if c.IsInvoke() {
		switch c.Method.Name() {
		case "Lock", "Unlock", "RLock", "RUnlock":
			return true
		}
		return n.gives(c)
	}
	fn := c.StaticCallee()
	if fn == nil {
		return n.gives(c) || isCancel(c.Value.Type())
	}
	if n.known[kernel.Origin(fn)] || fn.Blocks != nil {
		return false
	}
	full := n.names.of(fn)
	return operating(full) || n.others.code(fn) != nil || n.gives(c) && !Prints(full)
}

// gives reports whether an argument may hold something to wait for. One of type any may.
func (n *slicer) gives(c *ssa.CallCommon) bool {
	return slices.ContainsFunc(c.Args, func(v ssa.Value) bool {
		t := v.Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		i, ok := t.Underlying().(*types.Interface)
		return ok && i.Empty() || n.carries(v.Type())
	})
}

func isCancel(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// operating reports whether a function of the standard library waits, wakes or ends something.
func operating(full string) bool {
	return slices.ContainsFunc([]string{"(*sync.Mutex)", "(*sync.RWMutex)", "(*sync.WaitGroup)",
		"(*sync.Once)", "(*sync.Cond)",
		"sync.NewCond", "context.With", "time.AfterFunc", "(*time.Timer)", "(*time.Ticker)",
		"runtime.Goexit", "os.Exit",
		"log.Fatal", "(*testing.common).F", "(*testing.common).Skip",
		"(*testing.T).Parallel",
		"(*golang.org/x/sync/errgroup.Group)", "golang.org/x/sync/errgroup.",
		"(*golang.org/x/sync/semaphore.Weighted)", "golang.org/x/sync/semaphore.",
		"(*golang.org/x/sync/singleflight.Group)"}, func(prefix string) bool {
		return strings.HasPrefix(full, prefix)
	})
}

// require adds what a needed instruction needs.
func (n *slicer) require(i ssa.Instruction) {
	n.enliven(i.Parent())
	n.control(i.Block())
	for _, v := range i.Operands(nil) {
		n.value(*v)
	}
	if c, ok := i.(ssa.CallInstruction); ok && n.others.code(c.Common().StaticCallee()) != nil {
		for _, v := range c.Common().Args {
			n.handOut(v.Type())
		}
	}
	switch i := i.(type) {
	case *ssa.Phi:
		for _, p := range i.Block().Preds {
			n.control(p)
			n.add(p.Instrs[len(p.Instrs)-1])
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			n.readAt(i.X)
		}
	case *ssa.Call:
		if atomic, _ := n.atomic(i.Common()); atomic {
			n.readAt(i.Call.Args[0])
		}
		n.returned(i.Common())
		if b, ok := i.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			n.cellsNeeded([]any{n.typeKey(i.Call.Args[0].Type())})
		}
	case *ssa.Lookup:
		n.cellsNeeded([]any{n.typeKey(i.X.Type())})
	case *ssa.Range:
		n.cellsNeeded([]any{n.typeKey(i.X.Type())})
	case *ssa.MakeClosure:
		if fn, ok := i.Fn.(*ssa.Function); ok && n.live[fn] {
			n.valueOf(fn)
		}
	}
}

// returned adds what functions return that a group of package errgroup runs.
func (n *slicer) returned(c *ssa.CallCommon) {
	fn := c.StaticCallee()
	if fn == nil || !strings.HasPrefix(n.names.of(fn), "(*golang.org/x/sync/errgroup.Group).") {
		return
	}
	for _, v := range c.Args[1:] {
		if m, ok := v.(*ssa.MakeClosure); ok {
			v = m.Fn
		}
		if run, ok := v.(*ssa.Function); ok && n.known[run] {
			n.resultsOf(run)
		}
	}
}

// value adds an operand, and what it is computed from.
func (n *slicer) value(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Call:
		n.add(v)
		for _, fn := range n.callees(v.Common()) {
			n.resultsOf(fn)
		}
	case ssa.Instruction:
		n.add(v)
	case *ssa.Parameter:
		for _, c := range n.callers[kernel.Origin(v.Parent())] {
			n.add(c)
		}
	case *ssa.Function:
		if n.known[v] && n.live[v] {
			n.valueOf(v)
		}
	}
}

// callees lists the functions of the package that a call may be of: for a function value those of
// its signature, for a method of an interface those of its name.
func (n *slicer) callees(c *ssa.CallCommon) []*ssa.Function {
	fn := c.StaticCallee()
	switch {
	case fn != nil && n.known[kernel.Origin(fn)]:
		return []*ssa.Function{kernel.Origin(fn)}
	case fn != nil:
		return nil
	case c.IsInvoke():
		return n.methods[c.Method.Name()]
	}
	return n.bySig[n.signature(c.Signature())]
}

// resultsOf adds what fn returns.
func (n *slicer) resultsOf(fn *ssa.Function) {
	if n.results[fn] {
		return
	}
	n.results[fn] = true
	for _, r := range n.returns[fn] {
		n.add(r)
	}
}

func (n *slicer) cellsNeeded(cells []any) {
	for _, c := range cells {
		if n.cells[c] {
			continue
		}
		n.cells[c] = true
		for _, s := range n.stores[c] {
			n.add(s)
		}
		n.unseen.writersOf(c, n.add)
	}
}

// enliven notes that a function has something that is needed, and adds the calls that lead to it.
func (n *slicer) enliven(fn *ssa.Function) {
	if n.live[fn] {
		return
	}
	n.live[fn] = true
	for _, c := range n.callers[kernel.Origin(fn)] {
		n.add(c)
	}
	if fn.Signature.Recv() != nil {
		for _, c := range n.invokes[fn.Name()] {
			n.add(c)
		}
	}
	n.valueOf(fn)
}

// valueOf adds the calls of function values that may be fn.
func (n *slicer) valueOf(fn *ssa.Function) {
	key := n.signature(fn.Signature)
	if n.values[key] {
		return
	}
	n.values[key] = true
	for _, c := range n.dynamic[key] {
		n.add(c)
	}
}

// control adds the branches that decide whether a block is reached.
func (n *slicer) control(b *ssa.BasicBlock) {
	for _, d := range n.flowOf(b.Parent()).decides[b.Index] {
		n.add(d.Instrs[len(d.Instrs)-1])
	}
}
