package cache

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keeps are the parts of the cache, for people.
var keeps = []struct{ sub, what string }{
	{"bin", "test binaries"},
	{"text", "rewritten sources"},
	{"mod", "copies of modules"},
	{"manifest", "what finished builds were made from"},
	{"result", "results of packages that were complete"},
	{"overlay", "overlays of the go command"},
	{"inventory", "what pages show of actors"},
	{"standard", "overlays of the standard library"},
	{"journal", "what searches have come to that were ended early"},
}

// Print says where the cache is, and what is in it.
func Print(w io.Writer) error {
	c, err := Open()
	if err != nil {
		return err
	}
	count, size := map[string]int{}, map[string]int64{}
	var all int64
	for _, e := range c.entries() {
		sub := c.part(e.path)
		count[sub], size[sub], all = count[sub]+1, size[sub]+e.size, all+e.size
	}
	fmt.Fprintf(w, "%s  %s\n", c.Path, inBytes(all))
	for _, k := range keeps {
		fmt.Fprintf(w, "%10s  %5d  %s\n", inBytes(size[k.sub]), count[k.sub], k.what)
	}
	fmt.Fprintf(w,
		"What is compiled is in go's build cache (go env GOCACHE) beside what go test keeps there.\nrehearse cache clean empties this one.\n")
	return nil
}

// part names the part of the cache that a file is in.
func (c Dir) part(file string) string {
	i := slices.IndexFunc(keeps, func(k struct{ sub, what string }) bool {
		return strings.HasPrefix(file, filepath.Join(c.Path, k.sub)+string(filepath.Separator))
	})
	return cmp.Or(keeps[max(i, 0)].sub, "")
}

// Clean empties the cache, and says how much that was.
func Clean(w io.Writer) error {
	c, err := Open()
	if err != nil {
		return err
	}
	var all int64
	for _, e := range c.entries() {
		all += e.size
		e.remove()
	}
	fmt.Fprintf(w, "%s is empty; it had %s\n", c.Path, inBytes(all))
	return os.Remove(filepath.Join(c.Path, "trimmed"))
}

// inBytes is "12 MB".
func inBytes(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d kB", (n+1023)>>10)
}
