package files

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// mode says how an operation uses a cell.
type mode uint8

const (
	reads  mode = iota // commutes with reads
	adds               // commutes with adds: what is in a set has no order
	writes             // commutes with nothing
)

func conflict(a, b mode) bool { return a != b || a == writes }

// print is one cell of a footprint.
type print struct {
	cell string
	mode mode
}

// pathPrint returns the footprint of an operation on a name. It is asked for right before the
// operation is done.
func (w *World) pathPrint(op gate.PathOp, path, other string) []print {
	var list []print
	add := func(cell string, m mode) { list = append(list, print{cell, m}) }
	above := func(dir string) {
		for ; !w.isFixed(dir); dir = filepath.Dir(dir) {
			add("name "+dir, reads)
		}
	}
	lookup := func(path string, m mode) {
		add("name "+path, m)
		above(filepath.Dir(path))
		if m != reads {
			add("list "+filepath.Dir(path), adds)
		}
		if target := w.target(path); target != path {
			above(target)
		}
	}
	content := func(path string, m mode) { add("content "+w.content(w.target(path)), m) }
	add(workingDir, reads)
	switch op {
	case gate.PathLook:
		lookup(path, reads)
		content(path, reads)
	case gate.PathMake, gate.PathSymlink:
		lookup(path, choose(exists(path), reads, writes))
	case gate.PathTruncate:
		lookup(path, choose(exists(path), reads, writes))
		content(path, writes)
	case gate.PathAlter:
		lookup(path, reads)
		content(path, writes)
	case gate.PathRemove, gate.PathTree:
		lookup(path, choose(exists(path), writes, reads))
		add("list "+path, reads)
	case gate.PathRename, gate.PathLink:
		lookup(path, choose(op == gate.PathLink, reads, writes))
		lookup(other, writes)
		add("list "+other, reads)
	case gate.PathChdir:
		list = list[:0]
		lookup(path, reads)
		add(workingDir, writes)
	}
	return list
}

// treePrint returns the footprint of each step that removes a part of a tree. All names in it read
// the name of the tree.
func treePrint(tree string) []print {
	return []print{{"name " + tree, writes}, {"list " + tree, writes},
		{"list " + filepath.Dir(tree), adds}}
}

func choose(cond bool, yes, no mode) mode {
	if cond {
		return yes
	}
	return no
}

// handlePrint returns the footprint of an operation on an open file.
func (w *World) handlePrint(op gate.HandleOp, h *handle) []print {
	offset, content := print{"offset " + h.key, writes}, print{"content " + h.content, reads}
	switch op {
	case gate.HandleReadAt, gate.HandleLook:
		offset.mode = reads
	case gate.HandleWrite:
		content.mode = writes
	case gate.HandleWriteAt, gate.HandleAlter:
		offset.mode, content.mode = reads, writes
	case gate.HandleClose:
		return []print{offset}
	case gate.HandleList:
		list := []print{offset, {"list " + h.path, reads}}
		// to remove one of these directories removes its content
		for dir := h.path; !w.isFixed(dir); dir = filepath.Dir(dir) {
			list = append(list, print{"name " + dir, reads})
		}
		return list
	}
	return []print{offset, content}
}

// cell has the uses of one cell.
type cell struct{ uses []use }

// use is the latest access of one process, in one mode, by one key.
type use struct {
	proc  int32
	at    int32 // its own time
	mode  mode
	class string
	looks bool // its step changes nothing
}

// mark enters the footprint of the step that p has just done, and finds those with which it
// clashes.
func (w *World) mark(p *sched.Proc, key string, list []print) {
	if !w.clocks.On() {
		w.Classes.blind = true
		return
	}
	now := use{proc: p.ID, at: w.clocks.Now(p) - 1, class: w.class(key),
		looks: w.looked()}
	for _, f := range list {
		c := w.cells[f.cell]
		if c == nil {
			c = &cell{}
			w.cells[f.cell] = c
		}
		now.mode = f.mode
		for i := range c.uses {
			if u := &c.uses[i]; conflict(u.mode, now.mode) && u.proc != p.ID &&
				u.independent(&now) &&
				!w.clocks.Knows(p, u.proc, u.at) {
				w.Classes.clash(u, &now)
			}
		}
		c.note(now)
	}
}

// looked reports whether the latest step changes nothing.
func (w *World) looked() bool {
	n := len(w.s.Done())
	return n > 0 && (w.s.LastEvent().Kind == trace.AtomicLoad || !w.s.LastEvent().OK)
}

// independent reports whether the steps of two uses are independent.
func (u *use) independent(v *use) bool { return u.class != v.class || u.looks && v.looks }

// note replaces an earlier use of the same kind.
func (c *cell) note(now use) {
	for i := range c.uses {
		if u := &c.uses[i]; u.proc == now.proc && u.mode == now.mode && u.class == now.class &&
			u.looks == now.looks {
			u.at = now.at
			return
		}
	}
	c.uses = append(c.uses, now)
}

