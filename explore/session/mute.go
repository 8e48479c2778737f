package session

import (
	"log"
	"os"
)

// mute throws away what the program under test prints, because every execution prints it again, and because a line of
// the program's would break the lines of -json. The function that it returns undoes this, once.
//
// It reaches what is printed through package os and by log's standard logger; a program that has kept os.Stdout in a
// variable of its own goes on to print.
func mute() (unmute func()) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	stdout, stderr, logged := os.Stdout, os.Stderr, log.Writer()
	os.Stdout, os.Stderr = null, null
	if logged == stderr {
		log.SetOutput(null)
	}
	done := false
	return func() {
		if done {
			return
		}
		done = true
		os.Stdout, os.Stderr = stdout, stderr
		if log.Writer() == null {
			log.SetOutput(logged)
		}
		null.Close()
	}
}
