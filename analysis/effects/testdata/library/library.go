// Package library has an actor whose tasks call the standard library, which calls back what it was given, now or before.
package library

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"reflect"
	"sync"
	"time"
)

type (
	logs    struct{}
	flushes struct{}
	prints  struct{}
	encodes struct{}
	pools   struct{}
	stamps  struct{ at time.Time }
	sets    struct{}
	joins   struct{ name string }
)

// wire is a writer of the program: what is written is sent.
type wire struct{ out chan string }

func (w *wire) Write(b []byte) (int, error) { w.out <- "written"; return len(b), nil }

// level is nested in what is printed and encoded.
type level struct{ n int }

var asked, named int

func (l level) String() string { asked++; return "level" }

func (l level) MarshalText() ([]byte, error) { named++; return nil, nil }

type state struct{ Level level }

type server struct {
	in     chan any
	log    *log.Logger
	buffer *bufio.Writer
	pool   sync.Pool
	made   int
	text   []byte
	count  int
}

func (s *server) loop() {
	for msg := range s.in {
		switch m := msg.(type) {
		case logs:
			s.log.Print("x")
		case flushes:
			s.buffer.Flush()
		case prints:
			_ = fmt.Sprint(state{})
		case encodes:
			_, _ = json.Marshal(state{})
		case pools:
			s.pool.Get()
		case stamps:
			s.text = m.at.AppendFormat(s.text, "")
		case sets:
			reflect.ValueOf(&s.count).Elem().SetInt(1)
		case joins:
			_ = fmt.Sprintf("%s", m.name)
		}
	}
}

func Start(w *wire) chan any {
	s := &server{in: make(chan any)}
	s.log = log.New(io.Writer(w), "", 0)
	s.buffer = bufio.NewWriter(w)
	s.pool.New = func() any { s.made++; return s }
	go s.loop()
	return s.in
}

// WANT:
// logs: send on wire.out (depth 0)
// logs: outside (*Logger).Print
// flushes: send on wire.out (depth 0)
// flushes: outside (*Writer).Flush
// prints: update library.asked by + global
// ! prints: update library.named
// ! prints: send
// ! prints: unknown
// encodes: update library.named by + global
// ! encodes: send
// pools: update server.made by + field
// pools: block (*Pool).Get
// stamps: write server.text[] element
// sets: unknown call of (reflect.Value).SetInt
// ! joins: outside
// ! joins: write
// ! joins: unknown
