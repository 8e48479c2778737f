package hook

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// members has the objects of synchronisation in the structs that Born has seen.
var members = map[reflect.Type][]syncs.Member{}

// Born numbers the objects of synchronisation in the struct at p, which has just been made.
//
//go:norace
func Born[T any](p *T) *T {
	if world.W.Current() != nil {
		born(unsafe.Pointer(p), reflect.TypeFor[T]())
	}
	return p
}

func born(at unsafe.Pointer, t reflect.Type) {
	p := world.W.Enter()
	list, ok := members[t]
	if !ok {
		list = syncs.Members(t)
		members[t] = list
	}
	var caller [1]uintptr
	gate.Callers(3, caller[:])
	world.W.Syncs.Born(at, list, caller[0])
	p.Leave()
}
