package pointsto

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestByUnsafe: dependencies with unsafe pointers belong to the library, and so do those of the
// same module that import them. Values that go through them still come out, and functions that they
// call are reached.
func TestByUnsafe(t *testing.T) {
	r, err := load.Load(load.Config{Dir: unpack(t, "testdata/byunsafe.txtar"), Deps: true,
		Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")})
	if err != nil {
		t.Fatal(err)
	}
	c := ConfigOf(r)
	var source []string
	for _, p := range c.Source {
		source = append(source, p.Pkg.Path())
	}
	slices.Sort(source)
	if want := []string{"example.com/dep/plain", "example.com/main",
		"example.com/other"}; !slices.Equal(source, want) {
		t.Errorf("source packages %v, want %v", source, want)
	}
	res := Analyze(c)
	var reached []string
	for _, fn := range res.Functions() {
		reached = append(reached, fn.String())
	}
	for name, want := range map[string]bool{"example.com/main.main$1": true,
		"example.com/dep/plain.Pass": true, "example.com/dep/raw.Call": false} {
		if slices.Contains(reached, name) != want {
			t.Errorf("%s reached: %v", name, !want)
		}
	}
	if n := len(res.channelOps()); n != 5 {
		t.Errorf("%d channel operations", n)
	}
	for _, op := range res.channelOps() {
		objects := res.PointsTo(op.ch).Objects()
		if !slices.ContainsFunc(objects,
			func(o *Object) bool { _, is := o.Value.(*ssa.MakeChan); return is }) {
			t.Errorf("%v does not work on what main makes, but on %v", op.instr, objects)
		}
	}
}

// unpack writes an archive into a new directory.
func unpack(t *testing.T, file string) string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
