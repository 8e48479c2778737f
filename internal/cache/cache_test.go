package cache

import (
	"os"
	"testing"
)

// TestTextIsStable checks that equal contents have one place, and that the place tells contents
// apart.
func TestTextIsStable(t *testing.T) {
	c := testCache(t)
	names := map[string]string{}
	for _, content := range []string{"package a", "package b", "package a"} {
		file, err := c.Text([]byte(content))
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

// TestStandard checks that a kept part of an overlay is used as long as all its texts are there.
func TestStandard(t *testing.T) {
	c := testCache(t)
	text, err := c.Text([]byte("package a"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Standard("key") != nil {
		t.Error("something is there that nobody has kept")
	}
	if err := c.KeepStandard("key", map[string]string{"a.go": text}); err != nil {
		t.Fatal(err)
	}
	if got := c.Standard("key"); len(got) != 1 || got["a.go"] != text {
		t.Errorf("got %v, want a.go in %s", got, text)
	}
	if os.Remove(text); c.Standard("key") != nil {
		t.Error("a part of which a text is missing was used")
	}
}
