// Package probe is built with the overlay by TestProbe. Its explorer runs each test once, as the
// only controlled process, and prints every call that reaches it.
package probe

import (
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"mime"
	"os"
	"path/filepath"
	"rehearse/runtime/gate"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"
)

func init() {
	gate.Main = explore
	log.SetOutput(io.Discard)
	gate.MutexLock = func(unsafe.Pointer) { fmt.Println("Lock") }
	gate.MutexTryLock = func(unsafe.Pointer) bool { fmt.Println("TryLock"); return false }
	gate.MutexUnlock = func(unsafe.Pointer) { fmt.Println("Unlock") }
	gate.RWMutexLock = func(unsafe.Pointer) { fmt.Println("RWLock") }
	gate.RWMutexTryLock = func(unsafe.Pointer) bool { fmt.Println("TryRWLock"); return true }
	gate.RWMutexUnlock = func(unsafe.Pointer) { fmt.Println("RWUnlock") }
	gate.RWMutexRLock = func(unsafe.Pointer) { fmt.Println("RLock") }
	gate.RWMutexTryRLock = func(unsafe.Pointer) bool { fmt.Println("TryRLock"); return true }
	gate.RWMutexRUnlock = func(unsafe.Pointer) { fmt.Println("RUnlock") }
	gate.WaitGroupAdd = func(_ unsafe.Pointer, n int) { fmt.Println("Add", n) }
	gate.WaitGroupWait = func(unsafe.Pointer) { fmt.Println("Wait") }
	gate.WaitGroupGo = func(_ unsafe.Pointer, f func()) { fmt.Println("Go"); f() }
	gate.CondEnter = func(unsafe.Pointer) int32 { fmt.Println("CondEnter"); return 7 }
	gate.CondWait = func(_ unsafe.Pointer, n int32) { fmt.Println("CondWait", n) }
	gate.CondSignal = func(unsafe.Pointer) { fmt.Println("Signal") }
	gate.CondBroadcast = func(unsafe.Pointer) { fmt.Println("Broadcast") }
	gate.OwnPool = func(caller uintptr) bool { return !controlled(caller) }
	gate.Library = func(caller uintptr) bool { return !controlled(caller) }
	gate.PoolGet = func(unsafe.Pointer) (any, bool) { fmt.Println("Get"); return nil, false }
	gate.PoolPut = func(_ unsafe.Pointer, v any) { fmt.Println("Put", v) }
	gate.MapAccess = func(_ unsafe.Pointer, key any, keyed, write bool) {
		fmt.Println(map[bool]string{true: "write", false: "read"}[write], key, keyed)
	}
	gate.MapKept = func() { fmt.Println("kept") }
	gate.MapRange = func(_ unsafe.Pointer, each func(func(k, v any) bool), f func(k, v any) bool) {
		fmt.Println("Range")
		each(f)
	}
	gate.BubbleWait = func() { fmt.Println("BubbleWait") }
	gate.OnceDo = onceDo
	gate.OnceUsed = func(unsafe.Pointer) bool { return false }
	gate.Path = func(op gate.PathOp, path, other string) { fmt.Println("path", op, filepath.Base(path), other != "") }
	gate.Named = func(op gate.PathOp, path, other string) { fmt.Println("named", op) }
	gate.Opened = func(file unsafe.Pointer, path string) { fmt.Println("opened", file != nil) }
	gate.Accessed = func(at unsafe.Pointer, t any, n int, write bool) {}
	gate.Filled = func(b []byte, n int) {}
	gate.Printed = func(v any, deep bool) {}
	gate.Handle = func(file unsafe.Pointer, path string, op gate.HandleOp) { fmt.Println("handle", op, file != nil) }
	gate.Idle = func() { fmt.Println("idle") }
	gate.Tree = func(path string) func() { fmt.Println("tree"); return func() { fmt.Println("end of tree") } }
	gate.Table = func(at unsafe.Pointer, write bool) { fmt.Println("table", write) }
	gate.Temp = func() uint32 { return 7 }
	gate.Modified = func(device, file uint64, at int64, now func() int64) int64 { return at }
	gate.Exit = func(code int) { fmt.Println("Exit", code); runtime.Goexit() }
}

// controlled takes the functions of this package for controlled code, everything else for the library's.
func controlled(caller uintptr) bool {
	name := runtime.FuncForPC(caller - 1).Name()
	return strings.HasPrefix(name, "probe.") && !strings.Contains(name, "library")
}

func onceDo(_ unsafe.Pointer, f func(), caller uintptr) bool {
	if !controlled(caller) {
		return false
	}
	fmt.Println("Once by controlled code")
	f()
	return true
}

