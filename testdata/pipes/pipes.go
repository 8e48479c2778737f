// Package pipes uses the library's own goroutines and channels: io.Pipe, net.Pipe and signal.NotifyContext.
package pipes

import (
	"context"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"time"
)

// Words sends each word in a write of its own, and closes the pipe.
func Words(w *io.PipeWriter, text string) {
	for _, word := range strings.Fields(text) {
		if _, err := io.WriteString(w, word); err != nil {
			return
		}
	}
	w.Close()
}

// Echo answers what it reads, until the other end is closed.
func Echo(c net.Conn) {
	defer c.Close()
	io.Copy(c, c)
}

// Ask sends a byte and waits for the answer, no longer than d.
func Ask(c net.Conn, d time.Duration) error {
	if err := c.SetDeadline(time.Now().Add(d)); err != nil {
		return err
	}
	if _, err := c.Write([]byte{'?'}); err != nil {
		return err
	}
	_, err := c.Read(make([]byte, 1))
	return err
}

// Serve works until it is told to stop.
func Serve(ctx context.Context, work func()) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	go work()
	<-ctx.Done()
}
