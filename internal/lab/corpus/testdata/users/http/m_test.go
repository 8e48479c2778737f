package m

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Middleware that counts requests with a plain int.
type counter struct {
	n    int
	mu   sync.Mutex
	lock bool
	next http.Handler
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.lock {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	} else {
		c.n++
	}
	c.next.ServeHTTP(w, r)
}

func middleware(t *testing.T, lock bool) {
	c := &counter{lock: lock, next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-A", "b")
		fmt.Fprintln(w, "ok")
	})}
	srv := httptest.NewServer(c)
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			resp, err := http.Get(srv.URL)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			io.Copy(io.Discard, resp.Body)
		}()
	}
	wg.Wait()
	if c.n != 2 {
		t.Errorf("n = %d", c.n)
	}
}
func TestMiddlewareBad(t *testing.T) { middleware(t, false) }
func TestMiddleware(t *testing.T)    { middleware(t, true) }

// Client timeout against a hanging handler.
func TestClientTimeout(t *testing.T) {
	done := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-done
	}))
	defer srv.Close()
	defer close(done)
	c := &http.Client{Timeout: 50 * time.Millisecond}
	_, err := c.Get(srv.URL)
	var ne net.Error
	if !errors.As(err, &ne) || !ne.Timeout() {
		t.Fatalf("got %v", err)
	}
}

// Server closed before the handler ends: srv.Close waits for outstanding requests: deadlock.
func TestClientTimeoutBad(t *testing.T) {
	done := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-done
	}))
	defer close(done)
	defer srv.Close()
	c := &http.Client{Timeout: 50 * time.Millisecond}
	c.Get(srv.URL)
}

// Shutdown with a request in flight.
func TestShutdownInflight(t *testing.T) {
	started := make(chan struct{})
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(started)
		time.Sleep(10 * time.Millisecond)
		io.WriteString(w, "done")
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	res := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + ln.Addr().String())
		if err != nil {
			res <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		res <- string(b)
	}()
	<-started
	if err := srv.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s := <-res; s != "done" {
		t.Errorf("got %q", s)
	}
	if err := <-served; err != http.ErrServerClosed {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
}

// Program exits main when ListenAndServe returns, not when Shutdown does.
func TestShutdownInflightBad(t *testing.T) {
	started := make(chan struct{})
	finished := atomic.Bool{}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(started)
		time.Sleep(10 * time.Millisecond)
		finished.Store(true)
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		resp, err := http.Get("http://" + ln.Addr().String())
		if err == nil {
			resp.Body.Close()
		}
	}()
	down := make(chan bool)
	go func() {
		<-started
		srv.Shutdown(context.Background())
		close(down)
	}()
	srv.Serve(ln)
	if !finished.Load() { // Serve returns at once
		t.Error("request not finished when Serve returned")
	}
	<-down
}

// A connection that a handler takes over.
func TestHijack(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
		rw.Flush()
		line, err := rw.ReadString('\n')
		if err != nil {
			t.Error(err)
			return
		}
		rw.WriteString(strings.ToUpper(line))
		rw.Flush()
	}))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	br := bufio.NewReader(conn)
	resp, err := http.ReadResponse(br, nil)
	if err != nil || resp.StatusCode != 101 {
		t.Fatal(resp, err)
	}
	fmt.Fprintf(conn, "hello\n")
	line, err := br.ReadString('\n')
	if line != "HELLO\n" || err != nil {
		t.Fatal(line, err)
	}
}

// Handler goroutine uses a hijacked conn and forgets to close it: goroutine leak.
func TestHijackBad(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		go func() {
			io.Copy(io.Discard, conn)
		}()
	}))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	// conn is never closed
}

// Flush streaming: the client sees the first line before the second is written.
func TestFlush(t *testing.T) {
	next := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "one\n")
		w.(http.Flusher).Flush()
		<-next
		io.WriteString(w, "two\n")
	}))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	br := bufio.NewReader(resp.Body)
	if s, _ := br.ReadString('\n'); s != "one\n" {
		t.Fatal(s)
	}
	close(next)
	if s, _ := br.ReadString('\n'); s != "two\n" {
		t.Fatal(s)
	}
}

// The client waits for ever without a flush.
func TestFlushBad(t *testing.T) {
	next := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "one\n")
		<-next
		io.WriteString(w, "two\n")
	}))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	br := bufio.NewReader(resp.Body)
	br.ReadString('\n')
	close(next)
}

// Chunked request body through io.Pipe.
func TestChunked(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != -1 {
			t.Errorf("length %d", r.ContentLength)
		}
		b, err := io.ReadAll(r.Body)
		fmt.Fprint(w, len(b), err)
	}))
	defer srv.Close()
	pr, pw := io.Pipe()
	go func() {
		for range 3 {
			fmt.Fprint(pw, "0123456789")
		}
		pw.Close()
	}()
	resp, err := http.Post(srv.URL, "text/plain", pr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	if string(b) != "30 <nil>" {
		t.Errorf("%s", b)
	}
}

// The writer of the pipe never closes: the request never ends.
func TestChunkedBad(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
	}))
	defer srv.Close()
	pr, pw := io.Pipe()
	go func() { fmt.Fprint(pw, "0123456789") }()
	resp, err := http.Post(srv.URL, "text/plain", pr)
	if err == nil {
		resp.Body.Close()
	}
}

// Two requests over HTTP/2.
func h2(t *testing.T, lock bool) {
	var mu sync.Mutex
	n := 0
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Error(r.Proto)
		}
		if lock {
			mu.Lock()
			defer mu.Unlock()
		}
		n++
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			resp, err := srv.Client().Get(srv.URL)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		})
	}
	wg.Wait()
}
func TestH2Bad(t *testing.T) { h2(t, false) }
func TestH2(t *testing.T)    { h2(t, true) }
