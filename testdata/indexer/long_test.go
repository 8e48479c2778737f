package indexer

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestIndexer15(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	check(t, 15)
}
