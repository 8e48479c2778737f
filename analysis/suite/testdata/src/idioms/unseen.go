// Variables that code that is not seen writes.
package idioms

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

type config struct {
	N     int
	Inner struct{ N int }
	Names []string
	Ptr   *inner
	Map   map[string]int
	On    bool
}

type inner struct{ N int }

func fill(ch chan int, n int) {
	for i := range n {
		ch <- i
	}
}

func jsonCapacity() {
	var cfg config
	if err := json.Unmarshal([]byte(`{"N": 3}`), &cfg); err != nil {
		return
	}
	ch := make(chan int, cfg.N)
	ch <- 1
	<-ch
}

// nested
func jsonNested() {
	var cfg config
	json.Unmarshal([]byte(`{"Inner": {"N": 3}}`), &cfg)
	ch := make(chan int, cfg.Inner.N)
	ch <- 1
	<-ch
}

// helper that does nothing else
func load(c *config) { json.Unmarshal([]byte(`{"On": true}`), c) }

func jsonHelper() {
	var cfg config
	load(&cfg)
	ch := make(chan int)
	if cfg.On {
		go func() { ch <- 1 }()
	}
	<-ch
}

// helper with any
func decode(v any) error { return json.NewDecoder(strings.NewReader(`{"On":true}`)).Decode(v) }

func jsonAny() {
	cfg := config{}
	decode(&cfg)
	ch := make(chan int)
	if cfg.On {
		go func() { ch <- 1 }()
	}
	<-ch
}

func gobDecode(b []byte) {
	var on bool
	gob.NewDecoder(bytes.NewReader(b)).Decode(&on)
	var mu sync.Mutex
	mu.Lock()
	if on {
		mu.Unlock()
	} else {
		return
	}
	mu.Lock()
	mu.Unlock()
}

func xmlDecode() {
	var v struct {
		Ok bool `xml:"ok"`
	}
	xml.Unmarshal([]byte("<v><ok>true</ok></v>"), &v)
	ch := make(chan int)
	if v.Ok {
		go func() { ch <- 1 }()
	}
	<-ch
}

