package strategy

// procset is a set of processes, by number. Its memory is reused.
type procset []uint64

// empty returns s without elements and with room for n processes.
func (s procset) empty(n int) procset {
	s = s[:0]
	for range (n + 63) / 64 {
		s = append(s, 0)
	}
	return s
}

func (s procset) add(p int32) { s[p>>6] |= 1 << (p & 63) }

func (s procset) has(p int32) bool {
	return p >= 0 && int(p>>6) < len(s) && s[p>>6]&(1<<(p&63)) != 0
}

func (s procset) addAll(t procset) {
	for i, w := range t {
		s[i] |= w
	}
}

// shared keeps of p what q has, too.
func (p procset) shared(q procset) procset {
	for w := range p {
		if w < len(q) {
			p[w] &= q[w]
		} else {
			p[w] = 0
		}
	}
	return p
}
