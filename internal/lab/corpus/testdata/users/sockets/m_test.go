package m

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// UDP echo.
func TestUDPEcho(t *testing.T) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		buf := make([]byte, 100)
		for {
			n, a, err := pc.ReadFrom(buf)
			if err != nil {
				if !errors.Is(err, net.ErrClosed) {
					t.Error(err)
				}
				return
			}
			pc.WriteTo(buf[:n], a)
		}
	}()
	c, err := net.Dial("udp", pc.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("ping"))
	buf := make([]byte, 10)
	n, err := c.Read(buf)
	if string(buf[:n]) != "ping" || err != nil {
		t.Error(string(buf[:n]), err)
	}
	c.Close()
	pc.Close()
	<-done
}

// The echo goroutine never ends.
func TestUDPEchoBad(t *testing.T) {
	pc, _ := net.ListenPacket("udp", "127.0.0.1:0")
	go func() {
		buf := make([]byte, 100)
		for {
			n, a, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			pc.WriteTo(buf[:n], a)
		}
	}()
	c, _ := net.Dial("udp", pc.LocalAddr().String())
	c.Write([]byte("ping"))
	buf := make([]byte, 10)
	c.Read(buf)
	c.Close()
}

// Deadlines of net.Pipe.
func TestPipeDeadline(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	a.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, err := a.Read(make([]byte, 1))
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	a.SetReadDeadline(time.Time{})
	go b.Write([]byte("x"))
	if n, err := a.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// A peer that works for as long as the deadline allows.
func TestPipeDeadlineBad(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	go func() {
		time.Sleep(20 * time.Millisecond)
		b.SetWriteDeadline(time.Now().Add(time.Second))
		b.Write([]byte("x"))
	}()
	a.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if _, err := a.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
}

// A line is printed into os.Pipe.
func TestOSPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = w
	out := make(chan string)
	go func() { b, _ := io.ReadAll(r); out <- string(b) }()
	fmt.Println("hello")
	w.Close()
	os.Stdout = old
	if s := <-out; s != "hello\n" {
		t.Error(s)
	}
}

// Write end not closed: reader hangs.
func TestOSPipeBad(t *testing.T) {
	r, w, _ := os.Pipe()
	out := make(chan string)
	go func() { b, _ := io.ReadAll(r); out <- string(b) }()
	fmt.Fprintln(w, "hello")
	<-out
	w.Close()
}

// Signal to itself.
func TestSignal(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	select {
	case s := <-c:
		if s != syscall.SIGUSR1 {
			t.Error(s)
		}
	case <-time.After(time.Second):
		t.Error("timeout")
	}
}

// Unbuffered: the signal is lost if nobody is there yet.
func TestSignalBad(t *testing.T) {
	c := make(chan os.Signal)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("lost")
	}
}

// A context that a signal ends.
func TestNotifyContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p, _ := os.FindProcess(os.Getpid())
	go p.Signal(os.Interrupt)
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
		t.Error("not cancelled")
	}
}

// Two listeners on one address.
func TestReuse(t *testing.T) {
	a, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, err = net.Listen("tcp", a.Addr().String())
	if !errors.Is(err, syscall.EADDRINUSE) {
		t.Error(err)
	}
	a.Close()
	b, err := net.Listen("tcp", a.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
}

// ListenConfig with Control that sets SO_REUSEADDR.
func TestListenConfig(t *testing.T) {
	called := false
	lc := net.ListenConfig{Control: func(network, address string, c syscall.RawConn) error {
		called = true
		var e error
		err := c.Control(func(fd uintptr) { e = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) })
		return errors.Join(err, e)
	}}
	ln, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if !called {
		t.Error("Control not called")
	}
}

// Dialer with a cancelled context.
func TestDialCancel(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var d net.Dialer
	_, err = d.DialContext(ctx, "tcp", ln.Addr().String())
	if err == nil || !errors.Is(err, context.Canceled) && err.(*net.OpError).Err.Error() != "operation was canceled" {
		t.Error(err)
	}
}

// A client that closes only its half.
func TestHalfClose(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		b, _ := io.ReadAll(c)
		fmt.Fprintf(c, "%d bytes", len(b))
	}()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "hello")
	c.(*net.TCPConn).CloseWrite()
	b, err := io.ReadAll(c)
	if string(b) != "5 bytes" || err != nil {
		t.Error(string(b), err)
	}
}

