package strategy

// Sets of events: a bit for each number.

func sized(s []uint64, n int32) []uint64 {
	s = s[:0]
	for range (n + 63) >> 6 {
		s = append(s, 0)
	}
	return s
}

func hasBit(s []uint64, k int32) bool { return s[k>>6]&(1<<(k&63)) != 0 }
func setBit(s []uint64, k int32)      { s[k>>6] |= 1 << (k & 63) }

// between is word w of the set of the numbers from i up to, but without, k.
func between(w int, i, k int32) uint64 {
	below := func(n int32) uint64 { return 1<<uint(max(0, min(64, int(n)-w<<6))) - 1 }
	return below(k) &^ below(i)
}
