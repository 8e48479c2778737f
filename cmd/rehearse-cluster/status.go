package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/view"
)

// status is the page of -html while the run goes on, by HTTP. The nil status has no page.
//
// It holds up nobody: what is told only gets into a queue, another goroutine reads it, and pages
// that do not keep up miss events.
type status struct {
	address string // as the user has named it
	at      net.Listener
	page    *view.Server
	http    *http.Server

	mu    sync.Mutex
	lines [][]byte // that were told and are not read yet
	ended bool     // there will be no more
	wake  chan bool
	idle  chan bool // is closed when the last one has been read
}

// noPage is an address for no page.
const noPage = "off"

// openStatus listens, and serves a page that is empty.
func openStatus(address string) (*status, error) {
	if address == noPage {
		return nil, nil
	}
	at, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("-page %s: %w; -page %s does without", address, err, noPage)
	}
	s := &status{address: address, at: at, page: view.New(at.Addr()), wake: make(chan bool, 1),
		idle: make(chan bool)}
	if info, ok := debug.ReadBuildInfo(); ok {
		s.page.Tool = info.Main.Version
	}
	const slow = 10 * time.Second // for a request's head
	s.http = &http.Server{Handler: s.page, ReadHeaderTimeout: slow}
	go s.http.Serve(at)
	go s.read()
	return s, nil
}

// url is where the page is, by a name of this machine that others know if they can reach it; empty:
// there is none.
func (s *status) url() string {
	if s == nil {
		return ""
	}
	host, _, err := net.SplitHostPort(s.address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		if name, err := os.Hostname(); err == nil {
			return s.page.URLOf(name)
		}
	}
	return s.page.URL()
}

// told takes a line of a record.
func (s *status) told(line []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.lines = append(s.lines, line)
	s.mu.Unlock()
	s.poke()
}

func (s *status) poke() {
	select {
	case s.wake <- true:
	default: // it is awake
	}
}

// close shows all that was told to pages that are open, and ends them.
func (s *status) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.poke()
	<-s.idle
	s.page.End()
	s.http.Close()
}

// read reads lines until there are no more.
func (s *status) read() {
	defer close(s.idle)
	const often = 2 * time.Second // pages look again
	tick := time.NewTicker(often)
	defer tick.Stop()
	var r record.Reader
	for fresh := false; ; {
		select {
		case <-s.wake:
		case <-tick.C:
			if fresh {
				s.page.Renew()
			}
			fresh = false
		}
		s.mu.Lock()
		lines, ended := s.lines, s.ended
		s.lines = nil
		s.mu.Unlock()
		for _, l := range lines {
			fresh = s.add(&r, l) || fresh
		}
		if len(lines) > 0 {
			s.page.Show(r.Packages())
		}
		if ended {
			return
		}
	}
}

// add reads a line, and reports whether pages need to look again. Where progress is all there is,
// they are told of it. A page lacks what cannot be read, which is of another version.
func (s *status) add(r *record.Reader, line []byte) (fresh bool) {
	if r.Add(line) != nil {
		return false
	}
	for _, action := range []string{"progress", "run"} {
		if bytes.HasPrefix(line, []byte(`{"Action":"`+action+`"`)) {
			s.page.Tell(line)
			return false
		}
	}
	return true
}
