package m

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// ask has a client that waits for 100 ms, and a handler that works for 50 ms or for a second.
func ask(t *testing.T, work time.Duration, results chan int) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		go func() {
			time.Sleep(work)
			results <- 1
		}()
		select {
		case <-results:
		case <-r.Context().Done():
		}
	}))
	defer srv.Close()
	c := &http.Client{Timeout: 100 * time.Millisecond}
	resp, err := c.Get(srv.URL + "/work")
	if err != nil {
		return
	}
	resp.Body.Close()
}

// TestBad leaves the worker behind when the client has gone.
func TestBad(t *testing.T)  { ask(t, time.Second, make(chan int)) }
func TestGood(t *testing.T) { ask(t, time.Second, make(chan int, 1)) }
