package trace

// A section is what a process does between a Lock of a mutex and its Unlock, if others can see
// nothing of it but accesses to variables: then it is one step. Two sections of one mutex have an
// order only if their accesses to some variable do not commute. A search learns from the executions
// which variables are contended (see runtime/model/sections) and tells the operations before they
// are done:
//
// Op.N of an ordinary operation of a Mutex or RWMutex is 0. Otherwise it is Section and, for each
// contended variable, by a number below Contended, whether the section looks at it (Looks) and
// whether it updates it (Updates). Looks commute with looks. Updates are all of one class, such as
// additions, and commute with updates. A write has both bits, and commutes with neither.
const (
	Section   int32 = 1 << 30
	Contended       = 15
)

// Looks is the bit that says that a section looks at contended variable i.
func Looks(i int) int32 { return 1 << i }

// Updates is the bit that says that a section updates contended variable i.
func Updates(i int) int32 { return 1 << (Contended + i) }

// Commute reports whether two sections of one mutex have no order, by what Op.N says of them.
func Commute(a, b int32) bool {
	const looks = 1<<Contended - 1
	return a&b&Section != 0 && a&looks&(b>>Contended)|b&looks&(a>>Contended) == 0
}

// Sectioned returns what Op.N says of an operation of a Mutex or RWMutex, 0 of any other operation.
func (op *Op) Sectioned() int32 {
	switch op.Kind {
	case Lock, Unlock, WLock, WUnlock, RLock, RUnlock:
		return op.N
	}
	return 0
}

// Did returns the effects of the section that e begins or ends: of the looks and updates in Op.N,
// those that the section has made in this execution, as far as they are known. Op.N has all that a
// section of the same process and number may make. An event of no section has 0. An event that is
// only foreseen, or whose section has not ended, has Op.N.
//
// The accesses of a section depend only on the events before it. So two sections that have only
// looked commute in the executions in which they have, although either of them writes if it comes
// first:
//
//	mu.Lock(); if x == nil { x = new(T) }; mu.Unlock()
func (e *Event) Did() int32 {
	if n := e.Op.Sectioned(); n == 0 || e.Seq == 0 {
		return n
	}
	return e.Seq
}

// Handed has the knowledge that the operations of one mutex pass on to each other because of
// sections: a T for each way in which a section may be contended. Sections that commute pass
// nothing on to each other, as they might have run in the other order. The zero value has passed on
// nothing.
type Handed[T any] struct {
	// by those that have written, and by those that have only read, to ordinary locks
	ended, left    T
	looks, updates [2][Contended]T
}

// The indices of looks and updates: accesses under a Lock, and under an RLock.
const (
	byLock = iota
	byRLock
)

// Begin calls learn with all that is passed on to a section that begins with an operation of kind k
// that says n.
func (h *Handed[T]) Begin(k Kind, n int32, learn func(T)) {
	h.each(byLock, n, learn)
	if k == WLock {
		h.each(byRLock, n, learn)
	}
}

// each calls learn with all that is passed on by sections that do not commute with one that says n.
func (h *Handed[T]) each(who int, n int32, learn func(T)) {
	for i := range Contended {
		if n&Looks(i) != 0 {
			learn(h.updates[who][i])
		}
		if n&Updates(i) != 0 {
			learn(h.looks[who][i])
		}
	}
}

// End calls teach with each T by which a section passes knowledge on. The section ends with an
// operation of kind k that says n.
func (h *Handed[T]) End(k Kind, n int32, teach func(*T)) {
	who := byLock
	if k == RUnlock {
		who = byRLock
		teach(&h.left)
	} else {
		teach(&h.ended)
	}
	for i := range Contended {
		if n&Looks(i) != 0 {
			teach(&h.looks[who][i])
		}
		if n&Updates(i) != 0 {
			teach(&h.updates[who][i])
		}
	}
}

// Ordinary calls learn with all that sections pass on to an ordinary operation of kind k.
func (h *Handed[T]) Ordinary(k Kind, learn func(T)) {
	switch k {
	case Lock, RLock, TryLock, RTryLock:
		learn(h.ended)
	case WLock, WWait, WTryLock:
		learn(h.ended)
		learn(h.left)
	}
}

// All calls f with each T.
func (h *Handed[T]) All(f func(*T)) {
	f(&h.ended)
	f(&h.left)
	for who := range h.looks {
		for i := range Contended {
			f(&h.looks[who][i])
			f(&h.updates[who][i])
		}
	}
}

// Unlocks reports whether k unlocks a mutex.
func (k Kind) Unlocks() bool { return k == Unlock || k == WUnlock || k == RUnlock }

// Tries reports whether k tries to lock a mutex, and sees whether another process holds it.
func (k Kind) Tries() bool { return k == TryLock || k == WTryLock || k == RTryLock }
