package prog

import (
	"os"
	"sync"
	"testing"
	"time"
)

// A trace in which a goroutine is held up, and another one crashes: in the trace's earliest order, the crash comes before what the first
// one logs. So that order says nothing of the delay that the outcome needs.
// Never: 20ms
func TestCrashBeforeLateLogTimed(t *testing.T) {
	start := time.Now()
	var wg sync.WaitGroup
	go func() { t.Log(time.Since(start).Truncate(ms)) }()
	go wg.Done()
	time.Sleep(20 * ms)
}

// The first execution shows that operations on files have to do with each other. A strategy that refuses the program says so.
func TestFilesThatClash(t *testing.T) {
	dir := begun(t, "")
	go func() { t.Log(plain(size(at(dir, "d")))) }()
	os.Mkdir(at(dir, "d"), 0o777)
}

// The first execution shows a data race, so its accesses become steps, and that operations on files clash, so the search begins again:
// then the accesses are no steps, until a race is found.
func TestRaceWhereFilesClash(t *testing.T) {
	dir := begun(t, "")
	n := &counts{}
	var wg sync.WaitGroup
	wg.Go(func() {
		n.n = 4
		os.Mkdir(at(dir, "d"), 0o777)
	})
	n.n++
	os.Remove(at(dir, "d"))
	wg.Wait()
	t.Log(n.n, tree(dir))
}

// Package os locks a mutex of its own between the step of a listing and the listing. Nothing may come in between.
func TestListBesideRemove(t *testing.T) {
	dir := begun(t, "a")
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var wg sync.WaitGroup
	var names []string
	wg.Go(func() { names, _ = d.Readdirnames(10) })
	os.Remove(at(dir, "a"))
	wg.Wait()
	t.Log(names)
}

// Readdir lists names, and then looks at each.
func TestReaddirBesideWrite(t *testing.T) {
	dir := begun(t, "a")
	var wg sync.WaitGroup
	wg.Go(func() { os.WriteFile(at(dir, "a"), []byte("longer"), 0o666) })
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	infos, _ := d.Readdir(-1)
	wg.Wait()
	t.Log(infos[0].Size())
}

// The operations of a Root lock a mutex of their own, too.
func TestRootClosed(t *testing.T) {
	root, err := os.OpenRoot(begun(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { err = root.Mkdir("a", 0o777) })
	root.Close()
	wg.Wait()
	t.Log(err == nil)
}

// The directory is removed, with all that it is in, between the opening and the listing of it.
func TestListInRemovedTree(t *testing.T) {
	dir := begun(t, "d/")
	var wg sync.WaitGroup
	wg.Go(func() { t.Log(plain(list(at(dir, "d")))) })
	os.RemoveAll(dir)
	wg.Wait()
}
