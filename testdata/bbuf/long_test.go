package bbuf

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestBBuf4(t *testing.T) {
	long(t)
	t.Log(Run(4))
}

func TestBBuf5(t *testing.T) {
	long(t)
	t.Log(Run(5))
}

func TestBBuf6(t *testing.T) {
	long(t)
	t.Log(Run(6))
}

func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}
