package m

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

type broker struct {
	mu   sync.Mutex
	subs map[chan string]bool
	bad  bool
}

func (b *broker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := make(chan string)
	b.mu.Lock()
	b.subs[c] = true
	b.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	for {
		select {
		case s := <-c:
			fmt.Fprintf(w, "data: %s\n\n", s)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			if !b.bad {
				b.mu.Lock()
				delete(b.subs, c)
				b.mu.Unlock()
				return
			}
			return
		}
	}
}

// publish sends to all; a subscriber that has gone blocks it for ever.
func (b *broker) publish(ctx context.Context, s string) {
	b.mu.Lock()
	var all []chan string
	for c := range b.subs {
		all = append(all, c)
	}
	b.mu.Unlock()
	for _, c := range all {
		if b.bad {
			c <- s
			continue
		}
		select {
		case c <- s:
		case <-ctx.Done():
		}
	}
}

func run(t *testing.T, bad bool) {
	b := &broker{subs: map[chan string]bool{}, bad: bad}
	srv := httptest.NewServer(b)
	defer srv.Close()
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "GET", srv.URL+"/events", nil)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer resp.Body.Close()
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			if sc.Text() == "data: one" {
				cancel()
				return
			}
		}
	})
	b.publish(ctx, "one")
	b.publish(ctx, "two")
	wg.Wait()
}

func TestBad(t *testing.T)  { run(t, true) }
func TestGood(t *testing.T) { run(t, false) }
