package toolchain

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
)

// Compiling tells how far the go commands have come that this process has started. These commands
// say nothing before they end, so Compiling looks for the compilers among the system's processes,
// if the system lists them.
type Compiling struct {
	order  []string // import paths, what is imported first
	latest string   // the package that was compiled when somebody looked
	done   int      // its place in order; never less than before
}

// NewCompiling returns one for a request. It asks the go command which packages there are, in the
// order in which it compiles them.
func NewCompiling(dir string, o *options.Options, patterns []string) *Compiling {
	t := &Toolchain{Dir: dir}
	args := slices.Concat([]string{"list", "-e", "-deps", "-test", "-f",
		"{{if not .ForTest}}{{.ImportPath}}{{end}}"}, o.BuildFlags(), patterns)
	out, err := t.Run(args...)
	if err != nil {
		return &Compiling{}
	}
	return &Compiling{order: strings.Fields(string(out))}
}

// Look says what is being compiled, as "14 of 61: net/http". As long as no compiler has been seen,
// packages are read. It is empty if the system does not list its processes.
func (c *Compiling) Look() string {
	paths, links := compiled()
	for _, path := range paths {
		// what is linked into every test is not in order, and takes long the first time
		if i := slices.Index(c.order, path); i >= c.done || i < 0 {
			c.done, c.latest = max(c.done, i+1), path
		}
	}
	if links && len(paths) == 0 {
		c.latest = "linking"
	}
	switch {
	case c.latest == "" && !listsProcesses():
		return ""
	case c.latest == "":
		return "(reading packages)"
	case c.done == 0:
		return c.latest
	}
	return strconv.Itoa(c.done) + " of " + strconv.Itoa(len(c.order)) + ": " + c.latest
}

// compiled lists the packages that compilers below this process work on now, and says whether a
// linker is at work.
func compiled() (paths []string, links bool) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range processes {
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		args := bytes.Split(line, []byte{0})
		tool := path.Base(string(args[0]))
		if err != nil || tool != "compile" && tool != "link" || !isBelow(dir) {
			continue
		}
		if tool == "link" {
			links = true
			continue
		}
		if i := slices.IndexFunc(args, func(a []byte) bool { return string(a) == "-p" }); i >= 0 &&
			i+1 < len(args) {
			paths = append(paths, string(args[i+1]))
		}
	}
	return paths, links
}

func listsProcesses() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// isBelow reports whether a process, the directory of which is given, was started by this one, or
// by one that was.
func isBelow(dir string) bool {
	const most = 5
	self := strconv.Itoa(os.Getpid())
	for range most {
		parent := parentIn(dir)
		if parent == "" || parent == self {
			return parent == self
		}
		dir = filepath.Join("/proc", parent)
	}
	return false
}

// parentIn is the fourth field of a process's stat, behind the name in parentheses.
func parentIn(dir string) string {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if err != nil || len(fields) < 2 {
		return ""
	}
	return string(fields[1])
}
