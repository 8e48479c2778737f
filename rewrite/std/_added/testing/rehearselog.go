// The overlay adds this to package testing: what a test reads of its surroundings is written down.
package testing

import (
	inputlog "internal/testlog"
	"os"
	"path/filepath"
	"rehearse/runtime/gate"
	"strings"
	"sync"
	"sync/atomic"
)

// rehearseInputs writes down which environment variables and files the package looks at, as go test
// has it done: each once, "getenv NAME", "stat FILE" or "open FILE", in a line. "mode FILE" is a
// directory whose time nobody sees. "unknown" is all else.
type rehearseInputs struct {
	isOver atomic.Bool // the explorer has ended: what is read now is read by TestMain

	mu   sync.Mutex
	file *os.File // nil: nobody asks
	seen map[string]bool
}

// rehearseLogInputs begins with that, if the command has asked for it. Package initialisation and
// TestMain have read something before.
func rehearseLogInputs() *rehearseInputs {
	l := &rehearseInputs{seen: map[string]bool{}}
	if gate.InputLog == "" {
		inputlog.RehearseTell(func(what, name string) {}, nil)
		return l
	}
	// without the file nothing is kept
	l.file, _ = os.OpenFile(gate.InputLog, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	inputlog.RehearseTell(l.note, l.early)
	gate.OnUnknown = l.unknown
	if gate.HasReadUnknown() {
		l.unknown()
	}
	return l
}

func (l *rehearseInputs) note(what, name string) {
	switch {
	case gate.Here(), gate.IsAtOnce():
		defer gate.Back(gate.Aside())
		l.write(what, name)
	case l.isOver.Load():
		l.write(what, name)
	} // else it is the explorer itself
}

// early writes down what was read when dir was the working directory; empty: it still is.
func (l *rehearseInputs) early(what, name, dir string) {
	if what != "getenv" && !filepath.IsAbs(name) && dir != "" {
		name = filepath.Join(dir, name)
	}
	l.write(what, name)
}

func (l *rehearseInputs) write(what, name string) {
	if what != "getenv" {
		if !filepath.IsAbs(name) {
			dir, err := os.Getwd()
			if err != nil {
				l.unknown()
				return
			}
			name = filepath.Join(dir, name)
		}
		if what = rehearseSees(what, filepath.Clean(name)); what == "" {
			return
		}
	}
	if strings.Contains(name, "\n") {
		l.unknown() // the file has one a line
		return
	}
	l.line(what + " " + name)
}

// rehearseSees is what the program sees by looking at a file; nothing, if that is the same in each
// run: the process's own temporary files. Their directory changes the time of the one above it,
// which is virtual then.
func rehearseSees(what, name string) string {
	for _, base := range []string{strings.TrimSuffix(gate.TempFirst, "0"), gate.TempRoot} {
		switch {
		case base == "":
		case strings.HasPrefix(name, base):
			return ""
		case what == "stat" && name == filepath.Dir(base):
			return "mode"
		}
	}
	return what
}

// unknown may be called by a controlled process, like note.
func (l *rehearseInputs) unknown() {
	if gate.Here() {
		defer gate.Back(gate.Aside())
	}
	l.line("unknown")
}

func (l *rehearseInputs) line(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line += "\n"; l.file != nil && !l.seen[line] {
		l.seen[line] = true
		l.file.WriteString(line)
	}
}
