// The effects of C and reflection are unknown. A function value that package unsafe has given
// another signature is not called.
package main

/*
typedef struct { void *p; } box;
static void *same(void *p) { return p; }
*/
import "C"

import (
	"reflect"
	"unsafe"
)

type node struct{ next *node }

func (n *node) Visit() *node { return n.next }

func plain(n *node) *node { return n }

func main() {
	n := &node{}                        //@ n
	p := C.same(unsafe.Pointer(n))      //@ same
	print((*node)(p))                   //@ back
	print(plain(n))                     //@ plain
	v := reflect.ValueOf(n)             //@ value
	out := v.MethodByName("Visit")      //@ method
	print(out.Call(nil)[0].Interface()) //@ call

	f := plain
	g := *(*func(*node, *node) *node)(unsafe.Pointer(&f)) //@ cast
	print(g(n, n))                                        //@ other
}

// WANT:
//
//	plain: n
//	calls plain: plain
//	plain: !unknown:node
//	back: n outside same
//	reach call: n
//	calls other:
