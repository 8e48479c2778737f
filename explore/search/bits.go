package search

// Sets of events: a bit for each number.

// Sized returns s as the empty set with room for numbers below n.
func Sized(s []uint64, n int32) []uint64 {
	s = s[:0]
	for range (n + 63) >> 6 {
		s = append(s, 0)
	}
	return s
}

// HasBit reports whether k is in the set.
func HasBit(s []uint64, k int32) bool { return s[k>>6]&(1<<(k&63)) != 0 }

// SetBit puts k into the set.
func SetBit(s []uint64, k int32) { s[k>>6] |= 1 << (k & 63) }

// Between is word w of the set of the numbers from i up to, but without, k.
func Between(w int, i, k int32) uint64 {
	below := func(n int32) uint64 { return 1<<uint(max(0, min(64, int(n)-w<<6))) - 1 }
	return below(k) &^ below(i)
}
