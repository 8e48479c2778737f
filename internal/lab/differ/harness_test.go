package differ

// harness is the file of the native test binary that runs one program many times. The variable
// DIFFER tells its TestMain the name of a test, and the range of runs. It writes marks to standard
// output, between the lines of package testing: a NUL and a word. When a run must be the process's
// last, the process ends, and is started again.
const harness = `package prog

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// own is the number of goroutines besides those of the program: the watcher, the one that runs the
// tests, and the test's own, in which the program is a subtest, so that the log is still open when
// it has returned. Signals that TestMain asks for have one more.
const own = 3 + network

// network is 1 if the programs use it.
const network = 0

var (
	effort  int  // how much a run is perturbed
	fragile bool // what a run leaves behind can meet the next one
	timed   bool
	before  int // goroutines that earlier runs have left behind
)

func TestMain(m *testing.M) {
	var name string
	var from, to int
	fmt.Sscan(os.Getenv("DIFFER"), &name, &from, &to, &fragile, &timed)
	flag.Parse()
	flag.Set("test.run", "^Test"+name+"$")
	flag.Set("test.v", "true")
	flag.Set("test.timeout", "0")
	if network > 0 {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1, syscall.SIGUSR2)
	}
	for n := from; n < to; n++ {
		fmt.Printf("\n\x00run %d\n", n)
		effort = n % 5
		runtime.GOMAXPROCS(1 + n/5%3)
		done := make(chan bool, 1)
		go func() {
			m.Run()
			done <- true
		}()
		watch(done)
		if before > 100 || before > 0 && fragile {
			break
		}
	}
	os.Exit(0)
}

// watch waits for the end of a run. If all goroutines wait for ever, it ends the process.
func watch(done chan bool) {
	for patience := time.Millisecond; ; patience = min(2*patience, 50*time.Millisecond) {
		select {
		case <-done:
			return
		case <-time.After(patience):
		}
		if settled, locks := quiet(); settled && len(done) == 0 {
			if timed && locks {
				last("unknown")
			}
			last("deadlock")
		}
	}
}

// last ends the process.
func last(mark string) {
	fmt.Printf("\n\x00%s\n", mark)
	os.Exit(0)
}

// settle is called when a program's function has returned. It waits until its other goroutines have
// ended or wait for ever.
func settle() {
	for n := 0; runtime.NumGoroutine() > own+before; n++ {
		if n < 100 {
			runtime.Gosched()
			continue
		}
		// The goroutine that was counted may have ended before the others were looked at.
		if settled, _ := quiet(); settled && runtime.NumGoroutine() > own+before {
			fmt.Printf("\n\x00leak\n")
			before = runtime.NumGoroutine() - own
			break
		}
		time.Sleep(50 * time.Microsecond)
	}
	fmt.Printf("\n\x00end\n")
}

// quiet reports whether all goroutines but the calling one wait for something other than time, and
// whether some wait for locks. What has been sent over the network arrives a moment later.
func quiet() (settled, locks bool) {
	for range 1 + 4*network {
		if settled, locks = stand(); !settled {
			return false, locks
		}
		time.Sleep(network * 2 * time.Millisecond)
	}
	return settled, locks
}

func stand() (settled, locks bool) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for i, g := range bytes.Split(stacks, []byte("\n\n")) {
		head, _, _ := bytes.Cut(g, []byte("\n"))
		_, state, _ := bytes.Cut(head, []byte("["))
		locks = locks || bytes.HasPrefix(state, []byte("sync.Mutex")) || bytes.HasPrefix(state, []byte("sync.RWMutex"))
		if i > 0 && !waits(state) && !bytes.Contains(g, []byte("os/signal.signal_recv")) {
			return false, false
		}
	}
	return true, locks
}

func waits(state []byte) bool {
	for _, s := range []string{"chan ", "select", "sync.", "coroutine", "synctest", "IO wait"} {
		if bytes.HasPrefix(state, []byte(s)) {
			return true
		}
	}
	return false
}

func perturb() {
	switch n := rand.IntN(16); {
	case effort == 0 || n > 4*effort:
	case n%2 == 0:
		for range 1 + rand.IntN(3) {
			runtime.Gosched()
		}
	case n == 1 && !timed: // in a bubble, sleeping would mean that time passes
		time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
	default:
		for i := range rand.IntN(3000 * effort) {
			runtime.KeepAlive(i)
		}
	}
}
`
