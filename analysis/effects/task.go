package effects

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Task is what the tasks of one handler may do.
type Task struct {
	Accesses   []*Access
	Sends      []Sending
	Operations []Operation
}

// Access is a group of accesses that differ in their place only.
type Access struct {
	Kind       Kind
	Loc        *Location
	By         string
	Key, Value *facts.Operand
	At         []token.Pos
}

// Sending is a send of a message.
type Sending struct {
	Effect
	Carried *facts.Operand // the channel, if it is a part of the message
	Depth   int
}

// Operation is a group of other effects that differ in their place only; Pos is the first.
type Operation struct {
	Effect
	At []token.Pos
}

// tasker collects the effects of one task.
type tasker struct {
	*Analysis
	h     *actors.Handler
	code  actors.Code
	roots map[*ssa.Function]bool
	// of functions on the way to the receive: where it is reached
	anchors map[*ssa.Function]ssa.Instruction
	in      map[ssa.Instruction]bool
	// effects that depend on the message or the loop, or stand in the task's own functions
	all    set
	called [][]invocation // what it calls, by region
	task   *Task
}

// Task returns the effects of h, a handler of x. Summarise must have been called for its code.
func (a *Analysis) Task(x *actors.Actor, h *actors.Handler) *Task { return a.taskOf(x, h, h.Code) }

// Round returns the effects of h without the end of its loop, which ends after a number of
// messages: h.Round is not nil.
func (a *Analysis) Round(x *actors.Actor,
	h *actors.Handler) *Task {
	return a.taskOf(x, h, *h.Round)
}

func (a *Analysis) taskOf(x *actors.Actor, h *actors.Handler, code actors.Code) *Task {
	t := &tasker{Analysis: a, h: h, code: code, task: &Task{}, in: map[ssa.Instruction]bool{},
		roots: map[*ssa.Function]bool{}, anchors: map[*ssa.Function]ssa.Instruction{}}
	for _, g := range x.Goroutines {
		t.roots[g.Root] = true
	}
	for _, r := range t.code.Regions {
		for _, i := range r.Instrs {
			t.in[i] = true
		}
	}
	t.anchor()
	for _, r := range t.code.Regions {
		t.region(r)
		t.registers(r.Fn)
	}
	t.group()
	return t.task
}

// anchor finds the functions on the way to the receive, and where in them it is reached: of several
// calls, by the last.
func (t *tasker) anchor() {
	r := t.h.Receive.Instr
	t.anchors[r.Parent()] = r
	calls := slices.SortedFunc(maps.Keys(t.code.Into),
		func(a, b ssa.CallInstruction) int { return cmp.Compare(b.Pos(), a.Pos()) })
	for changed := true; changed; {
		changed = false
		for _, call := range calls {
			if t.anchors[t.code.Into[call].Fn] != nil && t.anchors[call.Parent()] == nil {
				t.anchors[call.Parent()] = call
				changed = true
			}
		}
	}
}

// made reports whether an instruction makes a new object in each task. In the function of the loop,
// only instructions after the receive do.
func (t *tasker) made(i ssa.Instruction) bool {
	anchor := t.anchors[i.Parent()]
	return t.in[i] && (anchor == nil || before(anchor, i))
}

func (t *tasker) region(r *actors.Region) {
	f := t.flow(r)
	depths := map[*ssa.BasicBlock]int{}
	var calls []invocation
	for _, instr := range r.Instrs {
		depth, known := depths[instr.Block()]
		if !known {
			depth = f.depth(instr.Block())
			depths[instr.Block()] = depth
		}
		invoked, effects := t.step(r, instr)
		for _, e := range effects {
			if e, ok := t.settle(e, t.made); ok {
				t.all.add(e, depth)
			}
		}
		for _, c := range invoked {
			c.depth += depth
			calls = append(calls, c)
			for i, e := range c.to.open.list {
				if x, ok := t.substitute(e, c, r.Fn, t.made); ok {
					t.all.add(x, c.to.open.depth[i]+c.depth)
				}
			}
		}
	}
	t.called = append(t.called, calls)
}

