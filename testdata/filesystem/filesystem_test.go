package filesystem

import "testing"

func TestFilesystem14(t *testing.T) { check(t, 14) }
func TestFilesystem16(t *testing.T) { check(t, 16) }
func TestFilesystem19(t *testing.T) { check(t, 19) }

func check(t *testing.T, n int) {
	if got := Run(n); got != n {
		t.Errorf("%d blocks are busy, want %d", got, n)
	}
}
