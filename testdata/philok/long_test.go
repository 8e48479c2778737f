package philok

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestPhilOK4(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	Dine(4)
}

func TestPhilOK5(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	Dine(5)
}
