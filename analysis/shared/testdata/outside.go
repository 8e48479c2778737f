// Package shared has methods that the library may call: in other goroutines, too.
package shared

import "io"

// counter is a Writer of which a test calls the method by its name.
type counter struct {
	n int // shared: n
}

func (c *counter) Write(p []byte) (int, error) {
	c.n++
	return len(p), nil
}

// relay is a Reader that the method itself calls by the name of the method.
type relay struct {
	from  io.Reader
	reads int // shared: reads
}

func (r *relay) Read(p []byte) (int, error) {
	r.reads++
	return r.from.Read(p)
}

// alone has no method of the library's interfaces.
type alone struct {
	m int // private: m
}

func (a *alone) Put(p []byte) { a.m++ }

func TestOutside() {
	c := &counter{}
	c.Write(nil)
	io.WriteString(c, "lent")
	io.Copy(c, &relay{})
	(&alone{}).Put(nil)
}
