package exec

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestInputs changes what a result depends on: the fingerprint must be another one then.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(name, content string) {
		must(t, os.WriteFile(path(name), []byte(content), 0o666))
		must(t, os.Chtimes(path(name), old, old))
	}
	write("f", "ok")
	must(t, os.Symlink("f", path("link")))
	must(t, os.Mkdir(path("dir"), 0o777))
	t.Setenv("REHEARSE_X", "")
	for _, c := range []struct {
		name   string
		in     read
		change func()
	}{
		{"content of the same size and time", read{What: "open", Name: path("f")},
			func() { write("f", "no") }},
		{"size", read{What: "stat", Name: path("f")}, func() { write("f", "more") }},
		{"target of a link", read{What: "stat", Name: path("link")}, func() {
			must(t, os.Remove(path("link")))
			must(t, os.Symlink("dir/../f", path("link")))
		}},
		{"file in a directory", read{What: "open", Name: path("dir")},
			func() { write("dir/f", "") }},
		{"file that was absent", read{What: "open", Name: path("new")},
			func() { write("new", "") }},
		{"file that is absent now", read{What: "stat", Name: path("f")},
			func() { must(t, os.Remove(path("f"))) }},
		{"directory whose time nobody sees", read{What: "mode", Name: path("dir")},
			func() { must(t, os.Chmod(path("dir"), 0o700)) }},
		{"empty variable", read{What: "getenv", Name: "INPUT"}, func() { t.Setenv("INPUT", "") }},
		{"any variable", read{What: "getenv", Name: "*"}, func() { t.Setenv("INPUT", "x") }},
	} {
		before := c.in.sum()
		if again := c.in.sum(); again != before {
			t.Errorf("%s: %s and %s without a change", c.name, before, again)
		}
		c.change()
		if c.in.sum() == before {
			t.Errorf("%s: the same fingerprint", c.name)
		}
	}
	all := read{What: "getenv", Name: "*"}
	before := all.sum()
	if t.Setenv("REHEARSE_X", "x"); all.sum() != before {
		t.Error("a variable of the explorer's own is an input")
	}
}

// TestChangedDuringRun asks for files that were changed during a run.
func TestChangedDuringRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	must(t, os.WriteFile(file, nil, 0o666))
	begun := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		in   read
		at   time.Duration
		want bool
	}{
		{read{What: "open", Name: file}, time.Second, true},
		{read{What: "open", Name: file}, -time.Second, false}, // the content is compared
		{read{What: "stat", Name: file}, -time.Second, true},
		{read{What: "stat", Name: file}, -time.Minute, false},
		{read{What: "open", Name: dir}, -time.Second, true},
		{read{What: "open", Name: dir}, -time.Minute, false},
		{read{What: "stat", Name: dir}, time.Second, false},
		{read{What: "open", Name: filepath.Join(dir, "none")}, 0, false},
		{read{What: "getenv", Name: "f"}, time.Second, false},
	} {
		must(t, os.Chtimes(file, begun.Add(c.at), begun.Add(c.at)))
		if got := c.in.changedSince(begun); got != c.want {
			t.Errorf("%s %s, file changed at %v: %v", c.in.What, c.in.Name, c.at, got)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
