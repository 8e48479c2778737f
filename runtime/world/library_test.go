package world

import (
	"runtime"
	"testing"
	"time"
)

// TestLibrary checks that a call counts for the function that it stands in, and not for one that is
// inlined behind it.
func TestLibrary(t *testing.T) {
	borders := 0
	start := Entry(mixed)
	for pc := start + 1; pc < start+200; pc++ {
		if !inLibrary(pc-1) && inLibrary(pc) {
			borders++
			if Library(pc) {
				t.Errorf("a call that returns to %#x counts as one of the library", pc)
			}
		}
	}
	if borders == 0 {
		t.Skip("nothing is inlined")
	}
}

func inLibrary(pc uintptr) bool {
	return runtime.FuncForPC(pc).Name() == "time.Duration.Milliseconds"
}

var span time.Duration

// mixed has code of package time between its own.
func mixed() {
	mixed2()
	if span.Milliseconds() > 3 {
		mixed2()
	}
}

//go:noinline
func mixed2() { span++ }
