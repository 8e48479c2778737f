package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// conn is a connection without a network: what the peer says comes from a channel, what the peer hears is kept.
type conn struct {
	net.Conn
	in     chan []byte
	closed chan struct{}
	once   sync.Once
	heard  chan []byte
	rest   []byte
}

func newConn() *conn {
	return &conn{in: make(chan []byte, 8), closed: make(chan struct{}), heard: make(chan []byte, 64)}
}

func (c *conn) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		select {
		case c.rest = <-c.in:
		case <-c.closed:
			return 0, io.EOF
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *conn) Write(b []byte) (int, error) {
	select {
	case <-c.closed:
		return 0, io.ErrClosedPipe
	case c.heard <- append([]byte(nil), b...):
		return len(b), nil
	}
}

func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// say sends a text frame as a client does: masked, here with zeros.
func (c *conn) say(text string) {
	c.in <- append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}

// hears waits until the peer has heard text.
func (c *conn) hears(t *testing.T, text string) {
	t.Helper()
	for {
		select {
		case b := <-c.heard:
			if strings.Contains(string(b), text) {
				return
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q was not heard", text)
		}
	}
}

// hijacked hands its connection over to the upgrader.
type hijacked struct {
	*httptest.ResponseRecorder
	c *conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.c, bufio.NewReadWriter(bufio.NewReader(h.c), bufio.NewWriter(h.c)), nil
}

// join lets a new peer join.
func join(hub *Hub) *conn {
	c := newConn()
	r := httptest.NewRequest("GET", "/ws", nil)
	r.Header = http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
		"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
	}
	serveWs(hub, hijacked{httptest.NewRecorder(), c}, r)
	return c
}

// TestEcho: a peer hears what it says. The hub is never told to stop: that it is left behind is true.
func TestEcho(t *testing.T) {
	hub := newHub()
	go hub.run()
	a := join(hub)
	a.say("hello")
	a.hears(t, "hello")
	a.Close()
}

// TestTwo: each of two peers hears what the other one says.
func TestTwo(t *testing.T) {
	hub := newHub()
	go hub.run()
	a, b := join(hub), join(hub)
	a.say("hello")
	b.hears(t, "hello")
	a.Close()
	b.Close()
}
