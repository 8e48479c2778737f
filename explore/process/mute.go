package process

import (
	"os"
)

// Mute throws away what the program under test prints, because every execution prints it again, and
// because a line of the program's would break the lines of -json. The function that it returns
// undoes this, once.
//
// It changes what os.Stdout and os.Stderr point to, and so reaches loggers that have kept them. It
// does not reach who writes to descriptors 1 and 2 directly, as the runtime does.
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

// Keep returns a file that stays what f is now, whatever mute does to f.
func Keep(f *os.File) *os.File {
	now := *f
	return &now
}