func explore(tests []gate.Test) int {
	for _, test := range tests {
		fmt.Println("===", test.Name)
		tb := &printer{name: test.Name}
		tb.run(test.Run)
	}
	return 7
}

type printer struct {
	name     string
	failed   bool
	cleanups []func()
}

// run runs f and the cleanups on a goroutine that owns the gate; FailNow ends it.
func (p *printer) run(f func(gate.TB)) {
	owner := gate.Owner
	gate.Owner = 0
	done := make(chan bool)
	go func() {
		defer func() { gate.Owner = 0; done <- true }()
		defer func() {
			for _, f := range p.cleanups {
				f()
			}
		}()
		gate.Owner = gate.Goid()
		f(p)
	}()
	<-done
	gate.Owner = owner
}

func (p *printer) Write(text string) { fmt.Printf("Log %q\n", text) }
func (p *printer) Log(text string)   { fmt.Printf("Log %q\n", text) }
func (p *printer) Helper()           { fmt.Println("Helper") }
func (p *printer) Fail()             { fmt.Println("Fail"); p.failed = true }
func (p *printer) Failed() bool      { return p.failed }
func (p *printer) FailNow()          { fmt.Println("FailNow"); p.failed = true; runtime.Goexit() }
func (p *printer) SkipNow()          { fmt.Println("SkipNow"); runtime.Goexit() }
func (p *printer) Skipped() bool     { return false }
func (p *printer) Cleanup(f func())  { fmt.Println("Cleanup"); p.cleanups = append(p.cleanups, f) }
func (p *printer) AtEnd(f func())    { fmt.Println("AtEnd") }
func (p *printer) Parallel()         { fmt.Println("Parallel") }
func (p *printer) FullName() string  { return p.name }

func (p *printer) Capture() func() string { return func() string { return "" } }

func (p *printer) Run(name string, f func(gate.TB)) bool {
	sub := &printer{name: p.name + "/" + name}
	fmt.Println("---", sub.name)
	sub.run(f)
	return !sub.failed
}

func (p *printer) Bubble(f func(gate.TB)) bool {
	sub := &printer{name: p.name}
	fmt.Println("--- in a bubble")
	sub.run(f)
	return !sub.failed
}

func TestMutex(t *testing.T) {
	var m sync.Mutex
	m.Lock()
	m.Unlock()
	fmt.Println(m.TryLock())
	embedded := struct{ sync.Mutex }{}
	embedded.Lock()
	defer embedded.Unlock()
}

func TestRWMutex(t *testing.T) {
	var m sync.RWMutex
	m.Lock()
	m.Unlock()
	m.RLock()
	m.RUnlock()
	fmt.Println(m.TryLock(), m.TryRLock())
	m.RLocker().Lock()
}

func TestWaitGroup(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	wg.Done()
	wg.Go(func() { fmt.Println("went") })
	wg.Wait()
}

var (
	packageOnce  sync.Once
	packageFunc  = sync.OnceFunc(func() { fmt.Println("func ran") })
	packageValue = sync.OnceValue(func() int { fmt.Println("value ran"); return 1 })
	nativeOnce   sync.Once
	_            = func() bool { nativeOnce.Do(func() {}); return true }()
)

// TestOnce shows a controlled Once running anew every time: the explorer above remembers nothing.
func TestOnce(t *testing.T) {
	for range 2 {
		packageOnce.Do(func() { fmt.Println("once ran") })
		packageFunc()
		fmt.Println(packageValue())
		nativeOnce.Do(func() { fmt.Println("unreachable") })
	}
}

var libraryOnce sync.Once

// TestLibraryOnce shows a library's Once running once, with nothing inside it modelled.
func TestLibraryOnce(t *testing.T) {
	for range 2 {
		libraryDo(func() {
			var m sync.Mutex
			m.Lock()
			fmt.Println("library once ran")
		})
	}
	fmt.Println(gate.Here())
}

//go:noinline
func libraryDo(f func()) { libraryOnce.Do(f) }

func TestCond(t *testing.T) {
	c := sync.NewCond(new(sync.Mutex))
	c.L.Lock()
	c.Wait()
	c.L.Unlock()
	c.Signal()
	c.Broadcast()
	defer func() { fmt.Println("panic:", recover()) }()
	copied := *c
	copied.Signal()
}

func TestPool(t *testing.T) {
	p := sync.Pool{New: func() any { return "new" }}
	fmt.Println(p.Get())
	p.Put(nil)
	p.Put(1)
	defer p.Put(2)
	get := p.Get
	fmt.Println(get())
	libraryPut(&p)
}

//go:noinline
func libraryPut(p *sync.Pool) { p.Put(3) }

