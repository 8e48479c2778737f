package hook

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Package reflect cannot name its own types to package gate: values pass as any. A function that
// returns done == false has done nothing; the original body will panic.
func init() {
	gate.MadeChan = madeChan
	gate.ReflectSelect = reflectSelect
	gate.ReflectSend = reflectSend
	gate.ReflectRecv = reflectRecv
	gate.ReflectClose = reflectClose
	gate.ReflectLen = func(v any) int {
		ch := v.(reflect.Value)
		p := world.W.Enter()
		if c := world.Known(p, ch.UnsafePointer()); c != nil && !world.W.Dying() {
			world.W.Do(p, world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Len, c))
			if c.Mailbox() || c.Hidden {
				defer p.Leave()
				return c.Pending()
			}
		}
		p.Leave()
		return plainly(ch.Len)
	}
}

func madeChan(ch unsafe.Pointer) {
	p := world.W.Enter()
	if p != nil || !world.W.Active() {
		world.W.Chans.Made(ch, func() string {
			return "chan made by reflection at " + sched.Site()
		})
	}
	p.Leave()
}

// plainly calls a function of package reflect past the hooks at its entry.
func plainly[T any](f func() T) T {
	defer gate.Back(gate.Aside())
	return f()
}

// usable reports whether ch is a channel that may be used in direction dir.
func usable(ch reflect.Value, dir reflect.ChanDir) bool {
	return ch.Kind() == reflect.Chan && ch.CanInterface() && ch.Type().ChanDir()&dir != 0
}

// sendable returns v as an element of ch.
func sendable(ch, v reflect.Value) (elem reflect.Value, ok bool) {
	if !usable(ch, reflect.SendDir) || !v.IsValid() || !v.CanInterface() ||
		!v.Type().AssignableTo(ch.Type().Elem()) {
		return elem, false
	}
	elem = reflect.New(ch.Type().Elem()).Elem()
	elem.Set(v)
	return elem, true
}

// reflectCase is a communication by reflection. A channel that is the zero Value is a nil channel.
type reflectCase struct {
	kind trace.Kind
	ch   reflect.Value
	c    *chans.Chan
	v    reflect.Value // what is sent, or has been received
	ok   bool
}

func (r *reflectCase) find(p *sched.Proc) *chans.Chan {
	if r.ch.IsValid() {
		r.c = world.Known(p, r.ch.UnsafePointer())
		byReflection(p, r.c)
	}
	return r.c
}

func (r *reflectCase) declare(o *chans.Operation, p *sched.Proc, i int) {
	o.Case(p, i, r.kind, r.find(p))
}

func (r *reflectCase) do(p *sched.Proc, a trace.Alt) {
	states.Spoil("a communication by reflection")
	if a.Partner >= 0 {
		plainly(func() bool { r.meet(); return true })
		p.Leave()
		return
	}
	p.Leave()
	if !r.move() {
		world.Stolen(p)
	}
}

// move passes the value through the channel, if that is possible at once.
func (r *reflectCase) move() (done bool) {
	return plainly(func() bool {
		if r.kind == trace.Send {
			return r.ch.TrySend(r.v)
		}
		r.v, r.ok = r.ch.TryRecv()
		return r.v.IsValid()
	})
}

// meet does one side of a rendezvous, as put and take do. The race detector watches the copies of
// package reflect, except for those from and to channels.
func (r *reflectCase) meet() {
	if r.kind == trace.Send {
		r.c.Transit = r.v.Addr().UnsafePointer()
		return
	}
	typ := r.ch.Type().Elem()
	one := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, typ), 1)
	one.Send(reflect.NewAt(typ, r.c.Transit).Elem())
	r.c.Transit = nil
	r.v, r.ok = one.Recv()
}

// native is never called: these cases exist under control only.
func (r *reflectCase) native() nativeCase { panic("hook: a plain select by reflection") }

// alone does r as a statement of its own.
func (r *reflectCase) alone() {
	p := world.W.Enter()
	c := r.find(p)
	r.do(p, world.W.Do(p, world.Scratch(p).Chan.Declare(world.W.Chans, p, r.kind, c)))
}

// perform does r, alone or, if it may fail, as a select with default, and reports whether it was
// done.
func (r *reflectCase) perform(try bool) bool {
	if try {
		return Select(true, r) == 0
	}
	r.alone()
	return true
}

func reflectSend(ch, v any, try bool) (ok, done bool) {
	r := &reflectCase{kind: trace.Send, ch: ch.(reflect.Value)}
	if r.v, ok = sendable(r.ch, v.(reflect.Value)); !ok {
		return false, false
	}
	return r.perform(try), true
}

func reflectRecv(ch any, try bool) (v any, ok, done bool) {
	r := &reflectCase{kind: trace.Recv, ch: ch.(reflect.Value)}
	if !usable(r.ch, reflect.RecvDir) {
		return nil, false, false
	}
	r.perform(try)
	return r.v, r.ok, true
}

// reflectClose only takes note where no process closes the channel.
func reflectClose(v any) (done bool) {
	ch := v.(reflect.Value)
	if !usable(ch, reflect.SendDir) {
		return false
	}
	p := world.W.Enter()
	switch {
	case p == nil:
		world.W.Chans.Close(ch.UnsafePointer())
		return false
	case world.W.Dying():
		p.Leave()
		return true
	}
	c := world.Known(p, ch.UnsafePointer())
	world.W.Do(p, world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Close, c))
	p.Leave()
	return plainly(func() bool { ch.Close(); return true })
}

func reflectSelect(list any) (chosen int, v any, ok, done bool) {
	s := reflectSelection{fallback: -1}
	if !s.add(list.([]reflect.SelectCase)) {
		return 0, nil, false, false
	}
	i := Select(s.fallback >= 0, s.cases...)
	if i < 0 {
		return s.fallback, nil, false, true
	}
	r := s.cases[i].(*reflectCase)
	if r.kind == trace.Send {
		return s.index[i], nil, false, true
	}
	return s.index[i], r.v, r.ok, true
}

// reflectSelection is the argument of a reflect.Select.
type reflectSelection struct {
	cases    []Case
	index    []int // of each case in the argument
	fallback int   // index of the default case, -1 if there is none
}

// add reports whether reflect.Select accepts the cases.
func (s *reflectSelection) add(list []reflect.SelectCase) bool {
	for i, c := range list {
		r, ok := reflectedCase(c)
		switch {
		case !ok || r == nil && s.fallback >= 0 || len(list) > 65536:
			return false
		case r == nil:
			s.fallback = i
		default:
			s.cases, s.index = append(s.cases, r), append(s.index, i)
		}
	}
	return true
}

// reflectedCase returns nil for default.
func reflectedCase(c reflect.SelectCase) (r *reflectCase, ok bool) {
	r = &reflectCase{kind: trace.Recv, ch: c.Chan}
	switch c.Dir {
	case reflect.SelectDefault:
		return nil, !c.Chan.IsValid() && !c.Send.IsValid()
	case reflect.SelectSend:
		r.kind = trace.Send
		if c.Chan.IsValid() {
			r.v, ok = sendable(c.Chan, c.Send)
			return r, ok
		}
		return r, true
	case reflect.SelectRecv:
		return r, !c.Send.IsValid() && (!c.Chan.IsValid() || usable(c.Chan, reflect.RecvDir))
	}
	return nil, false
}
