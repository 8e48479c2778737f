package phil

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestPhil4(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	Dine(4)
}
