package report

import "testing"

// TestBothOrders: a pair of lines counts once, whichever of them comes first, and twice only if
// both have.
func TestBothOrders(t *testing.T) {
	f := &Filling{}
	f.seen("a.go:1", "b.go:2", false)
	f.seen("a.go:1", "b.go:2", false)
	f.seen("c.go:1", "c.go:1", false) // one line, the first goroutine first
	if f.conclude(); f.Lines != 2 || f.Both != 0 {
		t.Errorf("%d of %d pairs in both orders, want 0 of 2", f.Both, f.Lines)
	}
	f.seen("b.go:2", "a.go:1", false)
	if f.conclude(); f.Lines != 2 || f.Both != 1 {
		t.Errorf("%d of %d pairs in both orders, want 1 of 2", f.Both, f.Lines)
	}
	f.seen("c.go:1", "c.go:1", true)
	if f.conclude(); f.Lines != 2 || f.Both != 2 {
		t.Errorf("%d of %d pairs in both orders, want 2 of 2", f.Both, f.Lines)
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0.5: "50 %", 0.012: "1.2 %", 0.0004: "0.04 %", 1e-9: "less than 0.01 %"} {
		if got := percent(share); got != want {
			t.Errorf("percent(%g) = %q, want %q", share, got, want)
		}
	}
}
