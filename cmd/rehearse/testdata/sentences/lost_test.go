package sentences

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// The function of a Once panics, and the Once is done for ever.
func TestOncePanics(t *testing.T) {
	var once sync.Once
	var settings *int
	load := func(broken bool) {
		defer func() { recover() }()
		once.Do(func() {
			if broken {
				panic("no file")
			}
			settings = new(int)
		})
	}
	var both sync.WaitGroup
	both.Go(func() { load(true) })
	both.Go(func() { load(false) })
	both.Wait()
	if settings == nil {
		t.Error("no settings")
	}
}

// An error is lost, as the channel is full.
func TestErrorLost(t *testing.T) {
	errs := make(chan error, 1)
	var both sync.WaitGroup
	for i := range 2 {
		both.Go(func() {
			var err error
			if i == 1 {
				err = os.ErrInvalid
			}
			select {
			case errs <- err:
			default:
			}
		})
	}
	both.Wait()
	if err := <-errs; err == nil {
		t.Error("the error is lost")
	}
}

// Two goroutines add a byte to a file.
func TestFileLost(t *testing.T) {
	name := filepath.Join(t.TempDir(), "n")
	os.WriteFile(name, []byte("1"), 0o600)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			b, _ := os.ReadFile(name)
			os.WriteFile(name, append(b, '1'), 0o600)
		})
	}
	both.Wait()
	if b, _ := os.ReadFile(name); len(b) != 3 {
		t.Error("a byte is lost")
	}
}

// Two goroutines read one byte of one file.
func TestFileShared(t *testing.T) {
	name := filepath.Join(t.TempDir(), "n")
	os.WriteFile(name, []byte("1"), 0o600)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var both sync.WaitGroup
	var read [2]int
	for i := range 2 {
		both.Go(func() { read[i], _ = f.Read(make([]byte, 1)) })
	}
	both.Wait()
	if read[0] == 0 {
		t.Error("nothing to read")
	}
}
