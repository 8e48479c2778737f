package twopc

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestTwoPC4(t *testing.T) {
	long(t)
	t.Log(Run(4))
}

func TestTwoPC6(t *testing.T) {
	long(t)
	t.Log(Run(6))
}

func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}
