package rounds

import (
	"os"
	"strings"
	"testing"
)

// TestStill compares what is known of the loops of a file with the comments there.
func TestStill(t *testing.T) {
	compare(t, "still", 21, func(l *loop) bool { return l.still })
}

// TestWaits does so for loops that wait.
func TestWaits(t *testing.T) {
	compare(t, "waits", 8, func(l *loop) bool { return l.effects.wait(nil) })
}

func compare(t *testing.T, what string, count int, is func(l *loop) bool) {
	file := "testdata/" + what + ".go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, loops := strings.Split(string(text), "\n"), 0
	for _, f := range functionsOf(file) {
		for i := range f.loops {
			l := &f.loops[i]
			loops++
			if want := strings.HasSuffix(lines[l.from-1], "// "+what); is(l) != want {
				t.Errorf("%s:%d: %s is %v, want %v", file, l.from, what, !want, want)
			}
		}
	}
	if loops != count {
		t.Errorf("%d loops", loops)
	}
}
