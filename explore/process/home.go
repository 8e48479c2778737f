package process

import "os"

// Home is the variable with the directory in which a binary goes on after package initialisation.
// For the initialisation, it is started in its package's directory.
const Home = "REHEARSE_HOME"

// TakeHome returns that directory, and hides the variable from the program; empty: the variable is
// not set.
func TakeHome() string {
	dir := os.Getenv(Home)
	os.Unsetenv(Home)
	return dir
}

// Mark makes a file for a process that waits for it; empty: there is none. A missing file costs
// only time.
func Mark(file string) {
	if file != "" {
		_ = os.WriteFile(file, nil, 0o666)
	}
}
