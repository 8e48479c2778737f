package m

import (
	"bufio"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"
)

// A listener that limits how many connections there are.
type limitListener struct {
	net.Listener
	sem chan bool
}
type limitConn struct {
	net.Conn
	once sync.Once
	sem  chan bool
}

func (l *limitListener) Accept() (net.Conn, error) {
	l.sem <- true
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.sem
		return nil, err
	}
	return &limitConn{Conn: c, sem: l.sem}, nil
}
func (c *limitConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.sem })
	return err
}
func TestLimitListener(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	srv := &http.Server{Handler: http.NotFoundHandler()}
	done := make(chan bool)
	go func() { srv.Serve(&limitListener{ln, make(chan bool, 1)}); close(done) }()
	for range 2 {
		tr := &http.Transport{DisableKeepAlives: true}
		resp, err := (&http.Client{Transport: tr}).Get("http://" + ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	srv.Close()
	<-done
}

// The first client keeps its connection: the second waits for ever.
func TestLimitListenerBad(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	srv := &http.Server{Handler: http.NotFoundHandler()}
	go srv.Serve(&limitListener{ln, make(chan bool, 1)})
	for range 2 {
		tr := &http.Transport{}
		resp, err := (&http.Client{Transport: tr}).Get("http://" + ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	srv.Close()
}

// Gob over TCP.
func TestGob(t *testing.T) {
	type msg struct{ A, B int }
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		var m msg
		if err := gob.NewDecoder(c).Decode(&m); err != nil {
			t.Error(err)
		}
		gob.NewEncoder(c).Encode(m.A + m.B)
	}()
	c, _ := net.Dial("tcp", ln.Addr().String())
	gob.NewEncoder(c).Encode(msg{1, 2})
	var sum int
	if err := gob.NewDecoder(c).Decode(&sum); err != nil || sum != 3 {
		t.Error(sum, err)
	}
	c.Close()
	ln.Close()
}

// Heartbeat: server closes connections without one.
func TestHeartbeat(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	var wg sync.WaitGroup
	wg.Go(func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		b := make([]byte, 1)
		for {
			c.SetReadDeadline(time.Now().Add(2 * time.Second))
			if _, err := c.Read(b); err != nil {
				if !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error(err)
				}
				return
			}
		}
	})
	c, _ := net.Dial("tcp", ln.Addr().String())
	for range 3 {
		c.Write([]byte("h"))
		time.Sleep(500 * time.Millisecond)
	}
	if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Error(n, err)
	}
	c.Close()
	ln.Close()
	wg.Wait()
}

// SSE: a client that goes away ends its subscription.
func sse(t *testing.T, remove bool) {
	var mu sync.Mutex
	subs := map[chan string]bool{}
	gone := make(chan bool, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ch := make(chan string)
		mu.Lock()
		subs[ch] = true
		mu.Unlock()
		w.(http.Flusher).Flush()
		defer func() { gone <- true }()
		for {
			select {
			case s := <-ch:
				fmt.Fprintf(w, "data: %s\n\n", s)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				if remove {
					mu.Lock()
					delete(subs, ch)
					mu.Unlock()
				}
				return
			}
		}
	}))
	defer srv.Close()
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "GET", srv.URL, nil)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	var ch chan string
	for c := range subs {
		ch = c
	}
	mu.Unlock()
	ch <- "one"
	s, err := bufio.NewReader(resp.Body).ReadString('\n')
	if s != "data: one\n" || err != nil {
		t.Error(s, err)
	}
	cancel()
	resp.Body.Close()
	<-gone
	mu.Lock()
	n := len(subs)
	mu.Unlock()
	if n > 0 {
		t.Error("still there")
	}
}
func TestSSE(t *testing.T)    { sse(t, true) }
func TestSSEBad(t *testing.T) { sse(t, false) }

// A stream of JSON values.
func TestJSONStream(t *testing.T) {
	a, b := net.Pipe()
	go func() {
		enc := json.NewEncoder(a)
		for i := range 3 {
			enc.Encode(i)
		}
		a.Close()
	}()
	dec := json.NewDecoder(b)
	sum := 0
	for {
		var i int
		if err := dec.Decode(&i); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		sum += i
	}
	if sum != 3 {
		t.Error(sum)
	}
}
