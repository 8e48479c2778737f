package drive

import (
	"reflect"

	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Chan does the operations on channels of one element type. Package reflect could do them too,
// except on mailboxes.
type Chan interface {
	elem() reflect.Type
	make(bag bool) reflect.Value
	send(ch, v reflect.Value)
	recv(ch reflect.Value) (v reflect.Value, ok bool)
	close(ch reflect.Value)
	letters(ch reflect.Value) (obj int32, list []letter)
}

type letter struct {
	trace.Message
	v reflect.Value
}

// ChanOf returns the operations on channels of T.
func ChanOf[T any]() Chan { return chanOf[T]{} }

type chanOf[T any] struct{}

func (chanOf[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

func (chanOf[T]) make(bag bool) reflect.Value {
	if bag {
		return reflect.ValueOf(hook.Mailbox(make(chan T, 1)))
	}
	return reflect.ValueOf(hook.Made(make(chan T)))
}

func (chanOf[T]) send(ch, v reflect.Value) {
	hook.Send(ch.Convert(reflect.TypeFor[chan<- T]()).Interface().(chan<- T)).V(as[T](v))
}

func (chanOf[T]) recv(ch reflect.Value) (reflect.Value, bool) {
	v, ok := hook.Recv2(ch.Convert(reflect.TypeFor[<-chan T]()).Interface().(<-chan T))
	return reflect.ValueOf(&v).Elem(), ok
}

func (chanOf[T]) close(ch reflect.Value) {
	hook.Close(ch.Convert(reflect.TypeFor[chan<- T]()).Interface().(chan<- T))
}

func (chanOf[T]) letters(ch reflect.Value) (obj int32, list []letter) {
	c := ch.Interface().(chan T)
	for _, l := range hook.Letters(c) {
		list = append(list, letter{l.Message, reflect.ValueOf(&l.Value).Elem()})
	}
	return hook.Number(c), list
}

// as is a value as a T, which may be an interface type.
func as[T any](v reflect.Value) T {
	var x T
	if v.IsValid() {
		reflect.ValueOf(&x).Elem().Set(v)
	}
	return x
}

// Proxy makes the environment's implementation of an interface.
type Proxy struct {
	typ reflect.Type
	new func(c Caller) reflect.Value
}

// Caller calls a method of the environment's.
type Caller func(method string, args ...any) []any

// ProxyOf returns a proxy for interface type T.
func ProxyOf[T any](make func(c Caller) T) Proxy {
	return Proxy{reflect.TypeFor[T](), func(c Caller) reflect.Value {
		x := make(c)
		return reflect.ValueOf(&x).Elem()
	}}
}

// As is a result of a Caller as a T.
func As[T any](v any) T {
	x, _ := v.(T)
	return x
}
