// The overlay adds this to package sync: where the entry hooks of its types go for a controlled
// process.
package sync

import (
	"rehearse/runtime/gate"
	"runtime"
	"unsafe"
)

// rehearseOnce is Once.Do for a controlled process. A Once of library code keeps its real state,
// because the package variables that it guards survive the execution. Its function then runs with
// control suspended: it takes place in the first execution only, so nothing that it does may be an
// event.
func rehearseOnce(o *Once, f func(), caller uintptr) {
	gate.Caller = rehearseCaller(caller)
	if gate.OnceDo(unsafe.Pointer(o), f, gate.Caller) {
		return
	}
	owner := gate.Owner
	gate.Owner = 0
	defer func() { gate.Owner = owner }()
	o.doSlow(f)
}

// The helpers below serve a controlled process that is not in library code: what a library keeps in
// its own Pools and Maps outlives executions and is invisible. The border's Pools drop what is put:
// what they keep has locks that are numbered when it is made, and which processor gets what back is
// left to chance. The first result of rehearseGet, and
// of its kin, is theirs; the last one says whether they have done the call.

func rehearseGet(p *Pool, caller uintptr) (v any, done bool) {
	ok := false
	if own := rehearseCaller(caller); !gate.OwnPool(own) {
		gate.Caller = caller
		v, ok = gate.PoolGet(unsafe.Pointer(p))
	} else if gate.Library(own) {
		return nil, false
	}
	if !ok && p.New != nil {
		v = p.New()
	}
	return v, true
}

func rehearsePut(p *Pool, v any, caller uintptr) (done bool) {
	if own := rehearseCaller(caller); gate.OwnPool(own) {
		gate.Pooled(v)
		return !gate.Library(own)
	}
	if v != nil {
		gate.Caller = caller
		gate.PoolPut(unsafe.Pointer(p), v)
	}
	return true
}

// How a method of Map changes the entry of a key.
const (
	rehearseNever  = iota
	rehearseAbsent // if there is none
	rehearseThere  // if there is one
	rehearseAlways
)

// rehearseKey declares a method of Map that is about a key.
func rehearseKey(m *Map, key any, changes int, caller uintptr) {
	if gate.Library(rehearseCaller(caller)) {
		return
	}
	gate.Caller = caller
	gate.MapAccess(unsafe.Pointer(m), key, true, changes != rehearseNever)
	if changes == rehearseAbsent || changes == rehearseThere {
		if _, there := m.m.Load(key); there != (changes == rehearseThere) {
			gate.MapKept()
		}
	}
}

// rehearseClear declares a method of Map that changes all entries.
func rehearseClear(m *Map, caller uintptr) {
	if !gate.Library(rehearseCaller(caller)) {
		gate.Caller = caller
		gate.MapAccess(unsafe.Pointer(m), nil, false, true)
	}
}

func rehearseRange(m *Map, f func(key, value any) bool, caller uintptr) (done bool) {
	if gate.Library(rehearseCaller(caller)) {
		return false
	}
	gate.Caller = caller
	gate.MapRange(unsafe.Pointer(m), m.m.Range, f)
	return true
}

// rehearseOutside has callers that are not in package sync, by parts of their addresses: it takes
// time to find that out.
var rehearseOutside [64]uintptr

// rehearseCaller returns the program counter of the first frame outside package sync: OnceFunc and
// its kin call Once.Do on behalf of whoever calls the function they made.
func rehearseCaller(pc uintptr) uintptr {
	known := &rehearseOutside[pc%uintptr(len(rehearseOutside))]
	if *known == pc {
		return pc
	}
	if !rehearseInSync(pc) {
		*known = pc
		return pc
	}
	var pcs [16]uintptr
	for _, pc := range pcs[:runtime.RehearseCallers(4, pcs[:])] {
		if !rehearseInSync(pc) {
			return pc
		}
	}
	return pc
}

// rehearseInSync reports whether pc is in package sync, or in code of it that was inlined into
// another package.
func rehearseInSync(pc uintptr) bool {
	f := runtime.FuncForPC(pc - 1)
	if f == nil {
		return false
	}
	if name := f.Name(); len(name) > 5 && name[:5] == "sync." {
		return true
	}
	file, _ := f.FileLine(pc - 1)
	const source = "/sync/oncefunc.go"
	return len(file) > len(source) && file[len(file)-len(source):] == source
}