// Classes says which keys share an object. It outlives executions.
type Classes struct {
	parent  map[string]string
	strict  map[string]bool    // classes whose steps all change something
	clashes map[[2]string]bool // found since the last Join; true: both steps only look
	joins   int
	// in an execution without clocks, processes that may run side by side have used files
	blind bool
}

// NewClasses returns classes of one key each.
func NewClasses() *Classes {
	return &Classes{parent: map[string]string{}, strict: map[string]bool{},
		clashes: map[[2]string]bool{}}
}

// of returns the class of a key, which is the least key in it.
func (c *Classes) of(key string) string {
	if c.joins > maxJoins {
		return everything
	}
	for c.parent[key] != "" {
		key = c.parent[key]
	}
	return key
}

// maxJoins bounds how often an exploration begins anew: after that, all files are one object.
const maxJoins = 12

const everything = "all files"

func (c *Classes) clash(u, v *use) {
	pair := [2]string{min(u.class, v.class), max(u.class, v.class)}
	c.clashes[pair] = c.clashes[pair] || u.looks && v.looks
}

// Distrust makes the class of a key strict at the next Join.
func (c *Classes) Distrust(key string) {
	if class := c.of(key); !c.strict[class] {
		c.clashes[[2]string{class, class}] = true
	}
}

// Strict reports whether the class of a key is strict.
func (c *Classes) Strict(key string) bool { return c.strict[c.of(key)] }

// Clashed reports whether there have been clashes since the last Join, or may have been.
func (c *Classes) Clashed() bool { return len(c.clashes) > 0 || c.blind }

// sorted lists these.
func (c *Classes) sorted() (list [][2]string) {
	for pair := range c.clashes {
		list = append(list, pair)
	}
	slices.SortFunc(list, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return list
}

// Join makes the classes of keys that have clashed one class, and strict if that is not enough.
func (c *Classes) Join() {
	c.joins, c.blind = c.joins+1, false
	for _, pair := range c.sorted() {
		a, b := c.of(pair[0]), c.of(pair[1])
		if a != b {
			c.parent[max(a, b)] = min(a, b)
		}
		c.strict[c.of(a)] = c.strict[a] || c.strict[b] || c.clashes[pair]
	}
	c.strict[everything] = true
	clear(c.clashes)
}

// Needed reports whether executions need clocks.
func (c *Classes) Needed() bool { return c.joins > 0 }

// Saved are Classes in a form for another operating system process.
type Saved struct {
	Parent  map[string]string
	Strict  map[string]bool
	Clashes [][2]string
	Looks   []bool // beside Clashes
	Joins   int
	Blind   bool
}

// Save returns the classes, and the clashes since the last Join.
func (c *Classes) Save() Saved {
	to := Saved{Parent: maps.Clone(c.parent), Strict: maps.Clone(c.strict), Clashes: c.sorted(),
		Joins: c.joins, Blind: c.blind}
	for _, pair := range to.Clashes {
		to.Looks = append(to.Looks, c.clashes[pair])
	}
	return to
}

// Load makes the classes those of another process.
func (c *Classes) Load(from Saved) {
	*c = *NewClasses()
	maps.Copy(c.parent, from.Parent)
	maps.Copy(c.strict, from.Strict)
	c.joins = from.Joins
}

// Add adds the clashes of another process.
func (c *Classes) Add(from Saved) {
	for i, pair := range from.Clashes {
		c.clashes[pair] = c.clashes[pair] || from.Looks[i]
	}
	c.blind = c.blind || from.Blind
}

// Text is the classes as the header of a schedule has them: "b=a" puts key b into the class of key
// a, "!a" makes class a strict, and "all" puts all keys into one. Empty: each key is a class. It is
// empty, too, if it were longer than maxText: then an execution with the choices of the schedule
// may have other objects.
func (c *Classes) Text() string {
	var list []string
	for key, class := range c.parent {
		list = append(list, key+"="+class)
	}
	for class, strict := range c.strict {
		if strict && class != everything {
			list = append(list, "!"+class)
		}
	}
	slices.Sort(list)
	text := strings.Join(list, " ")
	switch {
	case c.joins > maxJoins:
		return "all"
	case len(text) > maxText:
		return ""
	}
	return text
}

// maxText bounds the text of the classes in a schedule, in bytes.
const maxText = 4096

// Parse returns the classes of a text. It skips what Text does not write.
func Parse(text string) *Classes {
	c := NewClasses()
	for _, word := range strings.Fields(text) {
		key, class, pair := strings.Cut(word, "=")
		strict, mark := strings.CutPrefix(word, "!")
		switch {
		case word == "all":
			c.joins, c.strict[everything] = maxJoins, true
		case pair && class < key: // the class is the least key, so that there is no circle
			c.parent[key] = class
		case mark:
			c.strict[strict] = true
		}
		c.joins++
	}
	return c
}
