package search

// Procset is a set of processes, by number. Its memory is reused.
type Procset []uint64

// Empty returns s without elements and with room for n processes.
func (s Procset) Empty(n int) Procset {
	s = s[:0]
	for range (n + 63) / 64 {
		s = append(s, 0)
	}
	return s
}

// Add puts a process into the set.
func (s Procset) Add(p int32) { s[p>>6] |= 1 << (p & 63) }

// Has reports whether a process is in the set.
func (s Procset) Has(p int32) bool {
	return p >= 0 && int(p>>6) < len(s) && s[p>>6]&(1<<(p&63)) != 0
}

// AddAll puts all of another set of the same length into the set.
func (s Procset) AddAll(t Procset) {
	for i, w := range t {
		s[i] |= w
	}
}

// Shared keeps of p what q has, too.
func (p Procset) Shared(q Procset) Procset {
	for w := range p {
		if w < len(q) {
			p[w] &= q[w]
		} else {
			p[w] = 0
		}
	}
	return p
}
