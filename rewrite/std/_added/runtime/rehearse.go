// The overlay adds this to package runtime: its view of goroutines and of the heap, for package
// gate.
package runtime

import "unsafe"

// RehearseGoid returns the id of the calling goroutine.
func RehearseGoid() uint64 { return getg().goid }

// RehearseLocked reports whether the calling goroutine is tied to its thread.
func RehearseLocked() bool { return getg().lockedm != 0 }

// RehearsePanic returns the value of the calling goroutine's panic that nobody has recovered.
func RehearsePanic() (value any, ok bool) {
	p := getg()._panic
	if p == nil || p.goexit || p.recovered {
		return nil, false
	}
	return p.arg, true
}

// RehearseOnHeap reports whether at is on the heap: not a package-level variable.
func RehearseOnHeap(at unsafe.Pointer) bool { return spanOfHeap(uintptr(at)) != nil }

// RehearseObject returns the object on the heap that p points into, and whether it may have
// pointers itself; nil if there is none. p may be any number. Tiny objects share a block, and
// nobody knows where each ends: of those, it returns what may belong to one at p.
func RehearseObject(p unsafe.Pointer) (at unsafe.Pointer, size uintptr, pointers bool) {
	s := spanOf(uintptr(p))
	if s == nil || s.state.get() != mSpanInUse || uintptr(p) < s.base() || uintptr(p) >= s.limit {
		return nil, 0, false
	}
	noscan := s.spanclass.noscan()
	base := s.base() + s.objIndex(uintptr(p))*s.elemsize
	if word := uintptr(8); noscan && s.elemsize == maxTinySize && uintptr(p)%word == 0 {
		return p, base + s.elemsize - uintptr(p), false
	}
	return unsafe.Pointer(base), s.elemsize, !noscan
}

// RehearseFresh makes the calling goroutine's next tiny object begin a block of its own.
func RehearseFresh() {
	mp := acquirem()
	if c := getMCache(mp); c != nil {
		c.tiny, c.tinyoffset = 0, 0
	}
	releasem(mp)
}

// RehearseSlots lists the offsets of the pointers in an object that begins at at.
func RehearseSlots(at unsafe.Pointer) (offsets []uintptr) {
	slots(spanOf(uintptr(at)), uintptr(at), func(slot uintptr) {
		offsets = append(offsets, slot-uintptr(at))
	})
	return offsets
}

// slots calls f for the address of each pointer in the object of s that begins at at.
func slots(s *mspan, at uintptr, f func(slot uintptr)) {
	for tp := s.typePointersOfUnchecked(at); ; {
		var slot uintptr
		if tp, slot = tp.next(at + s.elemsize); slot == 0 {
			return
		}
		f(slot)
	}
}

// RehearsePointers appends to dst the pointers in the object on the heap that contains address p,
// and returns its address; 0 if there is none. p may be any number.
func RehearsePointers(p uintptr, dst []uintptr) (at uintptr, pointers []uintptr) {
	s := spanOf(p)
	if s == nil || s.state.get() != mSpanInUse || p < s.base() || p >= s.limit ||
		s.isFree(s.objIndex(p)) {
		return 0, dst
	}
	at = s.base() + s.objIndex(p)*s.elemsize
	if s.spanclass.noscan() {
		return at, dst
	}
	slots(s, at, func(slot uintptr) { dst = append(dst, *(*uintptr)(unsafe.Pointer(slot))) })
	return at, dst
}

// RehearseGlobal reports whether p is in a package-level variable that may have pointers. p may be
// any number.
func RehearseGlobal(p uintptr) bool {
	for m := &firstmoduledata; m != nil; m = m.next {
		if m.data <= p && p < m.edata || m.bss <= p && p < m.ebss {
			return true
		}
	}
	return false
}

// RehearseForeign reports whether p is in memory that Go has neither allocated nor linked: C has,
// or a system call. It may be given back and be used again for another variable.
func RehearseForeign(p unsafe.Pointer) bool {
	if spanOf(uintptr(p)) != nil {
		return false
	}
	for m := &firstmoduledata; m != nil; m = m.next {
		if m.text <= uintptr(p) && uintptr(p) < m.end {
			return false
		}
	}
	return true
}

// RehearseFrames returns what the calling goroutine shows of its stack; nil: no stack is to be
// looked at.
var RehearseFrames func(pcs []uintptr) []uintptr

// RehearseStack is Stack, if it is to be other than the runtime's.
var RehearseStack func(buf []byte, all bool) (n int, ok bool)

// RehearseReturns is a fast RehearseCallers of whole functions, without those that are inlined. It
// returns 0 where frames have no pointers to each other.
//
//go:noinline
func RehearseReturns(pc []uintptr) int {
	if tracefpunwindoff() {
		return 0
	}
	return fpTracebackPCs(unsafe.Pointer(getfp()), pc)
}

// RehearseCallers is Callers that hides nothing.
func RehearseCallers(skip int, pc []uintptr) int {
	if len(pc) == 0 {
		return 0
	}
	return callers(skip, pc)
}

// rehearseCallers is callers for Callers and Caller, with what is to be shown.
//
//go:noinline
func rehearseCallers(skip int, pc []uintptr) int {
	for size := 128; ; size *= 4 {
		all := make([]uintptr, size)
		n := callers(0, all)
		if n == size {
			continue
		}
		shown := RehearseFrames(all[1:n]) // without this function
		if skip < 0 || skip > len(shown) {
			return 0
		}
		return copy(pc, shown[skip:])
	}
}
