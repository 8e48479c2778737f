package m

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// hub sends what comes from one client to all.
type hub struct {
	mu    sync.Mutex
	conns map[*websocket.Conn]bool
	late  bool // write outside of the lock
}

var up websocket.Upgrader

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	h.mu.Lock()
	h.conns[c] = true
	h.mu.Unlock()
	for {
		typ, b, err := c.ReadMessage()
		if err != nil {
			break
		}
		h.mu.Lock()
		var all []*websocket.Conn
		for c := range h.conns {
			all = append(all, c)
		}
		if h.late {
			h.mu.Unlock()
		}
		for _, c := range all {
			c.WriteMessage(typ, b)
		}
		if !h.late {
			h.mu.Unlock()
		}
	}
	h.mu.Lock()
	delete(h.conns, c)
	h.mu.Unlock()
}

func chat(t *testing.T, late bool) {
	srv := httptest.NewServer(&hub{conns: map[*websocket.Conn]bool{}, late: late})
	defer srv.Close()
	url := "ws" + strings.TrimPrefix(srv.URL, "http")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c, _, err := websocket.DefaultDialer.Dial(url+"/chat", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if err := c.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
				t.Error("write:", err)
			}
			if _, b, err := c.ReadMessage(); err != nil || string(b) != "hello" {
				t.Errorf("read %q: %v", b, err)
			}
		})
	}
	wg.Wait()
}

func echo(t *testing.T) {
	srv := httptest.NewServer(&hub{conns: map[*websocket.Conn]bool{}})
	defer srv.Close()
	c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.WriteMessage(websocket.TextMessage, []byte("hello"))
	if _, b, err := c.ReadMessage(); err != nil || string(b) != "hello" {
		t.Errorf("read %q: %v", b, err)
	}
	c.Close()
}

func TestEcho(t *testing.T) { echo(t) }
func TestBad(t *testing.T)  { chat(t, true) }
func TestGood(t *testing.T) { chat(t, false) }
