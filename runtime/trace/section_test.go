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
