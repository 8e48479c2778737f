package trace

import "testing"

// TestCommute: sections commute unless one looks at what the other updates, or one of them is none.
func TestCommute(t *testing.T) {
	both := Looks(3) | Updates(3)
	for _, c := range []struct {
		a, b int32
		want bool
	}{
		{Section, Section, true},
		{Section, 0, false},
		{0, 0, false},
		{Section | Looks(3), Section | Looks(3), true},
		{Section | Updates(3), Section | Updates(3), true},
		{Section | Looks(3), Section | Updates(3), false},
		{Section | Looks(3), Section | Updates(4), true},
		{Section | both, Section | both, false},
		{Section | both, Section | Looks(3), false},
		{Section | Updates(Contended-1), Section | Looks(Contended-1), false},
	} {
		if Commute(c.a, c.b) != c.want || Commute(c.b, c.a) != c.want {
			t.Errorf("%x and %x: want %t", c.a, c.b, c.want)
		}
	}
}

// TestHanded: a section hands on to those that it does not commute with, and to ordinary locks;
// readers hand nothing on to readers.
func TestHanded(t *testing.T) {
	for _, c := range []struct {
		name     string
		end      Kind
		says     int32
		begin    Kind
		says2    int32
		learned  bool
		ordinary bool
	}{
		{"look, then update", Unlock, Section | Looks(1), Lock, Section | Updates(1), true, true},
		{"two updates", Unlock, Section | Updates(1), Lock, Section | Updates(1), false, true},
		{"two variables", Unlock, Section | Looks(1), Lock, Section | Updates(2), false, true},
		{"a reader, then a writer", RUnlock, Section | Looks(1), WLock, Section | Updates(1), true,
			false},
		{"a reader, then a reader", RUnlock, Section | Updates(1), RLock, Section | Looks(1), false,
			false},
		{"a writer, then a reader", WUnlock, Section | Updates(1), RLock, Section | Looks(1), true,
			true},
	} {
		var h Handed[int]
		h.End(c.end, c.says, func(to *int) { *to = 7 })
		learned, ordinary := 0, 0
		h.Begin(c.begin, c.says2, func(n int) { learned = max(learned, n) })
		h.Ordinary(RLock, func(n int) { ordinary = max(ordinary, n) })
		if (learned == 7) != c.learned || (ordinary == 7) != c.ordinary {
			t.Errorf("%s: learned %t, an RLock learns %t", c.name, learned == 7, ordinary == 7)
		}
	}
}
