package registry2

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestRegistry2x4(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Log(Run(4))
}
