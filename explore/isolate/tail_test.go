package isolate

import (
	"io"
	"strings"
	"testing"
)

func TestCrash(t *testing.T) {
	for _, tt := range []struct{ printed, message, stack string }{
		{"", "", ""},
		{"a line of the program's\nexit status 3\n", "", ""},
		{"panic: boom\n\ngoroutine 7 [running]:\nmain.f()\n\t/a.go:3\n\ngoroutine 1 [select]:\nmain.main()\n",
			"boom", "goroutine 7 [running]:\nmain.f()\n\t/a.go:3"},
		{"log: panic: no\nfatal error: concurrent map writes\n\ngoroutine 7 [running]:\n",
			"fatal error: concurrent map writes", "goroutine 7 [running]:\n"},
		{"runtime: goroutine stack exceeds\nfatal error: stack overflow\n\nruntime stack:\nruntime.throw()\n\ngoroutine 7 [running]:\nf()\n\n",
			"fatal error: stack overflow", "goroutine 7 [running]:\nf()"},
		{"SIGSEGV: segmentation violation\nPC=0x0\n\ngoroutine 0 [idle]:\n",
			"SIGSEGV: segmentation violation", "goroutine 0 [idle]:\n"},
	} {
		tail := newTail(io.Discard)
		io.WriteString(tail, tt.printed)
		if message, stack := tail.crash(); message != tt.message || string(stack) != tt.stack {
			t.Errorf("%q\n got %q, %q\nwant %q, %q", tt.printed, message, stack, tt.message,
				tt.stack)
		}
	}
}

// TestTailIsBounded: the end of a long text is kept, and all of it is passed on.
func TestTailIsBounded(t *testing.T) {
	var passed strings.Builder
	tail := newTail(&passed)
	for range 5 {
		io.WriteString(tail, strings.Repeat("x", kept))
	}
	io.WriteString(tail, "\nfatal error: the end\n")
	if message, _ := tail.crash(); message != "fatal error: the end" || len(tail.text) > 3*kept ||
		passed.Len() < 5*kept {
		t.Errorf("%q, %d bytes kept, %d passed on", message, len(tail.text), passed.Len())
	}
}
