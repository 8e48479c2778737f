// Values that a decoder fills in, or that package unsafe makes, are unknown.
package main

import (
	"encoding/json"
	"reflect"
	"unsafe"
)

type config struct {
	Name    string
	Servers []*address
	Next    *config
	hidden  *address
}

type address struct{ Host string }

func (a *address) dial() {
	print(a) //@ dialled
}

func main() {
	var c config                         //@ c
	_ = json.Unmarshal([]byte("{}"), &c) //@ decode
	for _, s := range c.Servers {
		s.dial() //@ dial
	}
	print(c.Next.Next)       //@ next
	print(c.hidden)          //@ hidden
	v := reflect.ValueOf(&c) //@ reflect
	_ = v
	x := 1                  //@ x
	p := unsafe.Pointer(&x) //@ unsafe
	print((*int)(p))        //@ back
}

// WANT:
//
//	dialled: unknown:address
//	next: unknown:config
//	hidden:
//	back: x
//	calls dial: (address).dial
