package world

import (
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// TestStacks: nothing remembers where an object on a stack is, as stacks move.
func TestStacks(t *testing.T) {
	defer func(old func(unsafe.Pointer) bool) { gate.OnHeap = old }(gate.OnHeap)
	gate.OnHeap = func(unsafe.Pointer) bool { return false }
	var u Uses
	at := unsafe.Pointer(new(int))
	if u.Touches(Touch{At: at}, 1) || len(u.touched) > 0 {
		t.Error("a touched object is remembered")
	}
	if u.News(Use{At: at}, nil) || u.inside != (Use{}) {
		t.Error("a changed stream is remembered")
	}
}
