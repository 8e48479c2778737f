package m

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httptrace"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func get(t *testing.T, url string) string {
	resp, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// Rate limiter with a channel semaphore: at most one handler at a time.
func limited(t *testing.T, size int) {
	sem := make(chan bool, size)
	var in, most atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sem <- true
		defer func() { <-sem }()
		if n := in.Add(1); n > most.Load() {
			most.Store(n)
		}
		in.Add(-1)
	}))
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { get(t, srv.URL) })
	}
	wg.Wait()
	if most.Load() > 1 {
		t.Error(most.Load())
	}
}
func TestLimit(t *testing.T)    { limited(t, 1) }
func TestLimitBad(t *testing.T) { limited(t, 2) }

// Cache with singleflight by hand: the second request must not hit the origin.
func cached(t *testing.T, once bool) {
	var hits atomic.Int32
	origin := func() string { hits.Add(1); return "x" }
	var mu sync.Mutex
	var val string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		v := val
		if once && v == "" {
			val = origin()
			v = val
		}
		mu.Unlock()
		if v == "" {
			v = origin()
			mu.Lock()
			val = v
			mu.Unlock()
		}
		io.WriteString(w, v)
	}))
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { get(t, srv.URL) })
	}
	wg.Wait()
	if hits.Load() != 1 {
		t.Error(hits.Load())
	}
}
func TestCache(t *testing.T)    { cached(t, true) }
func TestCacheBad(t *testing.T) { cached(t, false) }

// Handler starts a goroutine that writes after it has returned.
func TestLateWriteBad(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wg.Go(func() { n++ })
	}))
	defer srv.Close()
	get(t, srv.URL)
	if n != 1 {
		t.Error("not yet written")
	}
	wg.Wait()
}

// Websocket-like broadcast hub over raw TCP.
func hub(t *testing.T, buffered bool) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	var wg sync.WaitGroup
	joined := make(chan bool, 2)
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns[c] = true
			mu.Unlock()
			joined <- true
		}
	})
	a, _ := net.Dial("tcp", ln.Addr().String())
	b, _ := net.Dial("tcp", ln.Addr().String())
	<-joined
	if buffered {
		<-joined
	}
	mu.Lock()
	for c := range conns {
		io.WriteString(c, "hi\n")
	}
	n := len(conns)
	mu.Unlock()
	if n != 2 {
		t.Error("somebody is missing")
	}
	ln.Close()
	wg.Wait()
	a.Close()
	b.Close()
	for c := range conns {
		c.Close()
	}
}
func TestHub(t *testing.T)    { hub(t, true) }
func TestHubBad(t *testing.T) { hub(t, false) }

// Graceful shutdown by a signal.
func TestGraceful(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	srv := &http.Server{Handler: http.NotFoundHandler()}
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	errc := make(chan error, 1)
	go func() { errc <- srv.Serve(ln) }()
	syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	if err := srv.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-errc; err != http.ErrServerClosed {
		t.Error(err)
	}
}

// Multipart upload.
func TestUpload(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, h, err := r.FormFile("f")
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		b, _ := io.ReadAll(f)
		fmt.Fprint(w, h.Filename, len(b))
	}))
	defer srv.Close()
	var buf bytes.Buffer
	mw := multipart.NewWriter(&buf)
	fw, _ := mw.CreateFormFile("f", "a.txt")
	fw.Write(bytes.Repeat([]byte("a"), 5000))
	mw.Close()
	resp, err := http.Post(srv.URL, mw.FormDataContentType(), &buf)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "a.txt5000" {
		t.Error(string(b))
	}
}

// Cookies and redirects.
func TestCookies(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		http.Redirect(w, r, "/get", 302)
	})
	mux.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("a")
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		io.WriteString(w, c.Value)
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	jar, _ := cookiejar.New(nil)
	c := srv.Client()
	c.Jar = jar
	resp, err := c.Get(srv.URL + "/set")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "b" {
		t.Error(string(b), resp.Status)
	}
}

// A compressed answer.
func TestGzip(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		gz := gzip.NewWriter(w)
		gz.Write([]byte("hello"))
		gz.Close()
	}))
	defer srv.Close()
	if s := get(t, srv.URL); s != "hello" {
		t.Error(s)
	}
}

// A body that waits for 100-continue.
func TestContinue(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Write(b)
	}))
	defer srv.Close()
	req, _ := http.NewRequest("PUT", srv.URL, strings.NewReader("body"))
	req.Header.Set("Expect", "100-continue")
	tr := &http.Transport{ExpectContinueTimeout: time.Second}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "body" {
		t.Error(string(b))
	}
}

// httptrace tells whether a connection is used again.
func TestTrace(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	var reused []bool
	tr := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = append(reused, i.Reused) }}
	c := srv.Client()
	for range 2 {
		req, _ := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), tr), "GET", srv.URL, nil)
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	if len(reused) != 2 || reused[0] {
		t.Error(reused)
	}
	t.Log(reused)
}

// RoundTripper of one's own with retries.
type retry struct{ next http.RoundTripper }

func (r retry) RoundTrip(req *http.Request) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := r.next.RoundTrip(req)
		if err == nil && resp.StatusCode < 500 || i == 3 {
			return resp, err
		}
		if err == nil {
			resp.Body.Close()
		}
		select {
		case <-time.After(time.Duration(i+1) * 10 * time.Millisecond):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
}
func TestRoundTripper(t *testing.T) {
	var n atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.WriteHeader(500)
		}
	}))
	defer srv.Close()
	resp, err := (&http.Client{Transport: retry{http.DefaultTransport}}).Get(srv.URL)
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
}
