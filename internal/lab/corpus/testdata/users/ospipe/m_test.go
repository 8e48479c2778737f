package m

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
)

// capture returns what f prints.
func capture(f func(), closeFirst bool) string {
	old := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdout = w
	out := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, r)
		out <- b.String()
	}()
	f()
	os.Stdout = old
	if closeFirst {
		w.Close()
	}
	s := <-out
	w.Close()
	return s
}

func TestBad(t *testing.T) { capture(func() { fmt.Println("hello") }, false) }
func TestGood(t *testing.T) {
	if s := capture(func() { fmt.Println("hello") }, true); s != "hello\n" {
		t.Errorf("%q", s)
	}
}
