// Package view serves the live page: the page of a record that can do more than a file. It runs
// another alternative of a step, saves an order as a schedule, and follows an exploration.
//
// Vocabulary: an explorer is a controlled test binary that answers questions about executions, one
// per package; see record.Question.
//
// Guarantees: a client that does not know the address's token gets nothing. A request is refused if
// its Host is not the served address, or if its Origin is another page: so a host name that is made
// to point here is of no use. Only /step and /save take a POST, and the latter writes below
// testdata/rehearse only. An explorer that dies, or does not answer, is replaced.
//
// LIMITS: one question is answered at a time.
package view

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/page"
)

// mostAsked bounds the size of a question: a schedule of a million steps has less.
const mostAsked = 64 << 20

// Server is the live page. It is an http.Handler.
type Server struct {
	Tool  string                                  // the version of the command
	Start func(schedule string) (*Command, error) // how to run the explorer of a schedule's package

	token     string
	hosts     []string
	mu        sync.Mutex
	packages  []*record.Package
	tried     []*record.Trace
	explorers explorers
	events    hub
}

// New returns a server for an address that is listened to.
func New(at net.Addr) *Server {
	s := &Server{token: rand.Text()}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return s
	}
	s.hosts = []string{net.JoinHostPort(host, port)}
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		s.hosts = append(s.hosts, "localhost:"+port, "127.0.0.1:"+port, "[::1]:"+port)
	}
	return s
}

// URL is the address of the page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + "/" + s.token + "/" }

// Show makes packages what the page shows from the next look on.
func (s *Server) Show(packages []*record.Package) {
	s.mu.Lock()
	s.packages = packages
	s.mu.Unlock()
}

// Dir is the directory of a package that is shown; empty: it is not.
func (s *Server) Dir(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.packages {
		if p.Package == path {
			return p.Dir
		}
	}
	return ""
}

// Tell tells all pages that are open about an event of the exploration: a line of -json.
func (s *Server) Tell(line []byte) { s.events.tell("progress", line) }

// Renew has all pages that are open look again.
func (s *Server) Renew() { s.events.tell("renew", []byte("{}")) }

// Close ends the explorers.
func (s *Server) Close() { s.explorers.close() }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	if !s.allows(r) {
		http.Error(w, "this address is not served here", http.StatusForbidden)
		return
	}
	token, what, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.Error(w, "use the address that rehearse view has printed", http.StatusForbidden)
		return
	}
	switch r.Method + " " + what {
	case "GET ":
		s.page(w)
	case "GET record":
		s.writeJSON(w, s.data())
	case "GET events":
		s.events.serve(w, r)
	case "POST step":
		s.ask(w, r, false)
	case "POST save":
		s.ask(w, r, true)
	default:
		http.NotFound(w, r)
	}
}

// allows reports whether a request comes from the page itself, or from none.
func (s *Server) allows(r *http.Request) bool {
	if !slices.Contains(s.hosts, r.Host) {
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || slices.ContainsFunc(s.hosts, func(host string) bool {
		return origin == "http://"+host
	})
}

func (s *Server) data() page.Data {
	s.mu.Lock()
	defer s.mu.Unlock()
	return page.Data{Tool: s.Tool, Live: true, Packages: slices.Clone(s.packages),
		Tried: slices.Clone(s.tried)}
}

func (s *Server) page(w http.ResponseWriter) {
	var text bytes.Buffer
	if err := page.Write(&text, s.data()); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(text.Bytes())
}

func (s *Server) writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // who has gone away does not want it
}

// ask has an explorer answer a question of the page.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, save bool) {
	if kind := r.Header.Get("Content-Type"); kind != "application/json" {
		http.Error(w, "ask in JSON", http.StatusUnsupportedMediaType)
		return
	}
	var q record.Question
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked)).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q.Save = save
	answer, err := s.explorers.ask(s.Start, &q)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		answer = &record.Answer{Failure: err.Error()}
	}
	if answer.Trace != nil {
		s.mu.Lock()
		s.tried = append(s.tried, answer.Trace)
		s.mu.Unlock()
	}
	s.writeJSON(w, answer)
}

// hub passes events on to pages.
type hub struct {
	mu    sync.Mutex
	pages map[chan string]bool
}

// tell sends an event to all pages. One that does not keep up misses some.
func (h *hub) tell(kind string, data []byte) {
	text := fmt.Sprintf("event: %s\ndata: %s\n\n", kind,
		bytes.ReplaceAll(bytes.TrimSpace(data), []byte("\n"), nil))
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.pages {
		select {
		case p <- text:
		default:
		}
	}
}

// serve sends events to one page until it has gone.
func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	events := make(chan string, 64)
	h.mu.Lock()
	if h.pages == nil {
		h.pages = map[chan string]bool{}
	}
	h.pages[events] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.pages, events)
		h.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": here\n\n")
	for {
		if out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case text := <-events:
			fmt.Fprint(w, text)
		}
	}
}
