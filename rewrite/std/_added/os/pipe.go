package os

import (
	"internal/poll"
	"io"
	"rehearse/runtime/gate"
	"sync"
	"syscall"
	"time"
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

	ends [2]rehearseEnd // of r, and of w
}

// rehearseEnd has the deadline of the reads from one end, or of the writes to the other one.
type rehearseEnd struct {
	timer *time.Timer
	set   int // how often the deadline was set
	due   bool
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
	end := &p.ends[0]
	for len(b) > 0 && len(p.data) == 0 && !p.finished && !p.unread && !end.due {
		p.changed.Wait()
	}
	switch {
	case p.unread:
		return 0, f.wrapErr("read", poll.ErrFileClosing)
	case len(b) == 0:
		return 0, nil
	case end.due:
		return 0, f.wrapErr("read", poll.ErrDeadlineExceeded)
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
	end := &p.ends[1]
	for waited := true; ; {
		left, room := len(b)-n, rehearseRoom-len(p.data)
		switch {
		case p.finished:
			return n, f.wrapErr("write", poll.ErrFileClosing)
		case waited && end.due: // a write that need not wait does not look at the time again
			return n, f.wrapErr("write", poll.ErrDeadlineExceeded)
		case left == 0:
			return n, nil
		case p.unread:
			return n, f.wrapErr("write", syscall.EPIPE)
		case room >= left, room > 0 && len(b) > rehearseAtomic:
			k := min(room, left)
			p.data = append(p.data, b[n:n+k]...)
			n, waited = n+k, false
			p.changed.Broadcast()
		default:
			p.changed.Wait()
			waited = true
		}
	}
}

// close notes that an end is being closed.
func (p *rehearsePipe) close(f *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.file == p.r.file {
		p.unread, p.data = true, nil
		p.ends[0].stop()
	} else {
		p.finished = true
		p.ends[1].stop()
	}
	p.changed.Broadcast()
}

// stop makes the deadline that was set last never come.
func (e *rehearseEnd) stop() {
	if e.set++; e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
}

// setDeadline is File.SetDeadline and its like. Nobody reads from one end, or writes to the other
// one.
func (p *rehearsePipe) setDeadline(f *File, t time.Time, read, write bool) error {
	var d time.Duration
	if !t.IsZero() {
		d = time.Until(t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	end, closed, set := &p.ends[0], p.unread, read
	if f.file == p.w.file {
		end, closed, set = &p.ends[1], p.finished, write
	}
	switch {
	case closed:
		return poll.ErrFileClosing
	case !set:
		return nil
	}
	end.stop()
	if end.due = !t.IsZero() && d <= 0; end.due {
		p.changed.Broadcast()
	}
	if t.IsZero() || end.due || gate.Dying() {
		return nil
	}
	number := end.set
	end.timer = time.AfterFunc(d, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if end.set == number {
			end.due = true
			p.changed.Broadcast()
		}
	})
	return nil
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
