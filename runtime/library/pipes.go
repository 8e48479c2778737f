package library

import (
	"maps"
	"os"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// pipes are the pipes of one execution: the bytes between the ends of each are in memory.
var pipes struct {
	of   map[unsafe.Pointer]unsafe.Pointer // the pipe, by what identifies its ends
	ends []*os.File
}

// pieces is the key of what readers of pipes get. If its class is strict, no reader is patient.
const pieces = "pipes"

func init() {
	gate.PipeOf = func(file unsafe.Pointer) unsafe.Pointer {
		if len(pipes.of) == 0 {
			return nil
		}
		defer world.W.Enter().Leave()
		return pipes.of[file]
	}
	gate.Patient = func() bool { return !fileClasses.of.Strict(pieces) }
	gate.Impatient = func() { fileClasses.of.Distrust(pieces) }
	gate.PipeAt = func(is func(file unsafe.Pointer) bool) (file, pipe unsafe.Pointer) {
		defer world.W.Enter().Leave()
		for file, pipe := range pipes.of {
			if is(file) {
				return file, pipe
			}
		}
		return nil, nil
	}
	gate.Joins = func(f, file, pipe unsafe.Pointer) {
		defer world.W.Enter().Leave()
		pipes.of[file], pipes.ends = pipe, append(pipes.ends, (*os.File)(f))
	}
	gate.Apart = func(on bool) {
		if p := world.W.Current(); p != nil {
			p.Apart = on
		}
	}
	gate.Unpipe = func(pipe unsafe.Pointer) {
		defer world.W.Enter().Leave()
		maps.DeleteFunc(pipes.of, func(_, p unsafe.Pointer) bool { return p == pipe })
	}
}

// Pipe returns the two ends of a pipe that f, which is os.Pipe, makes.
func Pipe(f func() (r, w *os.File, err error)) (r, w *os.File, err error) {
	quietly(func() { r, w, err = f() })
	if err != nil {
		return r, w, err
	}
	opened, p := pipe(r, w), world.W.Current()
	if p != nil {
		p.Naming = trace.PipeEnd
		defer func() { p.Naming = "" }()
	}
	gate.Open(opened)
	return r, w, nil
}

// pipe makes the pipe between two files.
func pipe(r, w *os.File) unsafe.Pointer {
	defer world.W.Enter().Leave()
	ends, pipe := gate.Conduit(unsafe.Pointer(r), unsafe.Pointer(w))
	if pipes.of == nil {
		pipes.of = map[unsafe.Pointer]unsafe.Pointer{}
	}
	pipes.of[ends[0]], pipes.of[ends[1]] = pipe, pipe
	pipes.ends = append(pipes.ends, r, w)
	return pipe
}

// closePipes closes the ends that an execution has left open.
func closePipes() {
	for _, end := range pipes.ends {
		end.Close()
	}
	clear(pipes.ends)
	pipes.ends = pipes.ends[:0]
	clear(pipes.of)
}