// step is does, for an instruction of a task.
func (t *tasker) step(r *actors.Region, instr ssa.Instruction) ([]invocation, []Effect) {
	if instr == t.h.Receive.Instr {
		if _, ok := instr.(*ssa.Select); !ok {
			return nil, nil
		}
	}
	switch i := instr.(type) {
	case *ssa.Return:
		if t.roots[r.Fn] {
			return nil, []Effect{{Kind: Stop, State: -1, Pos: pos(i)}}
		}
	case *ssa.Panic:
		if t.roots[r.Fn] {
			calls, effects := t.does(instr)
			return calls, append(effects, Effect{Kind: Stop, State: -1, Pos: pos(i)})
		}
	case *ssa.Defer:
		if t.anchors[r.Fn] != nil {
			return nil, []Effect{{Kind: Defer, State: -1, What: t.callName(&i.Call), Pos: pos(i)}}
		}
	}
	if call, ok := instr.(ssa.CallInstruction); ok && t.code.Into[call] != nil {
		return nil, nil
	}
	return t.does(instr)
}

// flow is the control flow of a region. It ends where the next task begins.
func (t *tasker) flow(r *actors.Region) flow {
	f := flow{in: map[*ssa.BasicBlock]bool{}, ends: map[*ssa.BasicBlock]bool{},
		skip: map[*ssa.BasicBlock]bool{}}
	for _, i := range r.Instrs {
		f.in[i.Block()] = true
		if branch, ok := i.(*ssa.If); ok && t.dispatches(branch.Cond) {
			f.skip[i.Block()] = true
		}
	}
	if anchor := t.anchors[r.Fn]; anchor != nil {
		f.ends[anchor.Block()] = true
		f.begin(anchor.Block())
	}
	return f
}

// dispatches reports whether a condition tells kinds of messages, or the cases of the select,
// apart, as the handlers do.
func (t *tasker) dispatches(cond ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.Extract:
		assert, ok := x.Tuple.(*ssa.TypeAssert)
		return ok && x.Index == 1 && t.h.By == facts.ByType && t.isPart(assert.X)
	case *ssa.BinOp:
		return x.Op == token.EQL &&
			(t.h.By == facts.ByConstant && (t.isPart(x.X) || t.isPart(x.Y)) || t.isCase(x.X))
	}
	return false
}

// isCase reports whether v is the number of the case that was taken by the select that receives the
// message.
func (t *tasker) isCase(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	if !ok || x.Index != 0 {
		return false
	}
	s, ok := x.Tuple.(*ssa.Select)
	return ok && t.h.Receive.Instr == ssa.Instruction(s)
}

// isPart reports whether v is the message or a part of it.
func (t *tasker) isPart(v ssa.Value) bool {
	o := t.operand(t.ref(v))
	return o != nil && o.Const == ""
}

// operand returns the constant or the part of the message that r is, or nil.
func (t *tasker) operand(r Ref) *facts.Operand {
	for range 10 {
		p, ok := r.Root.(*ssa.Parameter)
		if !ok {
			break
		}
		arg := t.passed(p)
		if arg == nil {
			return nil
		}
		r = t.ref(arg).join(r.Path)
	}
	if c, ok := r.isConst(); ok {
		return operandOf(c)
	}
	if r.Root == nil || !t.isMessage(r.Root) || isPointing(r.Path) {
		return nil
	}
	return &facts.Operand{Path: r.Path, Whole: r.Path == ""}
}

// isPointing reports whether a path follows a pointer: the variable there may change until the task
// runs.
func isPointing(path string) bool {
	for i := range len(path) - 1 {
		if path[i:i+2] == "->" {
			return true
		}
	}
	return false
}

// passed returns what the task passes for a parameter of one of its functions, if there is one call
// of it.
func (t *tasker) passed(p *ssa.Parameter) ssa.Value {
	var arg ssa.Value
	for call, region := range t.code.Into {
		if region.Fn != p.Parent() || call.Common().IsInvoke() {
			continue
		}
		i := slices.Index(region.Fn.Params, p)
		if arg != nil || i >= len(call.Common().Args) {
			return nil
		}
		arg = call.Common().Args[i]
	}
	return arg
}

// operandOf writes c as Go does; nil if it is not a basic value.
func operandOf(c *ssa.Const) *facts.Operand {
	if c.Value == nil {
		if c.IsNil() {
			return &facts.Operand{Const: "nil"}
		}
		if s, ok := c.Type().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
			return &facts.Operand{Const: "struct{}{}"}
		}
		return nil
	}
	return &facts.Operand{Const: c.Value.ExactString()}
}

