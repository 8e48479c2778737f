package hook

import (
	"os"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// surroundings are what a process of the operating system has one of, and a test may change.
type surroundings struct {
	dir string
	env []string
}

// restore gives each execution the environment and the working directory that the first one had: the cleanup of
// testing.T's Setenv or Chdir does not run in an execution that is cut off.
func (e *Executor) restore() {
	switch {
	case e.outside == nil:
		dir, _ := os.Getwd()
		e.outside = &surroundings{dir, os.Environ()}
	case gate.Touched:
		e.outside.restore()
	}
	gate.Touched = false
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
