// Package files models which operations on files, of different processes, depend on each other. The
// files themselves are the operating system's.
//
// Vocabulary: an operation is a step on one object, which belongs to its key: a name, the content
// of a file, or the offset of an open file (a handle). A step only looks, or changes something. The
// footprint of an operation are the cells that it reads, writes or adds to: names, the lists of
// names in directories, contents, offsets of handles. Two operations clash if their footprints
// conflict, nothing orders them, and their steps are independent: they are on two objects, or both
// only look.
//
// At first each key is an object of its own, so that processes which use different files are
// independent. To read from a handle is a look, because few processes share one. That is wrong if
// one operation is about several names (a file is renamed, a directory is listed), or a handle is
// shared. So operations that clash make the classes of their keys one, with one object, or make
// their class strict: all its steps change something. That holds in all executions after
// Classes.Join, and the exploration begins anew.
//
// Lemma 1. If no explored execution has a clash, the steps have all dependences. Take an execution
// equivalent to an explored one, and in it the first two dependent operations that are not ordered
// and whose steps are independent. Before them all is as in the explored one. So there they have
// the same footprints, which conflict, and that is a clash. TestFiles (internal/lab/differ) attacks
// the lemma.
//
// Guarantees: names are compared as absolute paths without symbolic links in the directories. Hard
// links, and names through which a symbolic link leads to a file, share the file's content.
//
// LIMITS: an execution with one process makes no steps. The size and the times of a directory are
// not a part of the directory. System calls that do not go through package os are no steps.
// os.Rename is one step, although it looks for a directory of the new name before it renames.
package files

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Clocks knows what orders the processes of an execution.
type Clocks interface {
	On() bool                // whether there are any
	Now(p *sched.Proc) int32 // p's own time
	// whether p comes after what proc has done at that time
	Knows(p *sched.Proc, proc int32, at int32) bool
}

// World holds the files of one execution.
type World struct {
	s       *sched.Sched
	clocks  Clocks
	Classes *Classes // of the test

	objects map[string]int32           // by class
	handles map[unsafe.Pointer]*handle // by *os.file
	numbers map[string]int             // handles, by the beginnings of their keys
	// of names that are not those of the contents: renamed files, and links
	contents map[string]string
	cells    map[string]*cell
	resolved map[string]string // directories without symbolic links
	dir      string            // the working directory; empty: not known
	fixed    []string          // directories that no test removes
	stepped  bool              // the latest operation was a step
}

// handle is an open file.
type handle struct {
	key     string
	path    string
	content string
}

// New returns the files of s's executions.
func New(s *sched.Sched, clocks Clocks) *World {
	w := &World{s: s, clocks: clocks, Classes: NewClasses()}
	s.OnReset(w.reset)
	return w
}

func (w *World) reset() {
	if w.fixed == nil {
		w.fixed = fixedDirs()
	}
	if w.objects != nil &&
		len(w.objects)+len(w.handles)+len(w.contents)+len(w.cells)+len(w.resolved) == 0 {
		w.dir = ""
		return
	}
	w.objects, w.handles, w.numbers = map[string]int32{}, map[unsafe.Pointer]*handle{},
		map[string]int{}
	w.contents, w.cells, w.resolved, w.dir = map[string]string{}, map[string]*cell{},
		map[string]string{}, ""
}

// alone reports whether no other process can see the operations of the present one: they come
// before all that others will do.
func (w *World) alone() bool { return len(w.s.All()) == 1 }

// Operation is the declared operation of one process; its memory is reused.
type Operation struct {
	probe func() bool // whether it will change anything; nil: it will

	Tree      string // the name whose tree the process is removing
	Temporary bool   // the next name is that of a temporary file
}

