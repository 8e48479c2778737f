package tests

import "github.com/rehearse-go/rehearse/runtime/trace"

// Capture implements gate.TB.
func (t *T) Capture() (output func() string) {
	r := t.r
	r.capturing = true
	return func() string {
		t.report()
		r.capturing = false
		return r.out.String()
	}
}

// Print keeps what the current process writes to os.Stdout. It reports false if that is not wanted.
func (r *Record) Print(text []byte) bool {
	if !r.capturing {
		return false
	}
	if r.report(trace.Printed) && r.capturing {
		r.out.Write(text)
	}
	return true
}
