// Package view serves the live page: the page of a record that can do more than a file. It runs
// another alternative of a step, saves an order as a schedule, and follows an exploration.
//
// Vocabulary: an explorer is a controlled test binary that answers questions about executions, one
// per package; see record.Question. A page without explorers follows an exploration only.
//
// Guarantees: a client that does not know the address's token gets nothing. A request is refused if
// its Host is not the served address, or if its Origin is another page: so a host name that is made
// to point here is of no use. Only /step and /save take a POST, and the latter writes below
// testdata/rehearse only. An explorer that dies, or does not answer, is replaced. A page that only
// follows takes no POST, and may be served to other machines, which know this one by any name. Who
// reads slowly misses events, and holds up nobody.
//
// LIMITS: one question is answered at a time.
package view

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	osexec "os/exec"
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
	Tool string // the version of the command
	// how to run the explorer of a schedule's package; nil: the page follows only
	Start func(schedule string) (*osexec.Cmd, error)

	token     string
	hosts     []string
	public    bool // other machines reach it
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
	s.public = !net.ParseIP(host).IsLoopback()
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		s.hosts = append(s.hosts, "localhost:"+port, "127.0.0.1:"+port, "[::1]:"+port)
	}
	return s
}

// URL is the address of the page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + "/" + s.token + "/" }

// URLOf is URL with another name of this machine.
func (s *Server) URLOf(name string) string {
	_, port, _ := net.SplitHostPort(s.hosts[0])
	return "http://" + net.JoinHostPort(name, port) + "/" + s.token + "/"
}

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

// End gives all pages that are open what is shown now, as the last they get. It waits for them for
// a moment.
func (s *Server) End() {
	if last, err := json.Marshal(s.data()); err == nil {
		s.events.end(last)
	}
}

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
		http.Error(w, "use the address that was printed, all of it", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodPost && s.Start == nil {
		http.NotFound(w, r)
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
	origin := r.Header.Get("Origin")
	if s.public && s.Start == nil {
		return origin == "" || origin == "http://"+r.Host
	}
	if !slices.Contains(s.hosts, r.Host) {
		return false
	}
	return origin == "" || slices.ContainsFunc(s.hosts, func(host string) bool {
		return origin == "http://"+host
	})
}

func (s *Server) data() page.Data {
	s.mu.Lock()
	defer s.mu.Unlock()
	return page.Data{Tool: s.Tool, Live: s.Start != nil, Follows: true,
		Packages: slices.Clone(s.packages), Tried: slices.Clone(s.tried)}
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