// isMessage reports whether v is the message.
func (t *tasker) isMessage(v ssa.Value) bool {
	r := t.h.Receive
	x, isPart := v.(*ssa.Extract)
	switch i := r.Instr.(type) {
	case *ssa.UnOp:
		return !i.CommaOk && v == i || isPart && x.Tuple == i && x.Index == 0
	case *ssa.Select:
		n := 2
		for _, st := range i.States {
			if st.Pos == r.Pos {
				return isPart && x.Tuple == i && x.Index == n
			}
			if st.Dir == types.RecvOnly {
				n++
			}
		}
	}
	return false
}

// group sorts the effects into the task.
func (t *tasker) group() {
	g := t.gathering()
	for i, e := range t.all.list {
		n := t.number(classOf(e, t.operand(e.Key), t.operand(e.Value)))
		g.add(n, t.all.depth[i], e.Pos)
	}
	for _, calls := range t.called {
		t.reach(calls, func(s *summary, depth int, spawned bool) {
			t.gather(g, s, depth, spawned, func(Kind) bool { return true })
		})
	}
	for i, n := range g.order {
		t.list(&t.classes[n], g.found[i])
	}
	t.widen()
	if len(t.task.Accesses) > maxAccesses && !t.keepNew {
		t.task.Accesses = t.task.Accesses[:maxAccesses]
		t.add(Unknown, "more than is listed", t.h.Receive.Pos)
	}
	for _, x := range t.task.Accesses {
		// of what is listed: that is a small part of the accesses of a large task
		x.At = places(x.At)
	}
	t.task.sort()
}

// list adds the effects of a class to the task.
func (t *tasker) list(c *class, x found) {
	switch {
	case c.kind == Send:
		t.task.Sends = append(t.task.Sends, Sending{c.send, t.carried(c.send.Chan), x.depth})
	case !c.kind.isMemory():
		t.add(c.kind, c.what, places(x.at)...)
	default:
		t.task.Accesses = append(t.task.Accesses,
			&Access{Kind: c.kind, Loc: c.loc, By: c.by, Key: orNil(c.key), Value: orNil(c.value),
				At: x.at})
	}
}

func (t *tasker) add(kind Kind, what string, at ...token.Pos) {
	t.task.Operations = append(t.task.Operations,
		Operation{Effect{Kind: kind, State: -1, What: what, Pos: at[0]}, at})
}

// maxAccesses bounds the accesses of a task that are listed and compared with those of others:
// those with the fewest conditions on the way. A task with more may do anything.
const maxAccesses = 1000

// carried returns the part of the message that a channel is.
func (t *tasker) carried(ch Ref) *facts.Operand {
	if o := t.operand(ch); o != nil && o.Const == "" {
		return o
	}
	return nil
}

func orZero(o *facts.Operand) facts.Operand {
	if o == nil {
		return facts.Operand{}
	}
	return *o
}

func orNil(o facts.Operand) *facts.Operand {
	if o == (facts.Operand{}) {
		return nil
	}
	return &o
}

func (t *Task) sort() {
	slices.SortStableFunc(t.Accesses, func(a, b *Access) int {
		return cmp.Or(cmp.Compare(a.Loc.pos, b.Loc.pos), cmp.Compare(a.Loc.name, b.Loc.name),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.At[0], b.At[0]))
	})
	slices.SortStableFunc(t.Sends, func(a, b Sending) int { return cmp.Compare(a.Pos, b.Pos) })
	slices.SortStableFunc(t.Operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind))
	})
}

// Name names the location, with the key if there is one.
func (x *Access) Name() string {
	switch {
	case x.Loc.where == facts.Entry && x.Key != nil:
		return x.Loc.name + "[" + x.Key.String() + "]"
	case x.Loc.where == facts.Entry:
		return x.Loc.name + "[...]"
	}
	return x.Loc.name
}

// Mode says what x does.
func (x *Access) Mode() string {
	return string([]facts.Mode{Read: facts.Reads, Write: facts.Writes,
		Update: facts.Updates}[x.Kind])
}
