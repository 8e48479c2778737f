package pointsto

import (
	"math/bits"
	"slices"
)

// set is a sparse bit set of cells or nodes: words in ascending order, none of them zero. The words
// are one slice without pointers: most sets have one word, and the garbage collector has nothing to
// look at.
type set []word

// word has the elements from 64*at to 64*at+63.
type word struct {
	at   int32
	bits uint64
}

func wordOf(x int32) word { return word{x / 64, 1 << (x % 64)} }

// seek returns the index of the first word from i on that is not before at. It looks in steps that
// double, since the word is mostly near.
func (s set) seek(i int, at int32) int {
	low, step := i, 1
	for i < len(s) && s[i].at < at {
		low, i, step = i+1, i+step, 2*step
	}
	for i = min(i, len(s)); low < i; {
		if mid := (low + i) / 2; s[mid].at < at {
			low = mid + 1
		} else {
			i = mid
		}
	}
	return i
}

func (s set) has(w word) bool {
	i := s.seek(0, w.at)
	return i < len(s) && s[i].at == w.at && s[i].bits&w.bits == w.bits
}

// without appends the elements of s that t has not to buf.
func (s set) without(t, buf set) set {
	j := 0
	for _, w := range s {
		if j = t.seek(j, w.at); j < len(t) && t[j].at == w.at {
			w.bits &^= t[j].bits
		}
		if w.bits != 0 {
			buf = append(buf, w)
		}
	}
	return buf
}

// insert returns s with one word more, and whether that brought anything; s may be changed.
func (s set) insert(w word) (set, bool) {
	i := s.seek(0, w.at)
	if i == len(s) || s[i].at != w.at {
		return slices.Insert(s, i, w), true
	}
	old := s[i].bits
	s[i].bits |= w.bits
	return s, s[i].bits != old
}

// union returns s with the elements of t; s may be changed, t is not kept.
func (s set) union(t set) set {
	more, i := 0, 0
	for _, w := range t {
		if i = s.seek(i, w.at); i < len(s) && s[i].at == w.at {
			s[i].bits |= w.bits
		} else {
			more++
		}
	}
	if more == 0 {
		return s
	}
	i = len(s) - 1
	s = slices.Grow(s, more)[:len(s)+more]
	// from the end, so that no word is overwritten before it has moved
	for k, j := len(s)-1, len(t)-1; j >= 0; k-- {
		switch {
		case i >= 0 && s[i].at >= t[j].at:
			if s[i].at == t[j].at {
				j--
			}
			s[k] = s[i]
			i--
		default:
			s[k] = t[j]
			j--
		}
	}
	return s
}

// elements appends the elements in ascending order.
func (s set) elements(buf []int32) []int32 {
	for _, w := range s {
		for b := w.bits; b != 0; b &= b - 1 {
			buf = append(buf, w.at*64+int32(bits.TrailingZeros64(b)))
		}
	}
	return buf
}
