package std

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func overlayOf(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := Overlay(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestNoLineMoves compares each edited file with its original: the same number of lines, and every
// line of the original survives but for what was inserted into it.
func TestNoLineMoves(t *testing.T) {
	for name, content := range overlayOf(t) {
		original, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // added
		}
		if err != nil {
			t.Fatal(err)
		}
		was, is := bytes.Split(original, []byte("\n")), bytes.Split(content, []byte("\n"))
		if len(was) != len(is) {
			t.Errorf("%s: %d lines, was %d", name, len(is), len(was))
			continue
		}
		for i := range was {
			if len(is[i]) < len(was[i]) && !bytes.HasPrefix(was[i], []byte("//go:build ")) {
				t.Errorf("%s:%d: %q, was %q", name, i+1, is[i], was[i])
			}
		}
	}
}

func TestFilesParse(t *testing.T) {
	for name, content := range overlayOf(t) {
		if _, err := format.Source(content); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHooksNameReceiverAndParameters(t *testing.T) {
	files := overlayOf(t)
	src := func(name string) string {
		return string(files[filepath.Join(runtime.GOROOT(), "src", name)])
	}
	for _, want := range []struct{ file, text string }{
		{"sync/mutex.go",
			"Lock() { if gate.Here() { _ = *m; gate.Caller = sys.GetCallerPC(); gate.MutexLock(unsafe.Pointer(m)); return };\n"},
		{"sync/waitgroup.go",
			"{ if gate.Here() && !gate.Native() { _ = *wg; gate.Caller = sys.GetCallerPC(); gate.WaitGroupAdd(unsafe.Pointer(wg), delta); return };\n"},
		{"sync/once.go",
			"{ if gate.Here() && (!o.done.Load() || gate.OnceUsed(unsafe.Pointer(o))) { rehearseOnce(o, f, sys.GetCallerPC()); return };\n"},
		{"sync/pool.go", "defer allPoolsMu.mu.Unlock()\n"},
		{"testing/testing.go", "type common struct { rehearse *detached;\n"},
	} {
		if !strings.Contains(src(want.file), want.text) {
			t.Errorf("%s does not contain %q", want.file, want.text)
		}
	}
}

// TestUnexpectedSource takes one thing after another out of a copy of package sync.
func TestUnexpectedSource(t *testing.T) {
	for _, test := range []struct{ file, old, new, want string }{
		{"mutex.go", "func (m *Mutex) TryLock() bool {", "func (m *Mutex) TryIt() bool {",
			"package sync has no method (*Mutex).TryLock with a body"},
		{"once.go", "done atomic.Bool", "done bool", `sync.Once.done has the type "bool"`},
		{"waitgroup.go", "wg.Add(-1)", "wg.add(-1)", "sync.WaitGroup.Done does something else"},
		{"waitgroup.go", ") Add(delta int) {", ") Add(_ int) {",
			"method (*WaitGroup).Add does not name $1"},
		{"oncefunc.go", "d.f = nil", "d.f2 = nil",
			"sync.OnceFunc, OnceValue and OnceValues are not as expected"},
		{"pool.go", "allPoolsMu.Lock()", "other.Lock()", "sync.Pool uses allPoolsMu 1 times"},
	} {
		root := copyOfSync(t, test.file, func(src string) string {
			return strings.Replace(src, test.old, test.new, 1)
		})
		_, err := Overlay(root)
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), "go9.99") {
			t.Errorf("%s without %q: error %v, want %q", test.file, test.old, err, test.want)
		}
	}
}

func copyOfSync(t *testing.T, name string, change func(string) string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "src", "sync")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(runtime.GOROOT(), "src", "sync"))); err != nil {
		t.Fatal(err)
	}
	changed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		filepath.Join(dir, name):       change(string(changed)),
		filepath.Join(root, "VERSION"): "go9.99\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func BenchmarkOverlay(b *testing.B) {
	for b.Loop() {
		overlayOf(b)
	}
}
