package m

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// HTTP over a Unix socket.
func TestUnixHTTP(t *testing.T) {
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ln, err := net.Listen("unix", dir+"/s")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") })}
	go srv.Serve(ln)
	defer srv.Close()
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", dir+"/s")
	}}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get("http://unix/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "hi" {
		t.Error(string(b))
	}
}

// Request context cancelled by the client is seen by the handler.
func TestCancelSeen(t *testing.T) {
	seen := make(chan error, 1)
	in := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(in)
		<-r.Context().Done()
		seen <- r.Context().Err()
	}))
	defer srv.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-in; cancel() }()
	req, _ := http.NewRequestWithContext(ctx, "GET", srv.URL, nil)
	_, err := http.DefaultClient.Do(req)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-seen; err != context.Canceled {
		t.Error(err)
	}
}

// The request may never come: cancel races the dial.
func TestCancelSeenBad(t *testing.T) {
	in := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(in)
		<-r.Context().Done()
	}))
	defer srv.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", srv.URL, nil)
	http.DefaultClient.Do(req)
	<-in // hangs if cancelled before
}

// Parallel subtests sharing a server that the parent closes too early.
func TestParallelBad(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	defer srv.Close() // runs before the parallel subtests
	for _, p := range []string{"a", "b"} {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			resp, err := http.Get(srv.URL + "/" + p)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		})
	}
}
func TestParallel(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	t.Cleanup(srv.Close)
	for _, p := range []string{"a", "b"} {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			resp, err := http.Get(srv.URL + "/" + p)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		})
	}
}

// A server that forgets to close the client's body.
func TestBodyBad(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(bytes.Repeat([]byte("x"), 10))
		w.(http.Flusher).Flush()
		w.Write(bytes.Repeat([]byte("x"), 10))
	}))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != 200 {
		t.Fatal(resp.Status)
	}
}

// JSON store, get and set.
type store struct {
	mu sync.RWMutex
	m  map[string]int
}

func (s *store) inc(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	v := s.m[r.URL.Path]
	s.mu.RUnlock()
	s.mu.Lock()
	s.m[r.URL.Path] = v + 1
	s.mu.Unlock()
	json.NewEncoder(w).Encode(map[string]int{"v": v + 1})
}
func (s *store) incOK(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.m[r.URL.Path]++
	v := s.m[r.URL.Path]
	s.mu.Unlock()
	json.NewEncoder(w).Encode(map[string]int{"v": v})
}
func jsonStore(t *testing.T, f func(*store) http.HandlerFunc) {
	s := &store{m: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /inc", f(s))
	srv := httptest.NewServer(mux)
	defer srv.Close()
	var wg sync.WaitGroup
	var got [2]int
	for i := range 2 {
		wg.Go(func() {
			resp, err := http.Post(srv.URL+"/inc", "application/json", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			var v map[string]int
			if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
				t.Error(err)
			}
			got[i] = v["v"]
		})
	}
	wg.Wait()
	if got[0] == got[1] {
		t.Errorf("both got %d", got[0])
	}
}
func TestJSONBad(t *testing.T) { jsonStore(t, func(s *store) http.HandlerFunc { return s.inc }) }
func TestJSON(t *testing.T)    { jsonStore(t, func(s *store) http.HandlerFunc { return s.incOK }) }

// Handler panics: server logs and the client gets EOF.
func TestPanic(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic("boom") }))
	var buf bytes.Buffer
	var mu sync.Mutex
	srv.Config.ErrorLog = log.New(lockedWriter{&mu, &buf}, "", 0)
	srv.Start()
	_, err := http.Get(srv.URL)
	if err == nil || !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	srv.Close()
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(buf.String(), "boom") {
		t.Error(buf.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// A handler that is too slow for TimeoutHandler.
func TestTimeoutHandler(t *testing.T) {
	block := make(chan bool)
	h := http.TimeoutHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-block }), 20*time.Millisecond, "slow")
	srv := httptest.NewServer(h)
	defer srv.Close()
	defer close(block)
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 503 {
		t.Error(resp.Status)
	}
}

// Server with ReadHeaderTimeout closes an idle raw client.
func TestReadHeaderTimeout(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ReadHeaderTimeout = 30 * time.Millisecond
	srv.Start()
	defer srv.Close()
	c, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET / HT")
	b, err := io.ReadAll(c)
	if err != nil {
		t.Error(err)
	}
	_ = b
}

// Retry loop on 503.
func TestRetry(t *testing.T) {
	var n atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 3 {
			w.WriteHeader(503)
		}
	}))
	defer srv.Close()
	for i := range 5 {
		resp, err := http.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == 200 {
			return
		}
		time.Sleep(time.Duration(i) * 10 * time.Millisecond)
	}
	t.Error("never ok")
}
