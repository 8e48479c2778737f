package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// sell has two clients who want the last seat.
func sell(t *testing.T, h *Hall, handle http.HandlerFunc) {
	srv := httptest.NewServer(handle)
	defer srv.Close()
	var sold atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := Fetch(srv.URL); err == nil {
				sold.Add(1)
			}
		})
	}
	wg.Wait()
	if n := sold.Load(); n != 1 {
		t.Errorf("the last seat was sold to %d clients", n)
	}
}

func TestSellLate(t *testing.T) {
	h := &Hall{free: 1}
	sell(t, h, h.SellLate)
}

func TestSell(t *testing.T) {
	h := &Hall{free: 1}
	sell(t, h, h.Sell)
}

// listen listens on a port of this host.
func listen(t *testing.T) (ln net.Listener, url string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln, "http://" + ln.Addr().String()
}

// quit ends a server by a request.
func quit(t *testing.T, a *Admin, handle http.HandlerFunc) {
	ln, url := listen(t)
	a.Server.Handler = handle
	var wg sync.WaitGroup
	wg.Go(func() { a.Serve(ln) })
	Fetch(url)
	wg.Wait()
}

func TestQuitHere(t *testing.T) {
	a := &Admin{}
	quit(t, a, a.QuitHere)
}

func TestQuit(t *testing.T) {
	a := &Admin{}
	quit(t, a, a.Quit)
}

// fetch asks a server that fails.
func fetch(t *testing.T, get func(url string) (string, error)) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	if _, err := get(srv.URL); err == nil {
		t.Error("no error")
	}
}

func TestFetchSome(t *testing.T) { fetch(t, FetchSome) }

func TestFetch(t *testing.T) { fetch(t, Fetch) }

// run sends SIGTERM beside a request. What has begun must have ended when Run returns.
func run(t *testing.T, hasty bool) {
	ln, url := listen(t)
	defer http.DefaultClient.CloseIdleConnections()
	var working atomic.Int32
	handle := func(w http.ResponseWriter, r *http.Request) {
		working.Add(1)
		w.Write([]byte("done"))
		working.Add(-1)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { Fetch(url) })
	wg.Go(func() { syscall.Kill(syscall.Getpid(), syscall.SIGTERM) })
	if err := Run(ln, http.HandlerFunc(handle), hasty); err != nil {
		t.Error(err)
	}
	if n := working.Load(); n != 0 {
		t.Errorf("%d requests are left behind", n)
	}
}

func TestRunHasty(t *testing.T) { run(t, true) }

func TestRun(t *testing.T) { run(t, false) }
