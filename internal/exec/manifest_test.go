package exec

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// TestInputChanges lists what must, and what must not, change an input's fingerprint.
func TestInputChanges(t *testing.T) {
	tests := []struct {
		name   string
		kind   inputKind
		path   string
		change func(dir string)
		want   bool // a change of fingerprint
	}{
		{"file edited", fileInput, "a.go", write("a.go", "package b"), true},
		{"file touched", fileInput, "a.go", write("a.go", "package a"), false},
		{"file made", fileInput, "go.work", write("go.work", "go 1.26"), true},
		{"file removed", fileInput, "a.go", remove("a.go"), true},
		{"dir: source edited", dirInput, ".", write("a.go", "package b"), true},
		{"dir: test added", dirInput, ".", write("a_test.go", "package a"), true},
		{"dir: source removed", dirInput, ".", remove("a.go"), true},
		{"dir: schedule saved", dirInput, ".", write("testdata/rehearse/x.sched", "x"), false},
		{"dir: text edited", dirInput, ".", write("notes.txt", "other"), false},
		{"dir: file below added", dirInput, ".", write("sub/b.go", "package b"), false},
		{"tree: package added", treeInput, ".", write("sub/b.go", "package b"), true},
		{"tree: source edited", treeInput, ".", write("a.go", "package b"), false},
		{"tree: testdata added", treeInput, ".", write("testdata/b.go", "package b"), false},
		{"tree: module added", treeInput, ".", write("sub/go.mod", "module b"), true},
		{"glob: match edited", globInput, "*.txt", write("notes.txt", "other"), true},
		{"glob: match added", globInput, "*.txt", write("more.txt", ""), true},
		{"glob: other edited", globInput, "*.txt", write("a.go", "package b"), false},
		{"glob: file below edited", globInput, "sub", write("sub/deep/x", "other"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write("a.go", "package a")(dir)
			write("notes.txt", "notes")(dir)
			write("sub/deep/x", "x")(dir)
			in := input{Kind: test.kind, Path: filepath.Join(dir, test.path)}
			before := in.sum()
			test.change(dir)
			if changed := in.sum() != before; changed != test.want {
				t.Errorf("fingerprint changed: %t, want %t", changed, test.want)
			}
		})
	}
}

func write(name, content string) func(dir string) {
	return func(dir string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			panic(err)
		}
	}
}

func remove(name string) func(dir string) {
	return func(dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			panic(err)
		}
	}
}

// TestManifestRoundTrip checks that a stored manifest is found until an input or a binary changes.
func TestManifestRoundTrip(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := cache.Open()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write("a.go", "package a")(dir)
	binary := c.Binary("key")
	write(filepath.Base(binary), "binary")(filepath.Dir(binary))
	inputs := []input{{Kind: dirInput, Path: dir}}
	seal(inputs)
	if err := storeManifest(c, "request",
		&manifest{inputs, []Package{{Path: "a", Dir: dir, Binary: binary}}}); err != nil {
		t.Fatal(err)
	}
	if m := loadManifest(c, "request"); m == nil || m.Packages[0].Binary != binary {
		t.Fatalf("stored manifest not found: %+v", m)
	}
	write("a.go", "package b")(dir)
	if loadManifest(c, "request") != nil {
		t.Error("a manifest with a changed input was found")
	}
	write("a.go", "package a")(dir)
	os.Remove(binary)
	if loadManifest(c, "request") != nil {
		t.Error("a manifest with a missing binary was found")
	}
}

// TestWithout checks that a file that the request replaces does not count, and its neighbours do.
func TestWithout(t *testing.T) {
	dir := t.TempDir()
	write("a.go", "package a")(dir)
	in := input{Kind: dirInput, Path: dir, Without: "/b_test.go/c_test.go"}
	before := in.sum()
	write("b_test.go", "package a")(dir)
	write("c_test.go", "package a")(dir)
	if in.sum() != before {
		t.Error("a file that is replaced counts")
	}
	write("test.go", "package a")(dir)
	if in.sum() == before {
		t.Error("a file with a part of the name does not count")
	}
}

// TestChangedSince checks that a build does not trust a source that was written while it ran.
func TestChangedSince(t *testing.T) {
	dir := t.TempDir()
	write("a.go", "package a")(dir)
	for _, in := range []input{{Kind: fileInput, Path: filepath.Join(dir, "a.go")},
		{Kind: dirInput, Path: dir}} {
		now := time.Now() // which need not be the file system's clock
		if err := os.Chtimes(in.Path, now, now); err != nil {
			t.Fatal(err)
		}
		if changedSince(now.Add(time.Hour), []input{in}) {
			t.Errorf("%s: an old source counts as changed", in.Kind)
		}
		if !changedSince(now.Add(-time.Hour), []input{in}) {
			t.Errorf("%s: a young source does not count as changed", in.Kind)
		}
	}
}
