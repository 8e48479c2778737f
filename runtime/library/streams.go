package library

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/streams"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.NewStream = func(medium int, name string) unsafe.Pointer {
		p := world.W.Enter()
		describe := func() string { return name + " made at " + world.W.Shown() }
		o := world.W.Streams.Make(stream.Medium(medium), describe)
		p.Leave()
		return unsafe.Pointer(o)
	}
	gate.StreamAt = func(medium int, key string) unsafe.Pointer {
		p := world.W.Enter()
		o := world.W.Streams.At(stream.Medium(medium), key)
		p.Leave()
		return unsafe.Pointer(o)
	}
	gate.DoStream = doStream
	gate.Port = func() int {
		p := world.W.Enter()
		port := world.W.Streams.Port(p)
		p.Leave()
		return port
	}
	gate.Host = func(ip string) int {
		p := world.W.Enter()
		n := world.W.Streams.Host(ip)
		p.Leave()
		return n
	}
	gate.Dying = func() bool { return world.W.Dying() }
}

// doStream does an operation on a stream.
func doStream(at unsafe.Pointer, do *gate.StreamOp) bool {
	p := world.W.Enter()
	if world.W.Dying() {
		p.Leave()
		return false
	}
	o := (*streams.Object)(at)
	if world.W.Streams.Foreign(o) {
		world.W.Uncontrolled(p, staleStream)
	}
	states.Spoil("a connection")
	world.W.Streams.Do(p, &world.Scratch(p).Stream, o, do)
	p.Leave()
	return true
}

const staleStream = "a connection that this execution did not make: it comes from an earlier " +
	"execution through a package-level variable of a package that is not rewritten; " +
	"-control rewrites a package, -isolate begins anew"
