package nworkers

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestNWorkers6(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Log(Run(6))
}
