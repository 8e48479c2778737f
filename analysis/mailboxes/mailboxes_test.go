package mailboxes

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestFind compares the makes that are found with the lines of the fixture that say so.
func TestFind(t *testing.T) {
	const file = "testdata/boxes/boxes.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, line := range strings.Split(string(text), "\n") {
		if _, why, ok := strings.Cut(line, "BOX "); ok {
			want = append(want, fmt.Sprintf("%s:%d %s", file, i+1, why))
		}
	}
	makes, err := find(t, "./testdata/boxes")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range makes {
		got = append(got, fmt.Sprintf("%s:%d %s", m.Pos.Filename, m.Pos.Line, m.Why))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestIdle: a mark that marks nothing is an error.
func TestIdle(t *testing.T) {
	_, err := find(t, "./testdata/idle")
	if err == nil || !strings.HasPrefix(err.Error(),
		"testdata/idle/idle.go:5:11: //rehearse:mailbox marks no make of a channel: ") {
		t.Errorf("got %v", err)
	}
}

func find(t *testing.T, pattern string) ([]Make, error) {
	t.Helper()
	l, err := load.Load(load.Config{Patterns: []string{pattern}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	return Find(l)
}