func TestMap(t *testing.T) {
	var m sync.Map
	m.Store("a", 1)
	fmt.Println(m.Load("a"))
	fmt.Println(m.LoadOrStore("a", 2))
	fmt.Println(m.Swap("a", 3))
	fmt.Println(m.CompareAndSwap("a", 3, 4), m.CompareAndDelete("a", 3))
	for k, v := range m.Range {
		fmt.Println(k, v)
	}
	m.Delete("b")
	fmt.Println(m.LoadAndDelete("a"))
	clearMap := m.Clear
	clearMap()
	libraryStore(&m)
}

//go:noinline
func libraryStore(m *sync.Map) { m.Store(1, 1) }

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	name := filepath.Join(dir, "f")
	os.MkdirAll(dir, 0o777)
	os.WriteFile(name, []byte("text"), 0o666)
	os.ReadFile(name)
	os.Rename(name, name+"2")
	os.Link(name+"2", name)
	os.Symlink(name, name+"3")
	os.Readlink(name + "3")
	os.Truncate(name, 2)
	os.Chmod(name, 0o600)
	os.Lstat(name)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteAt([]byte("x"), 0)
	f.ReadAt(make([]byte, 1), 0)
	f.Seek(0, io.SeekStart)
	io.Copy(io.Discard, f)
	io.Copy(f, strings.NewReader("more"))
	f.Truncate(1)
	f.Close()
	os.ReadDir(dir)
	os.Getwd()
	temp, _ := os.MkdirTemp(dir, "x*y")
	fmt.Println(filepath.Base(temp))
	os.Remove(temp)
	os.RemoveAll(dir)
}

func TestSettings(t *testing.T) {
	l := log.New(io.Discard, "", 0)
	l.SetFlags(1)
	l.SetPrefix("p")
	l.SetOutput(io.Discard)
	l.Print("nothing")
	var v slog.LevelVar
	v.Set(slog.LevelWarn)
	v.Level()
	slog.SetDefault(slog.Default())
	mime.AddExtensionType(".probe", "x/probe")
	fmt.Println(mime.TypeByExtension(".probe"))
	flag.Lookup("test.v")
}

func TestExit(t *testing.T) {
	t.Run("os", func(t *testing.T) { os.Exit(3) })
	t.Run("log", func(t *testing.T) { log.Fatal("fatal") })
}

func TestLog(t *testing.T) {
	t.Helper()
	t.Log("a", 1)
	t.Logf("b%d", 2)
	fmt.Fprintln(t.Output(), "out")
	t.Attr("key", "value")
	fmt.Println(t.Name(), t.Failed(), t.Skipped(), testing.Short(), testing.Verbose())
	deadline, ok := t.Deadline()
	fmt.Println(deadline.IsZero(), ok)
	t.Error("c")
	t.Fatalf("d")
}

func TestSkip(t *testing.T) { t.Skip("not now") }

func TestSub(t *testing.T) {
	ok := t.Run("one", func(t *testing.T) {
		t.Parallel()
		t.Run("deep", func(t *testing.T) { fmt.Println(t.Name()) })
		t.FailNow()
	})
	fmt.Println(ok, t.Run("two", func(t *testing.T) { fmt.Println(t.Name()) }))
}

func TestEnvironment(t *testing.T) {
	t.Setenv("PROBE", "set")
	t.Chdir(t.TempDir())
	dir, _ := os.Getwd()
	second, artifacts := t.TempDir(), t.ArtifactDir()
	fmt.Println(os.Getenv("PROBE"), filepath.Base(dir), filepath.Base(second), artifacts == t.ArtifactDir())
	if _, err := os.Stat(artifacts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { fmt.Println("cleanup ran") })
}

func TestSetenvInParallel(t *testing.T) {
	defer func() { fmt.Println("panic:", recover() != nil) }()
	t.Parallel()
	t.Run("sub", func(t *testing.T) {
		defer func() { fmt.Println("panic:", recover() != nil) }()
		t.Setenv("PROBE", "no")
	})
	t.Parallel()
}

func BenchmarkMutexDisabled(b *testing.B) {
	var m sync.Mutex
	for b.Loop() {
		m.Lock()
		m.Unlock()
	}
}

func BenchmarkOnceDisabled(b *testing.B) {
	var o sync.Once
	for b.Loop() {
		o.Do(func() {})
	}
}

func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		synctest.Wait()
		for _, f := range []func(){
			func() { t.Run("sub", func(*testing.T) {}) },
			func() { t.Parallel() },
			func() { t.Deadline() },
		} {
			func() {
				defer func() { fmt.Println(recover()) }()
				f()
			}()
		}
		t.Fatal("failed")
	})
	fmt.Println("not reached")
}
