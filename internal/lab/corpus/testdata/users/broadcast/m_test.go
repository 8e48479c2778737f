package m

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestCloseHandshake has a client that says goodbye; the server's reader answers, and both end.
func TestCloseHandshake(t *testing.T) {
	up := websocket.Upgrader{}
	got := make(chan error, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			got <- err
			return
		}
		defer c.Close()
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				got <- err
				return
			}
		}
	}))
	defer srv.Close()
	c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.WriteMessage(websocket.TextMessage, []byte("hi")); err != nil {
		t.Fatal(err)
	}
	msg := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "bye")
	if err := c.WriteControl(websocket.CloseMessage, msg, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Error(err)
	}
	if err := <-got; !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Error(err)
	}
}

// room has the clients that are there.
type room struct {
	mu      sync.Mutex
	clients map[chan string]bool
}

func (h *room) add(c chan string) {
	h.mu.Lock()
	h.clients[c] = true
	h.mu.Unlock()
}

func (h *room) remove(c chan string) {
	h.mu.Lock()
	delete(h.clients, c)
	h.mu.Unlock()
	close(c)
}
func (h *room) broadcast(s string, locked bool) {
	h.mu.Lock()
	var all []chan string
	for c := range h.clients {
		all = append(all, c)
	}
	if locked {
		defer h.mu.Unlock()
	} else {
		h.mu.Unlock()
	}
	for _, c := range all {
		select {
		case c <- s:
		default:
		}
	}
}

// hubTest has a broadcast beside a client that leaves. The room closes the client's channel outside
// of its lock, so a broadcast that has left the lock, too, may send on a closed channel.
func hubTest(t *testing.T, locked bool) {
	up := websocket.Upgrader{}
	h := &room{clients: map[chan string]bool{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/say" {
			h.broadcast("x", locked)
			return
		}
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		send := make(chan string, 4)
		h.add(send)
		done := make(chan bool)
		go func() {
			defer close(done)
			for s := range send {
				c.WriteMessage(websocket.TextMessage, []byte(s))
			}
		}()
		c.ReadMessage()
		h.remove(send)
		<-done
	}))
	defer srv.Close()
	c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if resp, err := http.Get(srv.URL + "/say"); err == nil {
			resp.Body.Close()
		}
	})
	c.Close()
	wg.Wait()
}

func TestHubGood(t *testing.T) { hubTest(t, true) }

func TestHubBad(t *testing.T) { hubTest(t, false) }
