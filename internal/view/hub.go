package view

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// hub passes events on to pages.
type hub struct {
	mu    sync.Mutex
	pages map[chan string]bool
	open  int       // pages that are still served, also after the end
	last  string    // the end of the exploration, as an event
	gone  chan bool // is closed when all pages are, after the end
}

// event is how an event travels.
func event(kind string, data []byte) string {
	return fmt.Sprintf("event: %s\ndata: %s\n\n", kind,
		bytes.ReplaceAll(bytes.TrimSpace(data), []byte("\n"), nil))
}

// tell sends an event to all pages. One that does not keep up misses some.
func (h *hub) tell(kind string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.pages) == 0 {
		return
	}
	text := event(kind, data)
	for p := range h.pages {
		select {
		case p <- text:
		default:
		}
	}
}

// end sends the last event, and waits for pages to have it.
func (h *hub) end(data []byte) {
	h.mu.Lock()
	h.last = event("end", data)
	for p := range h.pages {
		close(p)
	}
	h.pages = nil
	gone := make(chan bool)
	if h.gone = gone; h.open == 0 {
		h.gone = nil
		close(gone)
	}
	h.mu.Unlock()
	const patience = time.Second // for pages that read slowly
	select {
	case <-gone:
	case <-time.After(patience):
	}
}

// join makes a channel for a page; its end is that of the exploration.
func (h *hub) join() chan string {
	const late = 64 // events
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open++
	events := make(chan string, late)
	if h.last != "" {
		close(events)
		return events
	}
	if h.pages == nil {
		h.pages = map[chan string]bool{}
	}
	h.pages[events] = true
	return events
}

// part ends that.
func (h *hub) part(events chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	delete(h.pages, events)
	if h.open == 0 && h.gone != nil {
		close(h.gone)
		h.gone = nil
	}
}

// serve sends events to one page until it has gone.
func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	events := h.join()
	defer h.part(events)
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": here\n\n")
	for {
		if out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case text, more := <-events:
			if !more {
				fmt.Fprint(w, h.last)
				out.Flush()
				return
			}
			fmt.Fprint(w, text)
		}
	}
}
