package rounds

import (
	"os"
	"strings"
	"testing"
)

// TestStill compares what is known of the loops of a file with the comments there.
func TestStill(t *testing.T) {
	const file = "testdata/still.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, loops := strings.Split(string(text), "\n"), 0
	for _, f := range functionsOf(file) {
		for _, l := range f.loops {
			loops++
			if want := strings.HasSuffix(lines[l.from-1], "// still"); l.still != want {
				t.Errorf("%s:%d: still is %v, want %v", file, l.from, l.still, want)
			}
		}
	}
	if loops != 18 {
		t.Errorf("%d loops", loops)
	}
}
