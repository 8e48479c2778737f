package machine

import (
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// target returns the variable that argument n points to. If it is nil, the process panics.
func (c *site) target(n int) *heap.Cell {
	cell := c.h.Pointee(c.args[n], types.Typ[types.Int])
	if cell == nil {
		c.p.fault(c.in)
	}
	return cell
}

// synced returns the sync object that argument 0 points to, and nil if the process panics.
func (c *site) synced(class trace.Class) *heap.Object {
	cell := c.target(0)
	if cell == nil {
		return nil
	}
	return c.h.Synced(cell, class, &c.p.Process)
}

func lock(kind trace.Kind, class trace.Class) native {
	return func(c *call) {
		if cell := c.target(0); cell != nil {
			c.lockOperation(cell, kind, class)
		}
	}
}

// lockerKinds are the operations of an unknown Locker, and of a reader's, by the method's name.
var (
	lockerKinds = map[string]trace.Kind{"Lock": trace.Lock, "Unlock": trace.Unlock}
	readerKinds = map[string]trace.Kind{"Lock": trace.RLock, "Unlock": trace.RUnlock}
)

// lockOperation declares an operation of a lock.
func (c *call) lockOperation(cell *heap.Cell, kind trace.Kind, class trace.Class) {
	if kind == trace.None {
		c.unknownCall("a result")
		return
	}
	o := c.h.Synced(cell, class, &c.p.Process)
	_, misused := o.Misused(&c.p.Process, kind == trace.RUnlock)
	if (o.Foreign || o.Wanders) && unbalanced(o, kind) && (!misused || c.p.panicking != nil) {
		c.p.m.unfinished("a lock is unlocked that somebody else has locked")
		return
	}
	c.p.declare(trace.Op{Kind: kind, Obj: o.ID}, c.pos,
		func(ev *trace.Event, _ int, _ heap.Value, _ bool) { c.set(ev.OK) })
}

// unbalanced reports whether an unlock of a foreign lock would be of what is not locked: the caller
// has locked it.
func unbalanced(o *heap.Object, kind trace.Kind) bool {
	switch kind {
	case trace.Unlock:
		return !o.Locked
	case trace.WUnlock:
		return !o.Writing
	case trace.RUnlock:
		return o.Readers == 0
	}
	return false
}

func readLocker(c *call) {
	if cell := c.target(0); cell != nil {
		c.set(heap.Iface{T: types.Typ[types.Int], V: heap.ReadLocker{Of: cell}})
	}
}

func onceDo(c *call) {
	o := c.synced(trace.OnceGuard)
	if o == nil {
		return
	}
	c.do(o, c.args[1], func(heap.Value) {}, func() {})
}

// do calls fn if nobody has passed the guard o. It calls first with what fn returns, or late if
// somebody has.
func (c *site) do(o *heap.Object, fn heap.Value, first func(result heap.Value), late func()) {
	p := c.p
	p.declare(trace.Op{Kind: trace.Once, Obj: o.ID}, c.pos, func(ev *trace.Event, _ int,
		_ heap.Value, _ bool) {
		if !ev.OK {
			late()
			return
		}
		finish := func() { p.declare(trace.Op{Kind: trace.OnceDone, Obj: o.ID}, c.pos, nil) }
		do, ok := fn.(*heap.Closure)
		switch {
		case ok && do.Ends != nil:
			p.end(do.Ends, c.pos)
			p.todo = append(p.todo, finish)
		case ok && p.m.prog.Func(do.Fn) != nil:
			f := p.push(p.m.prog.Func(do.Fn), nil, do.Free, -1, c.pos)
			f.done = func(result heap.Value) {
				first(result)
				finish()
			}
			f.unwound = finish
		default:
			c.h.Share(fn)
			first(nil)
			finish()
		}
	})
}

// onceFunc makes the function that sync.OnceFunc returns, or OnceValue, or OnceValues.
func onceFunc(c *call) {
	guard := c.h.Object(trace.OnceGuard, 0, &c.p.Process, c.pos)
	c.set(&heap.Closure{Once: &heap.Once{Guard: guard}, Free: []heap.Value{guard, c.args[0]}})
}

// callOnce calls such a function.
func (c *call) callOnce(fn *heap.Closure) {
	set := func(v heap.Value) {
		if v == nil {
			c.result(c.in.Callee.Sig, "what the function returns")
			return
		}
		c.set(v)
	}
	c.do(fn.Once.Guard, fn.Free[1], func(result heap.Value) {
		fn.Once.Result = result
		set(result)
	}, func() { set(fn.Once.Result) })
}

// fieldNamed returns the variable of a field of a struct; nil if there is none of that name.
func fieldNamed(cell *heap.Cell, name string) *heap.Cell {
	st, ok := cell.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return cell.Kid(i)
		}
	}
	return nil
}

func newCond(c *call) {
	ptr, ok := c.in.Type.(*types.Pointer)
	if !ok {
		return
	}
	cell := heap.NewCell(ptr.Elem(), c.pos)
	if l := fieldNamed(cell, "L"); l != nil {
		c.h.Store(l, c.args[0])
	}
	c.set(cell)
}

// condWait enlists, unlocks, waits and locks again.
func condWait(c *call) {
	cell := c.target(0)
	if cell == nil {
		return
	}
	p := c.p
	o := c.h.Synced(cell, trace.Cond, &p.Process)
	if o.Foreign { // others wake it sooner or later; it has its lock again then
		gap(p)
		c.h.Waited++
		return
	}
	var locker heap.Value
	if l := fieldNamed(cell, "L"); l != nil {
		locker = c.h.Load(l)
	}
	mutex, class, kinds := lockerOf(locker)
	if mutex == nil {
		p.m.unfinished("the Locker of a Cond is not known")
		return
	}
	l := c.h.Synced(mutex, class, &p.Process)
	p.declare(trace.Op{Kind: trace.CondEnter, Obj: o.ID}, c.pos, func(*trace.Event, int,
		heap.Value, bool) {
		number := o.Waiters - 1
		p.todo = append(p.todo,
			func() { p.declare(trace.Op{Kind: kinds[1], Obj: l.ID}, c.pos, nil) },
			func() { p.declare(trace.Op{Kind: trace.CondWait, Obj: o.ID, N: number}, c.pos, nil) },
			func() { p.declare(trace.Op{Kind: kinds[0], Obj: l.ID}, c.pos, nil) })
	})
}

// lockerOf returns the variable that a Locker is, and how to lock and unlock it.
func lockerOf(v heap.Value) (*heap.Cell, trace.Class, [2]trace.Kind) {
	i, ok := v.(heap.Iface)
	if !ok {
		return nil, "", [2]trace.Kind{}
	}
	if l, ok := i.V.(heap.ReadLocker); ok {
		return l.Of, trace.RWMutex, [2]trace.Kind{trace.RLock, trace.RUnlock}
	}
	cell, ok := i.V.(*heap.Cell)
	if !ok {
		return nil, "", [2]trace.Kind{}
	}
	switch i.T.String() {
	case "*sync.Mutex":
		return cell, trace.Mutex, [2]trace.Kind{trace.Lock, trace.Unlock}
	case "*sync.RWMutex":
		return cell, trace.RWMutex, [2]trace.Kind{trace.WLock, trace.WUnlock}
	}
	return nil, "", [2]trace.Kind{}
}

func condWake(kind trace.Kind) native {
	return func(c *call) {
		if o := c.synced(trace.Cond); o != nil {
			c.p.declare(trace.Op{Kind: kind, Obj: o.ID}, c.pos, nil)
		}
	}
}
