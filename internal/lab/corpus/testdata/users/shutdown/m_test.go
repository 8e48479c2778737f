package m

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// run ends a server beside a request; what the handler begins must have ended when run returns.
func run(t *testing.T, wait bool) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var log []string
	closed := false
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if closed {
			t.Error("the log is closed")
		}
		log = append(log, r.URL.Path)
	})}
	var wg, clients sync.WaitGroup
	wg.Go(func() { srv.Serve(ln) })
	c := &http.Client{Transport: &http.Transport{}}
	clients.Go(func() {
		if resp, err := c.Get("http://" + ln.Addr().String() + "/log"); err == nil {
			resp.Body.Close()
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if wait {
		srv.Shutdown(ctx)
	} else {
		srv.Close()
	}
	mu.Lock()
	closed = true
	mu.Unlock()
	wg.Wait()
	clients.Wait()
	c.CloseIdleConnections()
}

func TestBad(t *testing.T)  { run(t, false) }
func TestGood(t *testing.T) { run(t, true) }
