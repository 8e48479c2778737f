package ends

// Fullest is how many quarters of a Traces are used at most.
const Fullest = 3

// Traces is a set of trace hashes: open addressing, 11 to 22 bytes an element.
type Traces struct {
	slots []uint64 // 0 is free
	N     int      // hashes
	zero  bool     // whether the hash 0 is in the set
}

// Add adds h, which is evenly spread.
func (s *Traces) Add(h uint64) {
	if h == 0 {
		if !s.zero {
			s.zero = true
			s.N++
		}
		return
	}
	if 4*s.N >= Fullest*len(s.slots) {
		s.grow()
	}
	i := s.slot(h)
	if s.slots[i] == 0 {
		s.slots[i] = h
		s.N++
	}
}

// slot returns the index of h, or of the free slot where it belongs.
func (s *Traces) slot(h uint64) int {
	mask := len(s.slots) - 1
	i := int(h) & mask
	for s.slots[i] != 0 && s.slots[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (s *Traces) grow() {
	old := s.slots
	s.slots = make([]uint64, max(64, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			s.slots[s.slot(h)] = h
		}
	}
}
