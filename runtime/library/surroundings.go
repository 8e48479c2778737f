package library

import (
	"os"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// surroundings are what a process of the operating system has one of, and a test may change.
type surroundings struct {
	dir      string
	env      []string
	settings []func() // of the library: these put them back
}

// outside are those of the first execution; nil before it.
var outside *surroundings

// RestoreSurroundings gives each execution, of any test, the environment and the working directory
// of the first one. In an execution that is cut off or left behind, the cleanup of testing.T's
// Setenv or Chdir does not run.
func RestoreSurroundings() {
	closePipes()
	shared.several, shared.common, shared.told = false, false, false
	shared.timed, shared.waited = false, false
	switch {
	case outside == nil:
		dir, _ := os.Getwd()
		outside = &surroundings{dir: dir, env: os.Environ()}
		for _, save := range gate.Settings {
			outside.settings = append(outside.settings, save())
		}
		return
	case gate.Touched:
		outside.restore()
	}
	gate.Touched = false
	for _, restore := range outside.settings {
		restore()
	}
}

func (s *surroundings) restore() {
	os.Clearenv()
	for _, v := range s.env {
		if name, value, ok := strings.Cut(v, "="); ok {
			os.Setenv(name, value)
		}
	}
	if s.dir != "" {
		os.Chdir(s.dir)
	}
}
