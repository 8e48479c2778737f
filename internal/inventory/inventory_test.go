package inventory

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// TestKept: a second run of a binary of the cache does not analyse again, one of another binary
// does.
func TestKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := cache.Open()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs("../../testdata/registry")
	if err != nil {
		t.Fatal(err)
	}
	p := &record.Package{Header: record.Header{
		Package: "github.com/rehearse-go/rehearse/testdata/registry", Dir: dir}}
	actors := func(binary string) int {
		p.Binary = binary
		return len(Find(load.Config{}, []*record.Package{p}, time.Minute)[0].Actors)
	}
	whole := actors(c.Binary("a"))
	if whole == 0 {
		t.Fatal("there are no actors")
	}
	file := c.Inventory([]string{dir, "a.test"})
	if n := actors(c.Binary("a")); n != whole || !c.Has(file) {
		t.Errorf("%d actors the second time, want %d; kept: %v", n, whole, c.Has(file))
	}
	// another answer in its place shows which one is taken
	if err := os.WriteFile(file, []byte(`{"Dir":"/"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if n := actors(c.Binary("a")); n != 0 {
		t.Errorf("%d actors: what is kept is not taken", n)
	}
	for _, other := range []string{c.Binary("b"), "/elsewhere/a.test", ""} {
		if n := actors(other); n != whole {
			t.Errorf("%q has %d actors, want %d", other, n, whole)
		}
	}
}
