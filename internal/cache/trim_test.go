package cache

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// aged writes a file below the cache that was used some time ago, and returns what a trim would
// remove it by.
func aged(t *testing.T, c Dir, age time.Duration, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{c.Path}, path...)...)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-age)
	unit := file
	if filepath.Base(file) == "go.mod" {
		unit = filepath.Dir(file)
	}
	os.Chtimes(unit, at, at)
	return unit
}

func exists(file string) bool { _, err := os.Stat(file); return err == nil }

// TestTrimByAge: files that nobody has used for long go, once an hour.
func TestTrimByAge(t *testing.T) {
	c := testCache(t)
	c.trim(time.Now(), sizeLimit) // it begins the hour
	old := []string{
		aged(t, c, 2*unusedFor, "bin", "old.test"), aged(t, c, 2*unusedFor, "text", "old.go"),
		aged(t, c, 2*unusedFor, "mod", "example.org", "old-v1.0.0", "go.mod"),
		aged(t, c, 2*unusedFor, "mod", "0123.mod"),
	}
	used := aged(t, c, 2*unusedFor, "bin", "used.test")
	copied := aged(t, c, 2*unusedFor, "mod", "example.org", "used-v1.0.0", "go.mod")
	if !c.Has(used) || !c.Has(copied) {
		t.Fatal("not in the cache")
	}
	c.trim(time.Now().Add(trimEvery/2), sizeLimit)
	if !exists(old[0]) {
		t.Error("trimmed twice in an hour")
	}
	c.trim(time.Now().Add(2*trimEvery), sizeLimit)
	for _, file := range old {
		if exists(file) {
			t.Errorf("%s was not used for long and stays", file)
		}
	}
	for _, file := range []string{used, copied} {
		if !exists(file) {
			t.Errorf("%s was used and is gone", file)
		}
	}
}

// TestTrimBySize: the files used last stay, up to the limit; those in use stay above it.
func TestTrimBySize(t *testing.T) {
	c := testCache(t)
	now := []string{aged(t, c, 0, "bin", "1.test"), aged(t, c, time.Minute, "bin", "2.test")}
	older := aged(t, c, 5*time.Hour, "mod", "example.org", "m-v1.0.0", "go.mod")
	oldest := aged(t, c, 6*time.Hour, "bin", "3.test")
	os.Remove(filepath.Join(c.Path, "trimmed"))
	c.trim(time.Now(), 300)
	if !exists(older) || exists(oldest) {
		t.Errorf("with room for one more: %v, %v", exists(older), exists(oldest))
	}
	os.Remove(filepath.Join(c.Path, "trimmed"))
	c.trim(time.Now(), 100)
	if exists(older) || !exists(now[0]) || !exists(now[1]) {
		t.Errorf("with room for none: %v, %v, %v", exists(older), exists(now[0]), exists(now[1]))
	}
}

// TestTrimBesideUse: commands store and trim at the same time, and each can read the files that it
// has stored.
func TestTrimBesideUse(t *testing.T) {
	c := testCache(t)
	commands, rounds := 4, 50
	if testing.Short() {
		commands, rounds = 2, 1
	}
	var wg sync.WaitGroup
	for i := range commands {
		wg.Go(func() {
			for j := range rounds {
				content := []byte{byte(i), byte(j)}
				file, err := c.Text(content)
				if err != nil {
					t.Error(err)
				}
				os.Remove(filepath.Join(c.Path, "trimmed"))
				c.trim(time.Now(), 0)
				if got, err := os.ReadFile(file); string(got) != string(content) {
					t.Error(got, err)
				}
			}
		})
	}
	wg.Wait()
}

func testCache(t *testing.T) Dir {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