func flagVar() {
	fset := flag.NewFlagSet("x", flag.ContinueOnError)
	var n int
	fset.IntVar(&n, "n", 2, "")
	fset.Parse(nil)
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

func sscan() {
	n := 0
	fmt.Sscan("4", &n)
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

func sscanf() {
	var on bool
	if _, err := fmt.Sscanf("true", "%t", &on); err != nil {
		return
	}
	done := make(chan struct{})
	if on {
		close(done)
	}
	<-done
}

type problem struct{ n int }

func (p *problem) Error() string { return "problem" }

func errorsAs() {
	err := error(&problem{2})
	var p *problem
	done := make(chan struct{})
	if errors.As(err, &p); p != nil {
		close(done)
	}
	<-done
}

func binaryRead() {
	var n uint32
	binary.Read(bytes.NewReader([]byte{1, 0, 0, 0}), binary.LittleEndian, &n)
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

func readFull() {
	var head [4]byte
	io.ReadFull(strings.NewReader("abcd"), head[:])
	done := make(chan struct{})
	if head[0] == 'a' {
		close(done)
	}
	<-done
}

// a method of an interface
func reads(r io.Reader) {
	var head [1]byte
	r.Read(head[:])
	done := make(chan struct{})
	if head[0] != 0 {
		close(done)
	}
	<-done
}

func copies() {
	src, dst := []byte{1, 2}, make([]byte, 2)
	copy(dst, src)
	done := make(chan struct{})
	if dst[0] == 1 {
		close(done)
	}
	<-done
}

func reflected() {
	var on bool
	reflect.ValueOf(&on).Elem().SetBool(true)
	done := make(chan struct{})
	if on {
		close(done)
	}
	<-done
}

func unsafely() {
	var n int32
	*(*uint32)(unsafe.Pointer(&n)) = 1
	done := make(chan struct{})
	if n == 1 {
		close(done)
	}
	<-done
}

// a callback of the library
func walks() {
	n := 0
	filepath.WalkDir(os.TempDir(), func(string, fs.DirEntry, error) error { n++; return nil })
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

func sorted() {
	xs := []int{2, 1}
	sort.Ints(xs)
	done := make(chan struct{})
	if xs[0] == 1 {
		close(done)
	}
	<-done
}

func sortedSlices() {
	xs := []int{2, 1}
	slices.Reverse(xs)
	done := make(chan struct{})
	if xs[0] == 1 {
		close(done)
	}
	<-done
}

func mapsCopied() {
	m := map[string]bool{}
	maps.Copy(m, map[string]bool{"a": true})
	done := make(chan struct{})
	if m["a"] {
		close(done)
	}
	<-done
}

// deleted in a helper
func drop(m map[string]int) { delete(m, "a") }

func deletes() {
	m := map[string]int{"a": 1}
	drop(m)
	done := make(chan struct{})
	if len(m) == 0 {
		close(done)
	}
	<-done
}

func cleared() {
	m := map[string]int{"a": 1}
	clear(m)
	done := make(chan struct{})
	if len(m) == 0 {
		close(done)
	}
	<-done
}

// the counter of a callback that runs more than once
func counted() {
	n := 0
	strings.Map(func(r rune) rune { n++; return r }, "abc")
	ch := make(chan int, n)
	ch <- 1
	ch <- 2
	<-ch
}

// named result and a deferred closure
func named(fail bool) (err error) {
	done := make(chan struct{})
	defer func() {
		if err == nil {
			close(done)
		}
	}()
	go func() {
		<-done
	}()
	if fail {
		err = decode(nil)
	}
	err = nil
	return
}

// a struct in a struct is stored as a whole
type outer struct{ in outerIn }
type outerIn struct{ deep inner }

func set(o *outer) { *o = outer{in: outerIn{deep: inner{N: 2}}} }

func wholes() {
	var o outer
	set(&o)
	done := make(chan struct{})
	if o.in.deep.N == 2 {
		close(done)
	}
	<-done
}

// stored where unseen code reaches it
type option struct{ Into *int }

func stored() {
	n := 0
	opt := option{Into: &n}
	json.Unmarshal([]byte(`{"Into": 3}`), &opt)
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

// a function value of the caller
func callsBack(init func(*int)) {
	n := 0
	init(&n)
	ch := make(chan int, n)
	ch <- 1
	<-ch
}

// an interface of the caller
type filler interface{ Fill(c *config) }

func fills(f filler) {
	var c config
	f.Fill(&c)
	ch := make(chan int)
	if c.Ptr != nil {
		go func() { ch <- c.Ptr.N }()
	}
	<-ch
}

// flag.Var and a type of its own
type level int

func (l *level) String() string     { return "" }
func (l *level) Set(s string) error { *l = level(len(s)); return nil }

func flagOwn() {
	fset := flag.NewFlagSet("x", flag.ContinueOnError)
	var l level
	fset.Var(&l, "l", "")
	fset.Parse([]string{"-l", "ab"})
	ch := make(chan int, int(l))
	ch <- 1
	<-ch
}

// a scanner writes the variables of a loop
func scans(r io.Reader) {
	sc := bufio.NewScanner(r)
	total := 0
	for sc.Scan() {
		var n int
		fmt.Sscan(sc.Text(), &n)
		total += n
	}
	ch := make(chan int, total)
	ch <- 1
	<-ch
}

// UnmarshalJSON writes fields that are not exported
type hidden struct{ on bool }

func (h *hidden) UnmarshalJSON([]byte) error { h.on = true; return nil }

func hiddenField() {
	var h hidden
	json.Unmarshal([]byte(`{}`), &h)
	done := make(chan struct{})
	if h.on {
		close(done)
	}
	<-done
}

// the same, inside
func hiddenInside() {
	var v struct{ H hidden }
	json.Unmarshal([]byte(`{"H":{}}`), &v)
	done := make(chan struct{})
	if v.H.on {
		close(done)
	}
	<-done
}

// sync/atomic by a plain function of the library
func atomics() {
	var n atomic.Int32
	swap(&n)
	done := make(chan struct{})
	if n.Load() == 1 {
		close(done)
	}
	<-done
}

var swap = func(n *atomic.Int32) { n.Store(1) }

// args
func spread() {
	var a, b int
	args := []any{&a, &b}
	fmt.Sscan("1 2", args...)
	ch := make(chan int, b)
	ch <- 1
	<-ch
}

// a closure that a library keeps and runs
func kept() {
	ready := false
	var once = sync.OnceFunc(func() { ready = true })
	once()
	done := make(chan struct{})
	if ready {
		close(done)
	}
	<-done
}

// unknown capacity
func room(cfg *config) {
	ch := make(chan int, cfg.N)
	ch <- 1
	ch <- 2
	<-ch
}

// unknown capacity and senders
func roomSenders(n int) int {
	ch := make(chan int, n)
	go func() { ch <- 1 }()
	go func() { ch <- 2 }()
	return <-ch
}

// append to an alias
func aliased() {
	xs := make([]int, 1, 2)
	ys := xs[:0]
	_ = append(ys, 5)
	done := make(chan struct{})
	if xs[0] == 5 {
		close(done)
	}
	<-done
}

// array by index that is not known
func indexed(i int) {
	var seen [4]bool
	seen[i%4] = true
	done := make(chan struct{})
	if seen[0] || seen[1] || seen[2] || seen[3] {
		close(done)
	}
	<-done
}

// map with an unknown key
func keyed(k string) {
	m := map[string]bool{}
	m["a"] = false
	m[k] = true
	done := make(chan struct{})
	if m[k] {
		close(done)
	}
	<-done
}

// a map of others, written and read again
type rewritten struct {
	mu sync.Mutex
	on map[string]bool
	n  map[string]int
}

func (r *rewritten) set(k string) {
	r.mu.Lock()
	if !r.on[k] {
		r.on[k] = true
	}
	if !r.on[k] {
		return
	}
	r.mu.Unlock()
}

func (r *rewritten) drop(k string) {
	r.mu.Lock()
	delete(r.on, k)
	if r.on[k] {
		return
	}
	r.mu.Unlock()
}

func (r *rewritten) grow(k string) {
	r.mu.Lock()
	if len(r.on) == 0 {
		r.on[k] = true
	}
	if len(r.on) == 0 {
		return
	}
	clear(r.on)
	if len(r.on) > 0 {
		return
	}
	r.mu.Unlock()
}

func (r *rewritten) answer(k string) int {
	c := make(chan int)
	r.n[k] = 3
	if r.n[k] == 3 {
		go func() { c <- 1 }()
	}
	return <-c
}

// a range that deletes
func each() {
	m := map[int]chan int{1: make(chan int), 2: make(chan int)}
	var wg sync.WaitGroup
	for _, c := range m {
		wg.Go(func() { <-c })
	}
	for k, c := range m {
		close(c)
		delete(m, k)
	}
	wg.Wait()
}

// the last one closes
func last(n int) {
	if n <= 0 {
		return
	}
	var left atomic.Int32
	left.Store(int32(n))
	done := make(chan struct{})
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	<-done
}
