package hook

import (
	"reflect"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
)

// The functions of this file work while no execution runs. Before one waits, it calls the gate: it
// may be waiting for a service.

// nativeSend does ch <- v.
//
//go:norace
func nativeSend[T any](ch chan<- T, v T) {
	select {
	case ch <- v:
	default:
		gate.Await()
		ch <- v
	}
}

// nativeRecv does v, ok := <-ch.
//
//go:norace
func nativeRecv[T any](ch <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-ch:
	default:
		gate.Await()
		v, ok = <-ch
	}
	return v, ok
}

// nativeCase is a case for reflect.Select.
type nativeCase = reflect.SelectCase

//go:norace
func (r *RecvCase[T]) native() nativeCase {
	return nativeCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.ch)}
}

//go:norace
func (r *SendCase[T]) native() nativeCase {
	return nativeCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(r.ch),
		Send: reflect.ValueOf(&r.v).Elem()}
}

// nativeSelect does a select while no execution runs.
func nativeSelect(hasDefault bool, cases []Case) int {
	list := make([]nativeCase, 0, len(cases)+1)
	for _, c := range cases {
		list = append(list, c.native())
	}
	i, v, ok := reflect.Select(append(list, nativeCase{Dir: reflect.SelectDefault}))
	switch {
	case i < len(cases):
	case hasDefault:
		library.Polled()
		return -1
	default:
		gate.Await()
		i, v, ok = reflect.Select(list)
	}
	if r, is := cases[i].(interface{ set(reflect.Value, bool) }); is {
		r.set(v, ok)
	}
	return i
}

//go:norace
func (r *RecvCase[T]) set(v reflect.Value, ok bool) {
	reflect.ValueOf(&r.V).Elem().Set(v)
	r.OK = ok
}
