package commuting

import "testing"

// What takes long: for measurements. `rehearse test -short` leaves it out.

func TestPiFloat8(t *testing.T) {
	long(t)
	t.Log(PiFloat(8))
}

func TestLast8(t *testing.T) {
	long(t)
	t.Log(Last(8))
}

func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}
