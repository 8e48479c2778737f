package commuting

import "testing"

// What takes long: for measurements. `rehearse test -short` leaves it out.

func TestPiFloat8(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Log(PiFloat(8))
}

func TestLast8(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Log(Last(8))
}
