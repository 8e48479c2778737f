package exec

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTextIsStable checks that equal contents have one place, and that the place tells contents apart.
func TestTextIsStable(t *testing.T) {
	c := testCache(t)
	names := map[string]string{}
	for _, content := range []string{"package a", "package b", "package a"} {
		file, err := c.text([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := names[content]; ok && before != file {
			t.Errorf("%q is in %s and %s", content, before, file)
		}
		names[content] = file
		if got, _ := os.ReadFile(file); string(got) != content {
			t.Errorf("%s contains %q, want %q", file, got, content)
		}
	}
	if len(names) != 2 || names["package a"] == names["package b"] {
		t.Errorf("two contents are in %v", names)
	}
}

// TestPrune checks that a file that was not used for long goes, and one that was used stays.
func TestPrune(t *testing.T) {
	c := testCache(t)
	now := time.Now()
	old, used := c.binary("old"), c.binary("used")
	for _, file := range []string{old, used} {
		write(filepath.Base(file), "binary")(filepath.Dir(file))
		os.Chtimes(file, now.Add(-2*unusedFor), now.Add(-2*unusedFor))
	}
	c.has(used)
	c.prune(now.Add(pruneEvery / 2))
	if _, err := os.Stat(old); err != nil {
		t.Error("pruned twice in a day")
	}
	c.prune(now.Add(2 * pruneEvery))
	if _, err := os.Stat(old); err == nil {
		t.Error("a file that nobody used stays")
	}
	if _, err := os.Stat(used); err != nil {
		t.Error("a file that was used is gone")
	}
}
