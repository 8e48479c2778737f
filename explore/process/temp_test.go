package process

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestTempDir: what a process that lives has stays, and so does what is new, or has no lock.
func TestTempDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const prefix = "rehearse-x-"
	old := time.Now().Add(-2 * young)
	make := func(name string, lock bool, at time.Time) string {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.MkdirAll(filepath.Join(dir, "below"), 0o700); err != nil {
			t.Fatal(err)
		}
		if lock {
			if err := os.WriteFile(filepath.Join(dir, claimed), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	alive, removeAlive, err := TempDir(prefix)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(alive, old, old); err != nil {
		t.Fatal(err)
	}
	stay := []string{alive, make(prefix+"new", true, time.Now()), make(prefix+"bare", false, old),
		make("rehearse-y-1", true, old)}
	left, binarys := make(prefix+"left", true, old), make("rehearse-test-12ab34cd-0", false, old)
	lives := make("rehearse-test-12ab34cd-1", false, old)
	lock, err := os.Open(lives)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	stay = append(stay, lives, make("rehearse-test-12ab34cd-2", false, time.Now()),
		make("rehearse-mycovers-2", false, old), make("rehearse-20261129-1", false, old),
		make("rehearse-test-20261129-1-results", false, old))
	_, remove, err := TempDir(prefix)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{left, binarys} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is still there", dir)
		}
	}
	for _, dir := range stay {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
	remove()
	removeAlive()
	if _, err := os.Stat(alive); err == nil {
		t.Errorf("%s is still there", alive)
	}
}