// No CloseWrite: both wait.
func TestHalfCloseBad(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		b, _ := io.ReadAll(c)
		fmt.Fprintf(c, "%d bytes", len(b))
	}()
	c, _ := net.Dial("tcp", ln.Addr().String())
	defer c.Close()
	io.WriteString(c, "hello")
	io.ReadAll(c)
}

// TCP proxy with io.Copy both ways.
func proxy(t *testing.T, both bool) {
	back, _ := net.Listen("tcp", "127.0.0.1:0")
	front, _ := net.Listen("tcp", "127.0.0.1:0")
	var wg sync.WaitGroup
	wg.Go(func() {
		c, err := back.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.Copy(c, c)
	})
	wg.Go(func() {
		c, err := front.Accept()
		if err != nil {
			return
		}
		d, err := net.Dial("tcp", back.Addr().String())
		if err != nil {
			c.Close()
			return
		}
		done := make(chan bool)
		go func() {
			io.Copy(d, c)
			if both {
				d.(*net.TCPConn).CloseWrite()
			}
			done <- true
		}()
		io.Copy(c, d)
		<-done
		c.Close()
		d.Close()
	})
	c, err := net.Dial("tcp", front.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "hello")
	c.(*net.TCPConn).CloseWrite()
	b, err := io.ReadAll(c)
	if string(b) != "hello" || err != nil {
		t.Error(string(b), err)
	}
	c.Close()
	back.Close()
	front.Close()
	wg.Wait()
}
func TestProxy(t *testing.T)    { proxy(t, true) }
func TestProxyBad(t *testing.T) { proxy(t, false) } // the end is never passed on

// Line server with a shared counter.
func lines(t *testing.T, lock bool) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				sc := bufio.NewScanner(c)
				for sc.Scan() {
					if lock {
						mu.Lock()
					}
					n++
					if lock {
						mu.Unlock()
					}
					fmt.Fprintf(c, "got %s\n", sc.Text())
				}
			})
		}
	})
	var cl sync.WaitGroup
	for i := range 2 {
		cl.Go(func() {
			c, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "%d\n", i)
			s, _ := bufio.NewReader(c).ReadString('\n')
			if s != fmt.Sprintf("got %d\n", i) {
				t.Errorf("%q", s)
			}
		})
	}
	cl.Wait()
	ln.Close()
	wg.Wait()
}
func TestLines(t *testing.T)    { lines(t, true) }
func TestLinesBad(t *testing.T) { lines(t, false) }

// Accept deadline.
func TestAcceptDeadline(t *testing.T) {
	ln, _ := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	defer ln.Close()
	ln.SetDeadline(time.Now().Add(10 * time.Millisecond))
	_, err := ln.Accept()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// Read a whole message in one Read: a stream is not a datagram.
func TestOneReadBad(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "he")
		io.WriteString(c, "llo")
	}()
	c, _ := net.Dial("tcp", ln.Addr().String())
	defer c.Close()
	buf := make([]byte, 10)
	n, _ := c.Read(buf)
	if string(buf[:n]) != "hello" {
		t.Errorf("%q", buf[:n])
	}
}

// Unix socket file.
func TestUnixFile(t *testing.T) {
	p := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", p)
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	_ = fi
	ln.Close()
	if _, err := os.Stat(p); !os.IsNotExist(err) {
		t.Error("file is still there", err)
	}
}

// Close unblocks a blocked Read.
func TestCloseUnblocks(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	c, _ := net.Dial("tcp", ln.Addr().String())
	s, _ := ln.Accept()
	defer s.Close()
	errc := make(chan error)
	go func() { _, err := c.Read(make([]byte, 1)); errc <- err }()
	c.Close()
	if err := <-errc; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// Write to a closed peer: EPIPE or ECONNRESET at some time.
func TestWriteAfterClose(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	c, _ := net.Dial("tcp", ln.Addr().String())
	s, _ := ln.Accept()
	s.Close()
	defer c.Close()
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		_, err = c.Write([]byte("x"))
	}
	if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}
