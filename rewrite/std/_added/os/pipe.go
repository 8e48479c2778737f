package os

import (
	"internal/poll"
	"io"
	"rehearse/runtime/gate"
	"sync"
	"syscall"
	"unsafe"
)

// rehearsePipe is what is between the two files that a controlled process has got from Pipe: bytes
// in memory. The files are those of a pipe of the operating system, into which nothing is written.
type rehearsePipe struct {
	r, w     *File
	mu       sync.Mutex
	changed  sync.Cond // data has changed, or an end has been closed
	data     []byte
	unread   bool // r has been closed
	finished bool // w has been closed
}

// A pipe has room for rehearseRoom bytes. A write of up to rehearseAtomic bytes is not divided.
const (
	rehearseRoom   = 1 << 16
	rehearseAtomic = 1 << 12
)

func init() {
	gate.Conduit = func(r, w unsafe.Pointer) (files [2]unsafe.Pointer, pipe unsafe.Pointer) {
		p := &rehearsePipe{r: (*File)(r), w: (*File)(w)}
		p.changed.L = &p.mu
		return [2]unsafe.Pointer{rehearseFile(p.r), rehearseFile(p.w)}, unsafe.Pointer(p)
	}
}

// rehearsePipeOf returns the pipe of which f is an end; nil if it is none.
//
//go:norace
func rehearsePipeOf(f *File) *rehearsePipe {
	file := rehearseFile(f)
	if file == nil || gate.PipeOf == nil {
		return nil
	}
	return (*rehearsePipe)(gate.PipeOf(file))
}

// read is File.Read.
func (p *rehearsePipe) read(f *File, b []byte) (n int, err error) {
	if f.file != p.r.file {
		return 0, f.wrapErr("read", syscall.EBADF)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(b) > 0 && len(p.data) == 0 && !p.finished && !p.unread {
		p.changed.Wait()
	}
	switch {
	case p.unread:
		return 0, f.wrapErr("read", poll.ErrFileClosing)
	case len(b) == 0:
		return 0, nil
	case len(p.data) == 0:
		return 0, io.EOF
	}
	n = copy(b, p.data)
	p.data = p.data[n:]
	p.changed.Broadcast()
	return n, nil
}

// write is File.Write.
func (p *rehearsePipe) write(f *File, b []byte) (n int, err error) {
	if f.file != p.w.file {
		return 0, f.wrapErr("write", syscall.EBADF)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		left, room := len(b)-n, rehearseRoom-len(p.data)
		switch {
		case p.finished:
			return n, f.wrapErr("write", poll.ErrFileClosing)
		case left == 0:
			return n, nil
		case p.unread:
			return n, f.wrapErr("write", syscall.EPIPE)
		case room >= left, room > 0 && len(b) > rehearseAtomic:
			k := min(room, left)
			p.data = append(p.data, b[n:n+k]...)
			n += k
			p.changed.Broadcast()
		default:
			p.changed.Wait()
		}
	}
}

// close notes that an end is being closed.
func (p *rehearsePipe) close(f *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.file == p.r.file {
		p.unread, p.data = true, nil
	} else {
		p.finished = true
	}
	p.changed.Broadcast()
}

// rehearseInherit makes pipes of the operating system of those that another process gets an end of.
// The bytes in memory move to the new pipe, which has room for all of them.
func rehearseInherit(attr *ProcAttr) {
	if attr == nil {
		return
	}
	for _, f := range attr.Files {
		if p := rehearsePipeOf(f); p != nil {
			gate.Unpipe(unsafe.Pointer(p))
			owner := gate.Aside()
			p.w.Write(p.data)
			gate.Back(owner)
		}
	}
}
