package image

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// channels is a Channels for tests: it knows the channels in it, and whether each is closed.
type channels map[unsafe.Pointer]bool

func (c channels) Closed(ch unsafe.Pointer) (closed, known bool) {
	closed, known = c[ch]
	return closed, known
}

func (c channels) Renew(old, new unsafe.Pointer, closed bool) {
	delete(c, old)
	c[new] = closed
}

func pointer[C any](ch C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

type node struct {
	name string
	next *node
	kids map[string]*node
}

type world struct {
	n      int
	list   []int
	byName map[string][]string
	root   *node
	any    any
	count  atomic.Int64
	ref    atomic.Pointer[node]
	boxed  any
	lookup map[any]int
	cache  sync.Map
	unused sync.Map
	far    *sync.Map
}

func newWorld() *world {
	n := &node{name: "a", kids: map[string]*node{"k": {name: "k"}}}
	n.next = n
	w := &world{
		n: 1, list: append(make([]int, 0, 4), 1, 2),
		byName: map[string][]string{"x": {"1", "2"}, "y": nil},
		root:   n, any: &node{name: "any"}, boxed: struct{ m map[int]int }{map[int]int{1: 1}},
		lookup: map[any]int{1: 1, "s": 2},
	}
	w.ref.Store(&node{name: "ref"})
	w.cache.Store("a", &node{name: "a"})
	w.cache.Store("b", []int{1})
	w.far = new(sync.Map)
	w.far.Store(1, 1)
	return w
}

// describe shows all that w leads to.
func (w *world) describe() string {
	return fmt.Sprint(w.n, w.list, w.list[:cap(w.list)], w.byName, w.root.name,
		w.root.next == w.root,
		len(w.root.kids), w.root.kids["k"],
		w.any.(*node).name, w.count.Load(), w.ref.Load().name, w.boxed, w.lookup, content(&w.cache),
		content(&w.unused), content(w.far))
}

// content shows a sync.Map.
func content(m *sync.Map) map[any]any {
	all := map[any]any{}
	m.Range(func(key, elem any) bool {
		if n, ok := elem.(*node); ok {
			elem = n.name
		}
		all[key] = elem
		return true
	})
	return all
}

// TestRestore changes a variable in one way at a time.
func TestRestore(t *testing.T) {
	changes := map[string]func(w *world){
		"number":      func(w *world) { w.n++ },
		"append":      func(w *world) { w.list = append(w.list, 3) },
		"element":     func(w *world) { w.list[0] = 9 },
		"shrink":      func(w *world) { w.list = w.list[:1] },
		"map value":   func(w *world) { w.byName["x"][1] = "9" },
		"map insert":  func(w *world) { w.byName["z"] = nil },
		"map delete":  func(w *world) { delete(w.byName, "x") },
		"map clear":   func(w *world) { clear(w.lookup) },
		"map replace": func(w *world) { w.byName = map[string][]string{} },
		"cycle":       func(w *world) { w.root.next.name = "b" },
		"unlink":      func(w *world) { w.root.next = nil },
		"deep":        func(w *world) { w.root.kids["k"].name = "b" },
		"interface":   func(w *world) { w.any.(*node).name = "b" },
		"other type":  func(w *world) { w.any = 7 },
		"atomic":      func(w *world) { w.count.Add(1) },
		"atomic ref":  func(w *world) { w.ref.Load().name = "b" },
		"atomic swap": func(w *world) { w.ref.Store(new(node)) },
		"in a box":    func(w *world) { w.boxed.(struct{ m map[int]int }).m[2] = 2 },
		"shared new": func(w *world) {
			w.cache.Store("c", 1)
			w.unused.Store("c", 1)
			w.far.Store(2, 2)
		},
		"shared put":  func(w *world) { w.cache.Store("a", 1); w.far.Store(1, 2) },
		"shared gone": func(w *world) { w.cache.Delete("a"); w.cache.Delete("b"); w.far.Delete(1) },
		"shared deep": func(w *world) { a, _ := w.cache.Load("a"); a.(*node).name = "b" },
		"shared cell": func(w *world) { b, _ := w.cache.Load("b"); b.([]int)[0] = 2 },
		"shared none": func(w *world) { w.cache.Clear(); w.far.Clear(); w.cache.Store("d", 1) },
		"shared many": func(w *world) {
			for i := range 1000 {
				w.cache.Store(i, i)
				w.far.Store(i, -i)
			}
		},
		"shared move": func(w *world) { w.far = &w.cache },
		"everything":  func(w *world) { *w = world{} },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			before, root, index := w.describe(), w.root, w.byName
			m := Save([]any{w}, channels{})
			for range 2 {
				change(w)
				m.Restore()
				if got := w.describe(); got != before {
					t.Fatalf("got  %s\nwant %s", got, before)
				}
			}
			if w.root != root || pointer(w.byName) != pointer(index) {
				t.Error("something has moved")
			}
		})
	}
}

// TestTouched tells the root that a change belongs to.
func TestTouched(t *testing.T) {
	number, list, index, cache := 1, []int{1, 2}, map[string][]int{"a": {1}}, newWorld()
	roots := []any{&number, &list, &index, cache}
	m := Save(roots, channels{})
	for i, change := range []func(){
		func() { number++ },
		func() { list[1]++ },
		func() { index["a"][0]++ },
		func() { cache.cache.Store("new", 1) },
	} {
		if got := m.Touched(); got != nil {
			t.Errorf("before change %d: %v", i, got)
		}
		change()
		if got := m.Touched(); len(got) != 1 || got[0] != i {
			t.Errorf("change %d: %v", i, got)
		}
		m.Restore()
	}
	index["b"] = nil
	delete(index, "a")
	cache.unused.Store(1, 1)
	if got := fmt.Sprint(m.Touched()); got != "[2 3]" {
		t.Error(got)
	}
}

// TestWritesOnlyChanges saves memory that cannot be written to: the bytes of a constant.
func TestWritesOnlyChanges(t *testing.T) {
	text := "constant"
	frozen := unsafe.Slice(unsafe.StringData(text), len(text))
	Save([]any{&frozen}, channels{}).Restore()
}

type ends struct {
	both chan int
	in   <-chan int
	any  any
	m    map[string]chan int
}

func TestChannels(t *testing.T) {
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	v := ends{ch, ch, ch, map[string]chan int{"ch": ch}}
	known := channels{pointer(ch): false}
	m := Save([]any{&v}, known)
	for name, change := range map[string]func(){
		"nothing": func() {},
		"drained": func() { <-v.both; <-v.in },
		"filled":  func() { v.both <- 3 },
		"closed":  func() { close(v.both); known[pointer(v.both)] = true },
	} {
		change()
		m.Restore()
		if len(v.both) != 2 || v.in != (<-chan int)(v.both) || v.any != any(v.both) ||
			v.m["ch"] != v.both {
			t.Fatalf("%s: %v", name, v)
		}
		if a, b := <-v.both, <-v.both; a != 1 || b != 2 {
			t.Errorf("%s: got %d, %d", name, a, b)
		}
		m.Restore()
		v.both <- 3 // it is open
		m.Restore()
	}
}

// TestClosedBefore has a channel that is closed with values in it: every execution receives them.
func TestClosedBefore(t *testing.T) {
	ch := make(chan int, 1)
	ch <- 1
	close(ch)
	m := Save([]any{&ch}, channels{pointer(ch): true})
	for range 3 {
		m.Restore()
		if v, ok := <-ch; v != 1 || !ok {
			t.Fatal(v, ok)
		}
		if _, ok := <-ch; ok {
			t.Fatal("it is open")
		}
	}
}
