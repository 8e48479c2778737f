package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	runs        = flag.Int("runs", 1, "searches whose serve and workers are killed")
	senders     = flag.Int("senders", 6, "goroutines of each, in all their orders")
	workerEvery = flag.Duration("worker", 300*time.Millisecond, "a worker is killed so often")
	serveEvery  = flag.Duration("serve", 700*time.Millisecond, "serve is killed so often")
	most        = flag.Int("kills", 3, "at most so many kills of workers, and of serve, a search")
)

// orders has so many goroutines, and takes a millisecond or so for each of their orders.
const orders = `package orders

import "testing"

var work int

func TestOrders(t *testing.T) {
	const n = %d
	ch := make(chan int, n)
	for i := range n {
		go func() { ch <- i }()
	}
	t.Log(<-ch)
	for range n - 1 {
		<-ch
	}
	for range 2_000_000 {
		work++
	}
}
`

// fleet is a serve and two workers.
type fleet struct {
	t            *testing.T
	dir          string
	workers      []*exec.Cmd
	said         []*bytes.Buffer
	serve        *exec.Cmd
	out          *bytes.Buffer
	ended        chan error // of serve
	kills, ends  int        // of workers, and of serves
	since        time.Time  // the last one was killed
	back         bool       // some worker has met another serve than the one it began with
	journalSince string     // the journal when serve was started
}

// TestKilled: whatever is killed with kill -9, and when, the counts are those of one process.
// Workers and serves are killed in turns, as long as results come between the kills.
func TestKilled(t *testing.T) {
	if os.Getenv("REHEARSE") == "" {
		t.Skip("REHEARSE does not name the command rehearse")
	}
	f := &fleet{t: t, dir: t.TempDir()}
	for name, text := range map[string]string{"go.mod": "module example.org/orders\n\ngo 1.26\n",
		"orders_test.go": fmt.Sprintf(orders, *senders)} {
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	each := 1 // executions that show one outcome
	for n := 2; n < *senders; n++ {
		each *= n
	}
	want := regexp.MustCompile(fmt.Sprintf(`(?s) %d executions`+
		`( \(and \d+ redundant\))?, complete; `+
		`%d outcomes.*(\n +%d  pass +\d){%d}\n`, each**senders, *senders, each, *senders))
	for n := range *runs {
		if got := f.run(); !want.MatchString(got) {
			t.Fatalf("%s\nwant %v", got, want)
		}
		t.Logf("run %d: workers killed %d times by now, serve %d times", n+1, f.kills, f.ends)
	}
	t.Logf("%d runs, workers killed %d times, serve %d times", *runs, f.kills, f.ends)
	if f.kills == 0 || f.ends == 0 || !f.back {
		t.Error("too little has happened, or no worker has gone on with another serve")
	}
}

// run runs one search and returns the report.
func (f *fleet) run() string {
	f.begin()
	waitFor(f.t, f.journal()) // the search has begun
	f.workers, f.said = make([]*exec.Cmd, 2), make([]*bytes.Buffer, 2)
	for i := range f.workers {
		f.hire(i)
	}
	begun, state := time.Now(), f.state()
	f.since = begun
	kills, ends := f.kills+*most, f.ends+*most
	for {
		select {
		case err := <-f.ended:
			if err != nil {
				f.t.Errorf("serve: %v", err)
			}
			f.dismiss()
			return f.out.String()
		case <-time.After(20 * time.Millisecond):
		}
		now := f.state()
		if now == state || now == "" { // no result has come since the last kill
			continue
		}
		switch {
		case f.ends < ends && time.Since(begun) > *serveEvery && now != f.journalSince:
			f.serve.Process.Kill()
			<-f.ended
			f.ends++
			f.begin()
			begun = time.Now()
		case f.kills < kills && time.Since(f.since) > *workerEvery:
			f.workers[f.kills%2].Process.Kill()
			f.workers[f.kills%2].Wait()
			f.met(f.said[f.kills%2])
			f.hire(f.kills % 2)
			f.kills++
			f.since = time.Now()
		default:
			continue
		}
		state = f.state()
	}
}

func (f *fleet) journal() string { return filepath.Join(f.dir, "j") }

// state tells the journal from what it was.
func (f *fleet) state() string {
	info, err := os.Stat(f.journal())
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime())
}

// begin starts serve.
func (f *fleet) begin() {
	f.journalSince = f.state()
	f.serve, f.out = command(f.t, f.dir, "serve", "-workers", "0", "-journal", "j", "-p", "2", "-v",
		"-independence", "none", "-run", "TestOrders", ".")
	f.ended = make(chan error, 1)
	go func() { f.ended <- f.serve.Wait() }()
}

// hire starts a worker.
func (f *fleet) hire(i int) {
	f.workers[i], f.said[i] = command(f.t, f.dir, "work", "-workers", "1", "-wait", "1m", "-key",
		filepath.Join(f.dir, "j.cluster", workKey))
}

// dismiss waits for the workers to end, which they do with serve.
func (f *fleet) dismiss() {
	for i, w := range f.workers {
		late := time.AfterFunc(20*time.Second, func() { w.Process.Signal(syscall.SIGTERM) })
		w.Wait()
		late.Stop()
		f.met(f.said[i])
	}
}

// met notes what a worker has said.
func (f *fleet) met(said *bytes.Buffer) {
	f.back = f.back || strings.Contains(said.String(), "the broker is back")
}
