package goprog

// Prelude is the file that all programs of a package share.
const Prelude = `package prog

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const ms = time.Millisecond

var errFirst = errors.New("first")

// mailbox is a channel with methods.
type mailbox chan int

func (m mailbox) put(v int) { m <- v }

func (m mailbox) take() int { return <-m }

// box is a mutex with what it guards.
type box struct {
	sync.Mutex
	n int
}

// counted counts how often it is asked, and gives up in the end.
type counted struct {
	atomic.Bool
	n int
}

// Load is no look, although it has the name of one: it changes f.
func (f *counted) Load() bool {
	f.n++
	return f.Bool.Load() || f.n >= 15
}

// asked is a context that ends after some questions.
type asked struct {
	context.Context
	n int
}

// Err is no look, although it has the name of one: it changes a.
func (a *asked) Err() error {
	if a.n++; a.n >= 15 {
		return context.Canceled
	}
	return a.Context.Err()
}

// latch is set under its mutex.
type latch struct {
	sync.RWMutex
	set bool
	n   int
}

// isSet only looks.
func (l *latch) isSet() bool {
	l.RLock()
	defer l.RUnlock()
	return l.set
}

// asks is no look: it counts, and gives up in the end.
func (l *latch) asks() bool {
	l.Lock()
	defer l.Unlock()
	l.n++
	return l.set || l.n >= 15
}

func (l *latch) close() {
	l.Lock()
	l.set = true
	l.Unlock()
}

// keys are asked under their mutex.
type keys struct {
	sync.Mutex
	m map[int]int
}

func (k *keys) add(key int) {
	k.Lock()
	k.m[key] = key
	k.Unlock()
}

// first and last depend on the order of a map, which is another one in each range.
func (k *keys) first() int {
	k.Lock()
	defer k.Unlock()
	for key := range k.m {
		return key
	}
	return 0
}

func (k *keys) last() (last int) {
	k.Lock()
	defer k.Unlock()
	for key := range k.m {
		last = key
	}
	return last
}

// sum does not.
func (k *keys) sum() (sum int) {
	k.Lock()
	defer k.Unlock()
	for key := range k.m {
		sum += key
	}
	return sum
}

// try closes the latch, and then sets x if it found it open and nobody inside.
func (l *latch) try(x *atomic.Bool) {
	free := l.TryLock()
	if free {
		l.Unlock()
	}
	l.close()
	x.Store(free)
}

// visit waits for what is seldom set, again and again.
func visit(n int, x *atomic.Bool) {
	for x.Load() {
	}
	if n > 0 {
		visit(n-1, x)
	}
}

// ledger is a mutex with more.
type ledger struct {
	sync.Mutex
	n    int
	list []int
	m    map[string]int
	both both
	text strings.Builder
}

// both is copied as a whole.
type both struct{ a, b int }

func newLedger() *ledger { return &ledger{m: map[string]int{}} }

func (l *ledger) add(v int) {
	l.Lock()
	defer l.Unlock()
	l.push(v)
	l.n++
}

func (l *ledger) push(v int) { l.list = append(l.list, v) }

func (l *ledger) sum() (n int) {
	for _, v := range l.list {
		n += v
	}
	return n
}

func (b both) total() int { return b.a + b.b }

func set[M ~map[K]V, K comparable, V any](m M, k K, v V) { m[k] = v }

func ordered[S ~[]E, E int | string](s S) S {
	slices.Sort(s)
	return s
}

func swap[T any](a, b *T) { *a, *b = *b, *a }

func locked[T any](mu sync.Locker, f func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

// seq hashes v before it yields that.
func seq(h hash.Hash32, v int) iter.Seq[int] {
	return func(yield func(int) bool) {
		h.Write([]byte{byte(v)})
		yield(v)
	}
}

// hub is what a process has that serves a channel of requests.
type hub struct {
	m    map[string]int
	a, b int
	s    []int
	log  string
}

// req is a request.
type req struct {
	n     int
	key   string
	reply chan int
}

func (h *hub) set(key string, n int) { h.m[key] = n }

func (h *hub) next() int { h.b++; return h.b }

// slot has objects that are assigned and copied.
type slot struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	wg   sync.WaitGroup
	once sync.Once
	n    atomic.Int32
}

// slots are those that gate guards.
type slots struct {
	gate sync.Mutex
	at   []slot
}

// task is a function with methods that run it.
type task func()

func (f task) run() { f() }

// worker runs one task.
type worker struct{ f func() }

func (w *worker) run(times int) {
	for range times {
		w.f()
	}
}

func send[T any](c chan<- T, v T) { c <- v }

func receive[C ~chan E, E any](c C) (E, bool) {
	v, ok := <-c
	return v, ok
}

// queue is a generic type over a channel.
type queue[T any] struct{ items chan T }

func newQueue[T any](n int) *queue[T] { return &queue[T]{make(chan T, n)} }

func (q *queue[T]) put(v T) { q.items <- v }

func (q *queue[T]) get() (v T, ok bool) {
	select {
	case v = <-q.items:
		return v, true
	default:
		return v, false
	}
}

// group runs functions and keeps the first error.
type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	err    error
	cancel context.CancelFunc
}

func newGroup(parent context.Context) (*group, context.Context) {
	ctx, cancel := context.WithCancel(parent)
	return &group{cancel: cancel}, ctx
}

func (g *group) do(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() {
				g.err = err
				g.cancel()
			})
		}
	}()
}

func (g *group) wait() error {
	g.wg.Wait()
	g.cancel()
	return g.err
}

// signalled is a context that is not one of package context's.
type signalled struct {
	context.Context
	mu   sync.Mutex
	done chan struct{}
	err  error
}

func newSignalled() *signalled { return &signalled{Context: context.Background(), done: make(chan struct{})} }

// Done implements context.Context.
func (s *signalled) Done() <-chan struct{} { return s.done }

// Err implements context.Context.
func (s *signalled) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// end is called at most once.
func (s *signalled) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = errFirst
		close(s.done)
	}
}

// text makes a recovered value readable.
func text(r any) string {
	if err, ok := r.(error); ok {
		return "error " + err.Error()
	}
	return fmt.Sprint(r)
}

// counts are numbers for atomic and plain accesses.
type counts struct {
	n int32
	W wide
	u uint64
	v atomic.Value
	P pointer
}

// wide is a number whose text is its value.
type wide struct{ atomic.Int32 }

// String is the number.
func (w wide) String() string { return fmt.Sprint(w.Load()) }

// pointer is a pointer whose text is what it points to.
type pointer struct{ atomic.Pointer[int] }

// String is what p points to.
func (p pointer) String() string {
	if i := p.Load(); i != nil {
		return fmt.Sprint("to ", *i)
	}
	return "nil"
}

func (c counts) half() int32 { return c.n / 2 }

// halves are the two halves of a number.
func halves(u *uint64) *[2]uint32 { return (*[2]uint32)(unsafe.Pointer(u)) }

// begun makes the directory of a test, with a file or a directory, whose name ends in a slash.
func begun(t *testing.T, name string) string {
	dir := t.TempDir()
	os.MkdirAll(at(dir, filepath.Dir(name+"_")), 0o777)
	if name != "" && !strings.HasSuffix(name, "/") {
		os.WriteFile(at(dir, name), []byte("old"), 0o666)
	}
	return dir
}

func at(dir, name string) string { return filepath.Join(dir, name) }

// opened opens a file.
func opened(t *testing.T, dir string) *os.File {
	f, err := os.OpenFile(at(dir, "a"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// tree is what a directory has.
func tree(dir string) string {
	var all []string
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			all = append(all, rel+"/")
		} else {
			b, err := os.ReadFile(path)
			all = append(all, rel+"="+plain(string(b), err))
		}
		return nil
	})
	return strings.ReplaceAll(strings.Join(all, ";"), "\x00", "0")
}

// errno is an error without the names in it.
func errno(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	if errors.Is(err, os.ErrClosed) {
		return "closed"
	}
	return fmt.Sprint(err)
}

func plain(v any, err error) string { return strings.ReplaceAll(fmt.Sprint(v, errno(err)), "\x00", "0") }

func read(name string) (string, error) {
	b, err := os.ReadFile(name)
	return string(b), err
}

func lock(name string) (bool, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		f.Close()
	}
	return err == nil, err
}

func list(name string) (names []string, err error) {
	entries, err := os.ReadDir(name)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// takes does the jobs whose numbers it takes, as T has them done.
func takes[T int8 | uint8](next *atomic.Int32, jobs int, slot *[6]int) {
	for i := int(next.Add(1)) - 1; i < jobs; i = int(next.Add(1)) - 1 {
		if ^T(0) < 0 {
			slot[i%6] = 1
		} else {
			slot[i%6] = 2
		}
	}
}

func size(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		return -1, err
	}
	return info.Size(), nil
}

func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// readOn reads from where the file's offset is.
func readOn(f *os.File) (string, error) {
	b := make([]byte, 8)
	n, err := f.Read(b)
	if err == io.EOF {
		err = nil
	}
	return string(b[:n]), err
}

` + listFunctions
