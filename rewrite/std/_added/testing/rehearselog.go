// The overlay adds this to package testing: what a test reads of its surroundings is written down.
package testing

import (
	inputlog "internal/testlog"
	"os"
	"path/filepath"
	"rehearse/runtime/gate"
	"sync"
)

// rehearseInputs writes down which environment variables and files the tests look at, as go test
// has it done: each once, "getenv NAME", "stat FILE" or "open FILE", in a line.
type rehearseInputs struct {
	mu   sync.Mutex
	file *os.File
	seen map[string]bool
}

// rehearseLogInputs begins with that, if the command has asked for it.
func rehearseLogInputs() {
	if gate.InputLog == "" {
		return
	}
	file, err := os.OpenFile(gate.InputLog, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return // without the file nothing is kept
	}
	inputlog.SetLogger(&rehearseInputs{file: file, seen: map[string]bool{}})
}

// Getenv implements testlog.Interface.
func (l *rehearseInputs) Getenv(key string) { l.note("getenv", key) }

// Open implements testlog.Interface.
func (l *rehearseInputs) Open(name string) { l.note("open", name) }

// Stat implements testlog.Interface.
func (l *rehearseInputs) Stat(name string) { l.note("stat", name) }

// Chdir implements testlog.Interface. Names are absolute when they are written down.
func (l *rehearseInputs) Chdir(string) {}

func (l *rehearseInputs) note(what, name string) {
	if !gate.Here() {
		return // the explorer itself
	}
	defer gate.Back(gate.Aside())
	if what != "getenv" && !filepath.IsAbs(name) {
		if dir, err := os.Getwd(); err == nil {
			name = filepath.Join(dir, name)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := what + " " + name + "\n"; !l.seen[line] {
		l.seen[line] = true
		l.file.WriteString(line)
	}
}
