package report

import (
	"testing"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/explore/depict"
)

// TestModulePlaces: files of other modules are named by module and version, wherever they are.
func TestModulePlaces(t *testing.T) {
	p := &depict.Places{Dir: "/a/b", Cwd: "/a",
		Modules: []string{"/home/u/go/pkg/mod", "/home/u/.cache/rehearse/mod"}}
	for site, want := range map[string]string{
		"/home/u/go/pkg/mod/golang.org/x/sync@v0.24.0/errgroup/errgroup.go:78:3":       "golang.org/x/sync@v0.24.0/errgroup/errgroup.go:78",
		"/home/u/.cache/rehearse/mod/golang.org/x/sync-v0.24.0/errgroup/errgroup.go:7": "golang.org/x/sync@v0.24.0/errgroup/errgroup.go:7",
		"/home/u/go/pkg/mod/github.com/!burnt!sushi/toml@v1.0.0/a.go:1":                "github.com/BurntSushi/toml@v1.0.0/a.go:1",
		"/home/u/.cache/rehearse/mod/a.b/c-d/v2-v2.1.0-rc1/e.go:1":                     "a.b/c-d/v2@v2.1.0-rc1/e.go:1",
		"/a/b/c.go:12:3": "c.go:12",
	} {
		checkLine(t, p, site, want)
	}
}

func checkLine(t *testing.T, p *depict.Places, site, want string) {
	t.Helper()
	if got := p.Line(site); got != want {
		t.Errorf("Line(%q) = %q, want %q", site, got, want)
	}
}

// TestWidth: a chart has the width of the terminal, with lines in place of lifelines if need be.
func TestWidth(t *testing.T) {
	for _, width := range []int{75, 80, 120} {
		narrow := &depict.Places{Dir: places.Dir, Cwd: places.Cwd, Width: width}
		for _, line := range depict.Chart(inventory(), nil, nil, narrow, false) {
			if n := utf8.RuneCountInString(line) + depict.Outside; n > width {
				t.Errorf("%d characters of %d: %s", n, width, line)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	p := &depict.Places{Dir: "/a/b", Cwd: "/a"}
	for site, want := range map[string]string{
		"/a/b/c.go:12:3":  "c.go:12",
		"/a/b/d/c.go:12":  "d/c.go:12",
		"/a/x/c.go:12:3":  "x/c.go:12",
		"/else/c.go:12:3": "/else/c.go:12",
		"/a/b:c/d.go:1":   "b:c/d.go:1",
		"":                "",
	} {
		checkLine(t, p, site, want)
	}
}

// TestColours: each line has its own colour, and ends it.
func TestColours(t *testing.T) {
	got := coloured("--- FAIL: TestX\n    fail  x\n    replay   y\n")
	if want := red + "--- FAIL: TestX" + plain + "\n    fail  x\n" + cyan + "    replay   y" +
		plain +
		"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
