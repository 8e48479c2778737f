package process

import "os"

// Home is the variable with the directory in which a binary goes on after package initialisation.
// For the initialisation, it is started in its package's directory.
const Home = "REHEARSE_HOME"

// From is the variable with the directory in which the user is, if the command was told to go to
// another one.
const From = "REHEARSE_FROM"

// TakeFrom returns that directory, and hides the variable from the program; empty: the user is
// where the command is.
func TakeFrom() string { return take(From) }

// TakeHome returns that directory, and hides the variable from the program; empty: the
// variable is not set.
func TakeHome() string { return take(Home) }

func take(name string) string {
	value := os.Getenv(name)
	os.Unsetenv(name)
	return value
}

// Mark makes a file for a process that waits for it; empty: there is none. A missing file costs
// only time.
func Mark(file string) {
	if file != "" {
		_ = os.WriteFile(file, nil, 0o666)
	}
}
