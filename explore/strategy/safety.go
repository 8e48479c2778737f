package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// Whether an Unlock or a Done can panic in any order of the events. Most cannot, for a reason that is quick to see: a process unlocks
// what it has locked, and before each Done comes an Add that is for no other.

// safety is what is known of an object.
type safety uint8

const (
	unclear safety = iota // not looked at yet
	safe
	unsafe
)

// isSafe reports whether no operation on a mutex, or a WaitGroup, can panic, whatever the order of the events.
func (s *study) isSafe(obj int32) bool {
	if obj < 0 {
		return false
	}
	for int(obj) >= len(s.safe) {
		s.safe = append(s.safe, unclear)
	}
	if s.safe[obj] == unclear {
		if s.safe[obj] = unsafe; s.locksFirst(obj) && s.addsFirst(obj) {
			s.safe[obj] = safe
		}
	}
	return s.safe[obj] == safe
}

// locksFirst reports whether each process that unlocks obj has locked it right before.
func (s *study) locksFirst(obj int32) bool {
	for q := range int32(len(s.x.Procs)) {
		holds := trace.None
		for k := int32(0); ; k++ {
			op, at := s.nth(q, k)
			if op == nil {
				break
			}
			if op.Obj != obj {
				continue
			}
			switch op.Kind {
			case trace.Unlock, trace.WUnlock:
				if holds != trace.Lock {
					return false
				}
				holds = trace.None
			case trace.RUnlock:
				if holds != trace.RLock {
					return false
				}
				holds = trace.None
			case trace.Lock, trace.WLock, trace.WWait:
				holds = trace.Lock
			case trace.TryLock, trace.WTryLock:
				if at >= 0 && s.x.Events[at].OK {
					holds = trace.Lock
				}
			case trace.RLock, trace.RTryLock:
				if at >= 0 && (op.Kind == trace.RLock || s.x.Events[at].OK) {
					holds = trace.RLock
				}
			}
		}
	}
	return true
}

// addsFirst reports whether before each call that takes from the counter of obj one happens that adds as much, and is for no other.
func (s *study) addsFirst(obj int32) bool {
	left := map[int32]int32{} // what an event adds, and nobody has taken
	for k := range s.n {
		if e := &s.x.Events[k]; e.Kind == trace.WgAdd && e.Obj == obj && e.Op.N > 0 {
			left[k] = e.Op.N
		}
	}
	for q := range int32(len(s.x.Procs)) {
		for k := int32(0); ; k++ {
			op, _ := s.nth(q, k)
			if op == nil {
				break
			}
			if op.Kind == trace.WgAdd && op.Obj == obj && op.N < 0 && !s.take(left, s.before(q, k), -op.N) {
				return false
			}
		}
	}
	return true
}

// take takes n of what event b, and what happens before it, has added; the latest first.
func (s *study) take(left map[int32]int32, b, n int32) bool {
	for k := b; k >= 0 && n > 0; k-- {
		if left[k] > 0 && (k == b || hasBit(s.row(b), k)) {
			m := min(n, left[k])
			left[k] -= m
			n -= m
		}
	}
	return n == 0
}

// before returns the event before step k of process q, -1 if there is none.
func (s *study) before(q, k int32) int32 {
	if k > 0 {
		return s.acts[q][k-1]
	}
	return s.x.Procs[q].Born - 1
}