// Alts implements sched.Operation.
func (o *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply implements sched.Operation.
func (o *Operation) Apply(p *sched.Proc, ev *trace.Event) {
	ev.OK = ev.Kind == trace.AtomicUpdate && (o.probe == nil || o.probe())
}

// quietly runs f, which uses package os, without events.
func quietly(f func()) {
	owner := gate.Aside()
	f()
	gate.Back(owner)
}

// Path declares an operation on a name, which the caller must do at once. other is the second name
// of some operations.
func (w *World) Path(p *sched.Proc, o *Operation, op gate.PathOp, path, other string) {
	if w.s.Dying() {
		return
	}
	if w.stepped = !w.alone(); w.stepped {
		var from, to string
		quietly(func() { from, to = w.both(path, other) })
		key := o.key(op, from, to)
		kind, probe := o.kind(op, from)
		w.step(p, o, key, kind, probe)
		full := false
		quietly(func() {
			from, to = w.both(path, other) // where links, or the working directory, lead by now
			list := w.pathPrint(op, from, to)
			if o.Tree != "" && op == gate.PathLook {
				list = append(list, treePrint(o.Tree)...)
			}
			w.mark(p, key, list)
			full = op == gate.PathTree && hasEntries(from)
		})
		if full && w.watched(p) {
			w.s.Fix(WholeTrees)
		}
	}
	switch op {
	case gate.PathChdir:
		w.dir = ""
	case gate.PathRename, gate.PathRemove, gate.PathTree, gate.PathSymlink:
		clear(w.resolved)
	}
}

// WholeTrees is the choice that is fixed when a directory is removed with its content, and others
// may look on.
const WholeTrees = "trees of files are removed at once"

// watched reports whether another process than p goes on.
func (w *World) watched(p *sched.Proc) bool {
	return slices.ContainsFunc(w.s.All(), func(q *sched.Proc) bool { return q != p && !q.Ended() })
}

// hasEntries reports whether path is a directory that is not empty.
func hasEntries(path string) bool {
	list, err := os.ReadDir(path)
	return err == nil && len(list) > 0
}

// both are two names in canonical form; the second may be empty.
func (w *World) both(path, other string) (string, string) {
	if other != "" {
		other = w.Canonical(other)
	}
	return w.Canonical(path), other
}

// key returns the key of an operation on a name.
func (o *Operation) key(op gate.PathOp, path, other string) string {
	switch {
	case o.Tree != "":
		return o.Tree
	case other != "":
		return other // the new name is what others may be waiting for
	case op == gate.PathChdir || op == gate.PathGetwd:
		return workingDir
	}
	return path
}

// Named notes that the file with the name path has got the name other, too; a rename takes the name
// path away.
func (w *World) Named(op gate.PathOp, path, other string) {
	quietly(func() {
		path, other = w.both(path, other)
		if op == gate.PathRename {
			w.rename(path, other)
		} else {
			w.contents[other] = w.content(path)
		}
	})
}

// kind says whether an operation may change something, and returns a test for that before it is
// done. Who looks while it removes a tree goes on to remove.
func (o *Operation) kind(op gate.PathOp, path string) (kind trace.Kind, probe func() bool) {
	if o.Tree != "" && op == gate.PathLook {
		return trace.AtomicUpdate, nil
	}
	switch op {
	case gate.PathLook, gate.PathGetwd:
		return trace.AtomicLoad, nil
	case gate.PathMake, gate.PathSymlink:
		return trace.AtomicUpdate, func() bool { return !exists(path) }
	case gate.PathRemove, gate.PathTree, gate.PathAlter, gate.PathRename:
		return trace.AtomicUpdate, func() bool { return exists(path) }
	}
	return trace.AtomicUpdate, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// rename gives the file with the name path, and all files below it, other names.
func (w *World) rename(path, other string) {
	moved := map[string]string{other: w.content(path)}
	for name, content := range w.contents {
		if rest, ok := strings.CutPrefix(name, path+separator); ok {
			moved[other+separator+rest] = content
		}
	}
	maps.Copy(w.contents, moved)
	for name := range w.contents {
		if name == path || strings.HasPrefix(name, path+separator) {
			delete(w.contents, name)
		}
	}
}

// content names the content of a name.
func (w *World) content(path string) string {
	if c, ok := w.contents[path]; ok {
		return c
	}
	for dir := filepath.Dir(path); len(dir) > 1; dir = filepath.Dir(dir) {
		if c, ok := w.contents[dir]; ok {
			return c + path[len(dir):] // below a directory that was renamed
		}
	}
	return path
}

// Opened notes that the present process has opened a file by a name.
func (w *World) Opened(p *sched.Proc, file unsafe.Pointer, path string) {
	quietly(func() { w.register(p, file, w.Canonical(path)) })
}

func (w *World) register(p *sched.Proc, file unsafe.Pointer, path string) *handle {
	key := "handle " + path + " of " + p.Path() + " "
	w.numbers[key]++
	h := &handle{key: key + strconv.Itoa(w.numbers[key]), path: path,
		content: w.content(w.target(path))}
	w.handles[file] = h
	return h
}

// Handle does an operation on an open file of this name.
func (w *World) Handle(p *sched.Proc, o *Operation, file unsafe.Pointer, name string,
	op gate.HandleOp) {
	if w.s.Dying() {
		return
	}
	h := w.handles[file]
	if w.stepped = !w.alone(); !w.stepped {
		return
	}
	if h == nil {
		quietly(func() { h = w.register(p, file, w.Canonical(name)) })
	}
	kind := trace.AtomicLoad
	if op == gate.HandleWrite || op == gate.HandleWriteAt || op == gate.HandleAlter {
		kind = trace.AtomicUpdate
	}
	key := contentOf + h.content
	switch {
	case o.Tree != "": // what it lists, it removes
		key, kind = o.Tree, trace.AtomicUpdate
	case op == gate.HandleSeek || op == gate.HandleClose:
		key, kind = h.key, trace.AtomicUpdate
	}
	w.step(p, o, key, kind, nil)
	if kind := w.s.LastEvent().Kind; kind == trace.AtomicLoad &&
		(op == gate.HandleRead || op == gate.HandleList) {
		w.s.LastEvent().Op.N = trace.Moves
	}
	list := w.handlePrint(op, h)
	if o.Tree != "" {
		list = treePrint(o.Tree) // and not that of the directory that it is in, which is open, too
	}
	w.mark(p, key, list)
}

// Idle says that the last operation of the present process, on an open file, has changed nothing.
func (w *World) Idle() {
	if w.stepped && !w.s.Dying() {
		w.s.LastEvent().Op.N = 0 // it polls
	}
}

// step declares a step on the object of a key.
func (w *World) step(p *sched.Proc, o *Operation, key string, kind trace.Kind, probe func() bool) {
	if o.probe = probe; w.Classes.strict[w.class(key)] {
		kind, o.probe = trace.AtomicUpdate, nil
	}
	p.Op = trace.Op{Kind: kind, Obj: w.object(key)}
	w.s.Do(p, o)
}

// object returns the number of the object of a key.
func (w *World) object(key string) int32 {
	class := w.class(key)
	id, ok := w.objects[class]
	if !ok {
		id = w.s.NewObject(func() string { return describe(key) + w.s.FirstUse() })
		w.s.Met()
		w.objects[class] = id
	}
	return id
}

// describe names the object of a key for people.
func describe(key string) string {
	name, isHandle := strings.CutPrefix(strings.TrimPrefix(key, contentOf), "handle ")
	switch {
	case key == workingDir:
		return key
	case isHandle:
		name = name[:strings.LastIndex(name, " of ")]
	}
	return "file " + filepath.Base(name)
}

const (
	contentOf  = "content " // begins the key of a content
	separator  = string(filepath.Separator)
	workingDir = "working directory"
)

// class returns the class of a key. Classes know keys by hashes, as schedules show them to people
// who must not read names. Keys with one hash share an object, which only adds dependences.
func (w *World) class(key string) string {
	h := fnv.New64a()
	io.WriteString(h, portable(key))
	return w.Classes.of(fmt.Sprintf("%08x", h.Sum64()>>32))
}

// portable returns a key as it is in all operating system processes: the root of the temporary
// directories has another name in each that runs at the same time.
func portable(key string) string {
	if gate.TempRoot == "" {
		return key
	}
	return strings.Replace(key, gate.TempRoot, "$TEMP", 1)
}

// Canonical is the absolute path of a name, without symbolic links in the directories.
func (w *World) Canonical(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.workingDir(), path)
	}
	dir, base := filepath.Split(filepath.Clean(path))
	return filepath.Join(w.resolve(filepath.Clean(dir)), base)
}

func (w *World) workingDir() string {
	if w.dir == "" {
		w.dir, _ = os.Getwd()
		w.dir = w.resolve(w.dir)
	}
	return w.dir
}

// resolve follows the symbolic links in the path of a directory, as far as there is one.
func (w *World) resolve(dir string) string {
	if known, ok := w.resolved[dir]; ok {
		return known
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		return filepath.Join(w.resolve(parent), filepath.Base(dir))
	}
	w.resolved[dir] = real
	return real
}

// target is the name of the file that a name leads to.
func (w *World) target(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// fixedDirs are directories that no test removes.
func fixedDirs() (list []string) {
	here, _ := os.Getwd()
	for _, dir := range []string{here, os.TempDir()} {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			list = append(list, real)
		}
	}
	return list
}

// isFixed reports whether no test removes a directory: it is a fixed one, or contains one.
func (w *World) isFixed(dir string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	return slices.ContainsFunc(w.fixed, func(f string) bool {
		return f == dir || strings.HasPrefix(f, dir+separator)
	})
}
