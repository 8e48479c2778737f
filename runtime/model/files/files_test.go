package files

import (
	"fmt"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// none are clocks in which nobody knows of anybody.
type none struct{}

func (none) On() bool                                 { return true }
func (none) Now(*sched.Proc) int32                    { return 1 }
func (none) Knows(p *sched.Proc, proc, at int32) bool { return false }

// TestClasses joins keys one after the other.
func TestClasses(t *testing.T) {
	c := NewClasses()
	c.clash(&use{class: "b"}, &use{class: "c"})
	c.clash(&use{class: "c"}, &use{class: "d"})
	c.clash(&use{class: "x"}, &use{class: "y"})
	if c.of("b") == c.of("c") {
		t.Error("joined before Join")
	}
	if c.Join(); c.of("b") != "b" || c.of("c") != "b" || c.of("d") != "b" || c.of("y") != "x" ||
		c.of("z") != "z" {
		t.Errorf("classes %v", c.parent)
	}
	c.clash(&use{class: "d", looks: true}, &use{class: "a", looks: true})
	if c.strict["b"] {
		t.Error("strict without a reason")
	}
	if c.Join(); c.of("c") != "a" || c.Clashed() || !c.strict["a"] {
		t.Errorf("classes %v", c.parent)
	}
	for range maxJoins {
		c.clash(&use{class: "x"}, &use{class: "a"})
		c.Join()
	}
	if c.of("z") != everything {
		t.Error("classes are joined without end")
	}
}

// TestText: a schedule's header has the classes that its execution had, and no circle is read.
func TestText(t *testing.T) {
	c := NewClasses()
	c.clash(&use{class: "c"}, &use{class: "b"})
	c.clash(&use{class: "b"}, &use{class: "a"})
	c.clash(&use{class: "x", looks: true}, &use{class: "x", looks: true})
	c.Join()
	text := c.Text()
	if d := Parse(text); d.of("c") != "a" || d.of("b") != "a" || !d.strict["x"] || d.strict["a"] ||
		!d.Needed() || d.Text() != text {
		t.Errorf("%q is read as %+v", text, d)
	}
	if d := Parse("a=b b=a c=c"); d.of("a") != "a" || d.of("b") != "a" || d.of("c") != "c" {
		t.Errorf("circles are read as %+v", d)
	}
	if d := Parse(""); d.Needed() || d.Text() != "" {
		t.Errorf("nothing is read as %+v", d)
	}
	for range maxJoins {
		c.Join()
	}
	if d := Parse(c.Text()); d.of("z") != everything || !d.strict[everything] {
		t.Errorf("%q is read as %+v", c.Text(), d)
	}
}

// TestSaved hands classes and clashes on.
func TestSaved(t *testing.T) {
	c, d := NewClasses(), NewClasses()
	c.clash(&use{class: "a"}, &use{class: "b"})
	c.Join()
	c.clash(&use{class: "b"}, &use{class: "c"})
	if d.Load(c.Save()); d.of("b") != "a" || d.Clashed() {
		t.Errorf("loaded %v", d)
	}
	if d.Add(c.Save()); !d.Clashed() || !c.Clashed() {
		t.Error("clashes are lost")
	}
	if d.Join(); d.of("c") != "a" {
		t.Errorf("joined %v", d.parent)
	}
}

// TestFootprints has pairs of operations by two processes, and whether they clash.
func TestFootprints(t *testing.T) {
	type operation struct {
		op          gate.PathOp
		path, other string
	}
	for _, c := range []struct {
		a, b operation
		want bool
	}{
		{operation{gate.PathMake, "d/x", ""}, operation{gate.PathMake, "d/y", ""}, false},
		{operation{gate.PathMake, "d/x", ""}, operation{gate.PathLook, "d/x", ""}, true},
		{operation{gate.PathLook, "f", ""}, operation{gate.PathLook, "f", ""}, false},
		{operation{gate.PathMake, "new", ""}, operation{gate.PathMake, "new/x", ""}, true},
		// d is there
		{operation{gate.PathMake, "d", ""}, operation{gate.PathMake, "d/x", ""}, false},
		{operation{gate.PathTree, "d", ""}, operation{gate.PathLook, "d/e/f", ""}, true},
		{operation{gate.PathRename, "f", "g"}, operation{gate.PathLook, "f", ""}, true},
		{operation{gate.PathRename, "f", "g"}, operation{gate.PathLook, "g", ""}, true},
		{operation{gate.PathRename, "f", "g"}, operation{gate.PathMake, "h", ""}, false},
		{operation{gate.PathRemove, "d", ""}, operation{gate.PathMake, "d/x", ""}, true},
		{operation{gate.PathChdir, "d", ""}, operation{gate.PathLook, "f", ""}, true},
		{operation{gate.PathTruncate, "f", ""}, operation{gate.PathLook, "link", ""}, true},
		{operation{gate.PathTruncate, "f", ""}, operation{gate.PathTruncate, "d/y", ""}, false},
	} {
		t.Run(fmt.Sprint(c.a, c.b), func(t *testing.T) {
			w := newWorld(t)
			for i, o := range []operation{c.a, c.b} {
				from, to := w.both(o.path, o.other)
				w.mark(&sched.Proc{ID: int32(i)}, fmt.Sprint("key", i), w.pathPrint(o.op, from, to))
			}
			if got := w.Classes.Clashed(); got != c.want {
				t.Errorf("clash: %t", got)
			}
		})
	}
}

// newWorld makes a world in a directory that has f, link, which leads to f, and d.
func newWorld(t *testing.T) *World {
	base := t.TempDir()
	t.Chdir(base)
	for _, err := range []error{os.WriteFile("f", nil, 0o666), os.Symlink("f", "link"),
		os.Mkdir("d", 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w := New(sched.New("coroutine"), none{})
	w.reset()
	return w
}

// TestContents follows contents through renames and links.
func TestContents(t *testing.T) {
	w := newWorld(t)
	at := func(name string) string { return w.Canonical(name) }
	if w.content(w.target(at("link"))) != at("f") {
		t.Error("a symbolic link has a content of its own")
	}
	w.Named(gate.PathRename, "f", "g")
	if w.content(at("g")) != at("f") {
		t.Errorf("g is %s", w.content(at("g")))
	}
	w.Named(gate.PathLink, "g", "h")
	if w.content(at("h")) != at("f") {
		t.Errorf("h is %s", w.content(at("h")))
	}
	w.Named(gate.PathRename, "d", "e")
	if w.content(at("e/x")) != at("d/x") {
		t.Errorf("e/x is %s", w.content(at("e/x")))
	}
}

// TestHandles shares contents, not offsets.
func TestHandles(t *testing.T) {
	w := newWorld(t)
	one, two := &handle{key: "1", content: "f"}, &handle{key: "2", content: "f"}
	for _, c := range []struct {
		a, b gate.HandleOp
		same bool
		want bool
	}{
		{gate.HandleRead, gate.HandleRead, false, false},
		{gate.HandleRead, gate.HandleWrite, false, true},
		{gate.HandleWriteAt, gate.HandleReadAt, false, true},
		{gate.HandleWrite, gate.HandleClose, false, false},
		{gate.HandleSeek, gate.HandleRead, true, true},
		{gate.HandleClose, gate.HandleRead, true, true},
		{gate.HandleReadAt, gate.HandleLook, true, false},
	} {
		w.Classes, w.cells = NewClasses(), map[string]*cell{}
		second := two
		if c.same {
			second = one
		}
		w.mark(&sched.Proc{ID: 0}, "1", w.handlePrint(c.a, one))
		w.mark(&sched.Proc{ID: 1}, "2", w.handlePrint(c.b, second))
		if got := w.Classes.Clashed(); got != c.want {
			t.Errorf("%d and %d, same %t: %t", c.a, c.b, c.same, got)
		}
	}
}

// TestTrees removes d, and says what clashes with its last step.
func TestTrees(t *testing.T) {
	w := newWorld(t)
	at := w.Canonical("")
	for _, c := range []struct {
		name string
		list []print
		want bool
	}{
		{"a file in it", w.pathPrint(gate.PathLook, at+"/d/e/f", ""), true},
		{"itself", w.pathPrint(gate.PathLook, at+"/d", ""), true},
		{"a link to it", []print{{"name " + at + "/d", reads}}, true},
		{"another tree", treePrint(at + "/e"), false},
		{"another tree in it", treePrint(at + "/d/e"), true},
		{"a new file beside it", w.pathPrint(gate.PathMake, at+"/g", ""), false},
		{"a list of all", w.handlePrint(gate.HandleList, &handle{key: "1", path: at}), true},
		{"a list in it", w.handlePrint(gate.HandleList, &handle{key: "1", path: at + "/d/e"}),
			true},
	} {
		w.Classes, w.cells = NewClasses(), map[string]*cell{}
		w.mark(&sched.Proc{ID: 0}, "1", treePrint(at+"/d"))
		w.mark(&sched.Proc{ID: 1}, "2", c.list)
		if got := w.Classes.Clashed(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestKinds says which operations only look.
func TestKinds(t *testing.T) {
	newWorld(t)
	for _, c := range []struct {
		op   gate.PathOp
		path string
		want bool // it changes something
	}{{gate.PathMake, "f", false}, {gate.PathMake, "x", true}, {gate.PathRemove, "x", false},
		{gate.PathRemove, "f", true}, {gate.PathTruncate, "f", true}} {
		o := &Operation{}
		kind, probe := o.kind(c.op, c.path)
		ev := &trace.Event{Kind: kind}
		o.probe = probe
		if o.Apply(nil, ev); ev.OK != c.want {
			t.Errorf("%d %s: %t", c.op, c.path, ev.OK)
		}
	}
}
