// Package callbacks is patterns P22 and P23: loops that call functions they were given, and loops whose state is also
// read from outside, under a mutex. Both are actors: they own their mailboxes. That their state is not theirs alone is
// for the checks of isolation to say.
package callbacks

import "sync"

type Hub struct {
	mu       sync.RWMutex
	sessions map[string]bool
	joins    chan string
	leaves   chan string
	onJoin   func(string)
}

func New(onJoin func(string)) *Hub {
	h := &Hub{sessions: map[string]bool{}, joins: make(chan string), leaves: make(chan string), onJoin: onJoin}
	go h.run()
	return h
}

func (h *Hub) run() {
	for {
		select {
		case s := <-h.joins:
			h.mu.Lock()
			h.sessions[s] = true
			h.mu.Unlock()
			h.onJoin(s)
		case s := <-h.leaves:
			h.mu.Lock()
			delete(h.sessions, s)
			h.mu.Unlock()
		}
	}
}

func (h *Hub) Len() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.sessions)
}

// An object that has a mutex only.

type Table struct {
	mu sync.Mutex
	m  map[string]int
}

func (t *Table) Add(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[s]++
}

// WANT:
// actor Hub.run select
// mailbox Hub.run Hub.joins data string 0
// mailbox Hub.run Hub.leaves data string 0
// state Hub.run Hub.sessions field rw
// state Hub.run Hub.onJoin field r
// ! state Hub.run Hub.mu
// ! actor Table
// ! rejected
