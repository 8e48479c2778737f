package library

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/files"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Leftovers are the files and directories that executions have made and not removed. Before the
// next execution begins, they are removed, so that each execution finds the same files as the first
// one. The leftovers of the last execution stay, as after go test, except the results of CreateTemp
// and MkdirTemp. Only new things are ever removed: files, empty directories, and the trees of
// MkdirTemp. Changes of files that were there before are reported, and not undone.
type leftover struct {
	made    []made
	changed map[string]bool
	foreign bool // something that was there before has got another name: it may be anywhere
}

// made is a file, a directory or a link.
type made struct {
	path string
	temp bool // CreateTemp or MkdirTemp has made it
}

var leftovers = &leftover{changed: map[string]bool{}}

// expect notes what an operation on names, which is about to be done, makes and changes.
func (l *leftover) expect(op gate.PathOp, path, other string, o *files.Operation) {
	temp := o.Temporary
	o.Temporary = false
	if op == gate.PathLook || op == gate.PathGetwd || op == gate.PathChdir || o.Tree != "" {
		return
	}
	path = world.W.Files.Canonical(path)
	_, err := os.Lstat(path)
	switch there := err == nil; op {
	case gate.PathMake, gate.PathSymlink, gate.PathTruncate:
		if !there {
			l.make(path, temp)
		} else if op == gate.PathTruncate {
			l.change(path)
		}
	case gate.PathRename, gate.PathLink:
		if there {
			l.name(path, world.W.Files.Canonical(other), op == gate.PathRename)
		}
	default:
		if there {
			l.change(path)
		}
	}
}

// name notes that the file called path gets the name other.
func (l *leftover) name(path, other string, renamed bool) {
	if renamed && !l.own(path) {
		l.foreign = true
		l.change(path)
	}
	if _, err := os.Lstat(other); err == nil {
		l.change(other)
	} else {
		l.make(other, false)
	}
}

func (l *leftover) make(path string, temp bool) {
	if !isBelow(path, gate.TempTests) && !slices.Contains(l.made, made{path, temp}) {
		l.made = append(l.made, made{path, temp})
	}
}

// change notes that an operation changes what is called path, unless this execution has made it.
func (l *leftover) change(path string) {
	const most = 100
	if len(l.changed) < most && !l.own(path) {
		l.changed[path] = true
	}
}

// own reports whether this execution has made what is called path, or a directory that it is in.
func (l *leftover) own(path string) bool {
	return isBelow(path, gate.TempTests) ||
		slices.ContainsFunc(l.made, func(m made) bool { return isBelow(path, m.path) })
}

// isBelow reports whether path is dir or in it.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// remove removes what is left, or of that only what is temporary.
func (l *leftover) remove(all bool) {
	for _, m := range slices.Backward(l.made) {
		switch {
		case m.temp && !l.foreign:
			os.RemoveAll(m.path)
		case all && !l.foreign:
			os.Remove(m.path) // not a directory that has something in it
		}
	}
	l.made, l.foreign = l.made[:0], false
}

// RemoveLeftovers removes the temporary files that the latest execution has left behind. all says
// that another execution follows, so that its other files have to be removed, too.
func RemoveLeftovers(all bool) { leftovers.remove(all) }

// ChangedFiles lists the files that executions since the last call have changed or removed, and
// that were there before.
func ChangedFiles() (list []string) {
	for path := range leftovers.changed {
		list = append(list, path)
	}
	clear(leftovers.changed)
	slices.Sort(list)
	return list
}

// AddChanged adds files that executions in another process have changed to what ChangedFiles
// returns.
func AddChanged(list []string) {
	for _, path := range list {
		leftovers.changed[path] = true
	}
}
