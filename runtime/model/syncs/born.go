package syncs

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Member is an object in a struct.
type Member struct {
	offset uintptr
	kind   kind
}

// memberKinds has the types of package sync whose objects are numbered when they are made.
var memberKinds = map[string]kind{
	"Mutex": mutex, "RWMutex": rwmutex, "WaitGroup": waitgroup, "Once": once, "Cond": cond,
}

// Members lists the objects of synchronisation in a struct.
func Members(t reflect.Type) (list []Member) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Type.PkgPath() {
		case "sync":
			if k, ok := memberKinds[f.Type.Name()]; ok {
				list = append(list, Member{f.Offset, k})
			}
			continue
		case "sync/atomic":
			list = append(list, Member{f.Offset, variable})
			continue
		}
		for _, p := range Members(f.Type) {
			list = append(list, Member{f.Offset + p.offset, p.kind})
		}
	}
	return list
}

// Born numbers the objects in a struct that has just been made, for a caller, a program counter.
func (w *World) Born(at unsafe.Pointer, parts []Member, caller uintptr) {
	for _, p := range parts {
		gate.Caller = caller
		w.find(unsafe.Add(at, p.offset), p.kind)
		w.s.Made()
	}
}
