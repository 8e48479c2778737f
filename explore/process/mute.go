package process

import (
	"os"
)

// Mute throws away the output of the program under test, because every execution prints it again,
// and because a line of the program's would break the lines of -json. The function that it returns
// undoes this, once.
//
// Mute changes the files to which os.Stdout and os.Stderr point, and so reaches loggers that have
// kept them. It does not reach code that writes to descriptors 1 and 2 directly, such as the
// runtime.
func Mute() (unmute func()) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	out, errs := os.Stdout, os.Stderr
	stdout, stderr := *out, *errs
	*out, *errs = *null, *null
	done := false
	return func() {
		if done {
			return
		}
		done = true
		*out, *errs = stdout, stderr
		null.Close()
	}
}

// Keep returns a copy of f that Mute does not change.
func Keep(f *os.File) *os.File {
	now := *f
	return &now
}
