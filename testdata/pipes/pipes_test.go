package pipes

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"testing"
	"time"
)

// TestWords reads in pieces that do not fit the writes.
func TestWords(t *testing.T) {
	r, w := io.Pipe()
	go Words(w, "to be or")
	b := make([]byte, 3)
	for {
		n, err := r.Read(b)
		if err != nil {
			t.Log(err)
			return
		}
		t.Logf("%s", b[:n])
	}
}

// TestTwoWriters has two outcomes: writes do not mix.
func TestTwoWriters(t *testing.T) {
	r, w := io.Pipe()
	go io.WriteString(w, "ab")
	go io.WriteString(w, "cd")
	b := make([]byte, 4)
	for i := range b {
		io.ReadFull(r, b[i:i+1])
	}
	t.Logf("%s", b)
}

// TestCloseRead has the writer see the error, or be done before.
func TestCloseRead(t *testing.T) {
	r, w := io.Pipe()
	go r.CloseWithError(errors.New("enough"))
	_, err := w.Write([]byte("x"))
	t.Log(err)
}

// TestForgotten leaves a writer behind that nobody reads from.
func TestForgotten(t *testing.T) {
	_, w := io.Pipe()
	go w.Write([]byte("x"))
}

func TestEcho(t *testing.T) {
	a, b := net.Pipe()
	go Echo(b)
	if err := Ask(a, time.Second); err != nil {
		t.Error(err)
	}
	a.Close()
}

// TestDeadline has nobody answer.
func TestDeadline(t *testing.T) {
	a, b := net.Pipe()
	go b.Read(make([]byte, 1))
	start := time.Now()
	err := Ask(a, time.Second)
	t.Log(err, errors.Is(err, os.ErrDeadlineExceeded), time.Since(start))
}

func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	Serve(ctx, cancel)
}

func TestNotifyContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	t.Log(ctx)
	stop()
	<-ctx.Done()
	t.Log(ctx.Err())
}

// TestNeverStopped leaves the context's own goroutine behind.
func TestNeverStopped(t *testing.T) {
	signal.NotifyContext(context.Background(), os.Interrupt)
}
