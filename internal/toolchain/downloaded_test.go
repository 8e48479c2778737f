package toolchain

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// TestMoveOut: go takes overlays of a toolchain that is in its module cache, once it has moved out.
func TestMoveOut(t *testing.T) {
	here, err := Find(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	modules := t.TempDir()
	inside := filepath.Join(modules, "golang.org", "toolchain@v0.0.1-"+here.GOVERSION)
	if err := os.MkdirAll(filepath.Dir(inside), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here.GOROOT, inside); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", modules)
	t.Setenv("PATH", os.Getenv("PATH"))
	down := &Toolchain{Dir: t.TempDir(), GOROOT: inside, GOVERSION: here.GOVERSION,
		GOMODCACHE: modules, Env: []string{"GOROOT=" + inside}}
	c := cache.Dir{Path: t.TempDir()}
	for round := range 3 {
		_, err := down.Run("list", "-overlay="+overlayOf(t, down), "errors")
		if round == 0 && (err == nil || !strings.Contains(err.Error(), "must not be replaced")) {
			t.Fatalf("go takes overlays in its module cache: %v", err)
		}
		if round > 0 && err != nil {
			t.Fatal(err)
		}
		down.GOROOT = inside
		if err := down.MoveOut(c); err != nil {
			t.Fatal(err)
		}
		if at, err := os.Readlink(down.GOROOT); err != nil || at != inside {
			t.Fatalf("%s, %v", at, err)
		}
		want := filepath.Join(down.GOROOT, "bin")
		if !strings.HasPrefix(os.Getenv("PATH"), want) {
			t.Errorf("PATH is %s", os.Getenv("PATH"))
		}
	}
	was := here.GOROOT
	if err := here.MoveOut(c); err != nil || here.GOROOT != was {
		t.Errorf("%s moves to %s, %v", was, here.GOROOT, err)
	}
}

// overlayOf returns an overlay that replaces a file of the toolchain.
func overlayOf(t *testing.T, tools *Toolchain) string {
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(tools.GOROOT, "src", "errors", "errors.go"): filepath.Join(tools.GOROOT,
			"src", "errors", "wrap.go"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
