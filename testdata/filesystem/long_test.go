package filesystem

import "testing"

// What takes long: `rehearse bench -long` explores it, `rehearse test -short` leaves it out.

func TestFilesystem18(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	check(t, 18)
}
