// Package under has the operations of package hook on channels for the rewritten packages of the
// standard library that package hook itself depends on, such as io. It uses package reflect, which
// depends on none of them, and whose operations on channels are hooked.
//
// Vocabulary: the functions and types are those of package hook of the same names.
//
// Guarantees: the functions do the same as those of package hook, under control and otherwise.
//
// LIMITS: only operations that such packages use are here. An operation costs as much as one by
// reflection.
package under

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Made registers a channel that the program has just made.
func Made[C any](ch C) C {
	if gate.MadeChan != nil {
		gate.MadeChan(*(*unsafe.Pointer)(unsafe.Pointer(&ch)))
	}
	return ch
}

// To is a channel to send to.
type To[T any] chan<- T

// Send prepares ch <- v, which Send(ch).V(v) does.
func Send[T any](ch chan<- T) To[T] { return To[T](ch) }

// V sends v.
func (to To[T]) V(v T) { reflect.ValueOf(to).Send(element(&v)) }

// element returns the value that v points to, of type T even where that is an interface.
func element[T any](v *T) reflect.Value { return reflect.ValueOf(v).Elem() }

// Recv does <-ch.
func Recv[T any](ch <-chan T) T {
	v, _ := Recv2(ch)
	return v
}

// Recv2 does v, ok := <-ch.
func Recv2[T any](ch <-chan T) (v T, ok bool) {
	x, ok := reflect.ValueOf(ch).Recv()
	element(&v).Set(x)
	return v, ok
}

// Next is Recv2 in a loop that ranges over ch.
func Next[T any](ch <-chan T) (v T, ok bool) { return Recv2(ch) }

// Close does close(ch).
func Close[T any](ch chan<- T) { reflect.ValueOf(ch).Close() }

// Case is one communication of a select statement.
type Case interface {
	reflected() reflect.SelectCase
	set(v reflect.Value, ok bool)
}

// RecvCase is a receive of a select statement. When it is chosen, it holds what was received.
type RecvCase[T any] struct {
	V  T
	OK bool

	ch <-chan T
}

// SendCase is a send of a select statement.
type SendCase[T any] struct {
	v  T
	ch chan<- T
}

// R declares a receive from ch.
func R[T any](ch <-chan T) *RecvCase[T] { return &RecvCase[T]{ch: ch} }

// S prepares the declaration of a send to ch, which S(ch).Case(v) makes.
func S[T any](ch chan<- T) To[T] { return To[T](ch) }

// Case declares a send of v.
func (to To[T]) Case(v T) *SendCase[T] { return &SendCase[T]{v: v, ch: to} }

func (r *RecvCase[T]) reflected() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.ch)}
}

func (r *RecvCase[T]) set(v reflect.Value, ok bool) {
	element(&r.V).Set(v)
	r.OK = ok
}

func (r *SendCase[T]) reflected() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(r.ch),
		Send: element(&r.v)}
}

func (r *SendCase[T]) set(reflect.Value, bool) {}

// Select does a select statement with these cases and returns the index of the one chosen, or -1
// for default.
func Select(hasDefault bool, cases ...Case) int {
	list := make([]reflect.SelectCase, 0, len(cases)+1)
	for _, c := range cases {
		list = append(list, c.reflected())
	}
	if hasDefault {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	cases[i].set(v, ok)
	return i
}
