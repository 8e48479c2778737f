// Package ownership sends buffers that are used again.
package ownership

import "io"

type Reader struct {
	packets chan []byte
	jobs    chan *job
}

type job struct{ n int }

func New(from io.Reader) *Reader {
	r := &Reader{make(chan []byte), make(chan *job)}
	go r.read(from)
	go r.print()
	return r
}

func (r *Reader) read(from io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf) // want `what was sent to Reader.packets at ownership.go:27 is written here`
		if err != nil {
			return
		}
		r.packets <- buf[:n]
	}
}

func (r *Reader) print() {
	for {
		select {
		case p := <-r.packets:
			println(string(p), p[0])
		case j := <-r.jobs:
			println(j.n)
		}
	}
}

// An object is not copied: it may be one that others know.
func (r *Reader) put(j *job) {
	r.jobs <- j
	j.n++ // want `what was sent to Reader.jobs at ownership.go:44 is written here`
}
