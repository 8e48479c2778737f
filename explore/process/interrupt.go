package process

import "os"

// PassOn forwards what a child does not get from the terminal. The child may just have ended: that
// is no error.
func PassOn(s os.Signal, child *os.Process) {
	if s != os.Interrupt || !OnTerminal() {
		child.Signal(s)
	}
}

// OnTerminal reports whether there is a terminal that may interrupt all processes of a command.
func OnTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	tty.Close()
	return true
}
