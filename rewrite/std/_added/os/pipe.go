package os

import (
	"internal/abi"
	"internal/poll"
	"internal/reflectlite"
	"internal/runtime/sys"
	"io"
	"rehearse/runtime/gate"
	"runtime"
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
	more [2][]*file     // files that NewFile has made of the descriptor of r, or of w

	rehearsePatience
}

// rehearsePatience is for readers that read to the end. Such a reader waits for over first, see
// patient. over is done when w has been closed, or when somebody acts who may notice the wait.
type rehearsePatience struct {
	over    sync.WaitGroup
	isOver  bool
	used    bool // somebody has been patient, or will be
	noticed bool // somebody has noticed, or would if another one had been patient
	filled  bool // a writer has found no room
	readers rehearseParty
	writers rehearseParty
}

// rehearseParty is who acts at one end of a pipe.
type rehearseParty struct {
	first   uint64 // goroutine; 0: none
	several bool
}

// acts notes that the calling goroutine acts there.
//
//go:norace
func (p *rehearseParty) acts() {
	me := gate.Goid()
	if p.first == 0 {
		p.first = me
	}
	p.several = p.several || p.first != me
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
	gate.Open = func(pipe unsafe.Pointer) {
		rehearseApart(func() { (*rehearsePipe)(pipe).over.Add(1) })
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

// rehearseApart calls f, which waits or counts. In a bubble of package testing/synctest, a wait for
// data of a pipe is not durable.
func rehearseApart(f func()) {
	gate.Apart(true)
	defer gate.Apart(false)
	f()
}

// rehearseAgain is NewFile of the descriptor of an end of a pipe; nil if no end has it. The file
// has a descriptor of its own, so that two files never close one.
//
//go:norace
func rehearseAgain(fd uintptr, name string) *File {
	if gate.PipeAt == nil {
		return nil
	}
	at, pipe := gate.PipeAt(func(at unsafe.Pointer) bool {
		return (*file)(at).pfd.Sysfd == int(fd)
	})
	if at == nil {
		return nil
	}
	owner := gate.Aside()
	d, _, err := poll.DupCloseOnExec(int(fd))
	gate.Back(owner)
	if err != nil {
		return nil
	}
	f, p, side := newFile(d, name, kindNoPoll, false), (*rehearsePipe)(pipe), 1
	if p.reads((*file)(at)) {
		side = 0
	}
	p.more[side] = append(p.more[side], f.file)
	gate.Joins(unsafe.Pointer(f), unsafe.Pointer(f.file), pipe)
	return f
}

// reads reports whether one reads from an end of the pipe.
//
//go:norace
func (p *rehearsePipe) reads(end *file) bool {
	is := end == p.r.file
	for _, f := range p.more[0] {
		is = is || f == end
	}
	return is
}

// read is File.Read.
func (p *rehearsePipe) read(f *File, b []byte) (n int, err error) {
	if !p.reads(f.file) {
		return 0, f.wrapErr("read", syscall.EBADF)
	}
	p.readers.acts()
	if len(b) > 0 && gate.Patient() && rehearseReadsAll() {
		p.patient()
	}
	p.notices(p.readers.several)
	p.mu.Lock()
	defer p.mu.Unlock()
	end := &p.ends[0]
	for len(b) > 0 && len(p.data) == 0 && !p.finished && !p.unread && !end.due {
		rehearseApart(p.changed.Wait)
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

// patient waits for the end of the pipe. The caller passes on what it reads when it has come to the
// end. So nobody sees in which pieces it reads, and it may as well read all of them then (lemma W5,
// docs/DECISIONS.md). If it read them one by one, each Write would have two orders with it.
//
//go:norace
func (p *rehearsePatience) patient() {
	p.used = true
	p.notices(false)
	rehearseApart(p.over.Wait)
}

// notices notes that somebody acts who may notice that a patient reader waits: another reader, or
// one who ends the pipe while there is something in it. If there is a patient reader, no reader is
// patient in the executions that follow, and those before do not count.
//
//go:norace
func (p *rehearsePatience) notices(is bool) {
	if p.noticed = p.noticed || is; p.noticed && p.used {
		gate.Impatient()
	}
}

// end makes patient readers wait no more. The caller holds the pipe's lock.
//
//go:norace
func (p *rehearsePatience) end() {
	if !p.isOver {
		p.isOver = true
		rehearseApart(p.over.Done)
	}
}

// rehearseReadsAll reports whether the Read that it is called for is one of a function that reads
// to the end and then returns what it has read.
func rehearseReadsAll() bool {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:gate.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch f.Function {
		case "io.ReadAll", "io.discard.ReadFrom", "bytes.(*Buffer).ReadFrom":
			return true
		case "os.(*File).Read", "os.fileWithoutWriteTo.Read", "os.(*fileWithoutWriteTo).Read",
			"os.(*rehearsePipe).read", "os.rehearseRead":
		default:
			return false
		}
		if !more {
			return false
		}
	}
}

// writeTo is called by File.WriteTo. A builder of a string is as good as a buffer. A race detector
// would not know that the wait orders what is before the end before the first write to the builder;
// so that is announced here.
//
//go:noinline
func (p *rehearsePipe) writeTo(f *File, w io.Writer) {
	if !p.reads(f.file) {
		return
	}
	p.readers.acts()
	t := reflectlite.TypeOf(w)
	if !gate.Patient() || t == nil || t.Kind() != abi.Pointer ||
		t.Elem().PkgPath() != "strings" || t.Elem().Name() != "Builder" {
		return
	}
	if gate.Streamed != nil {
		gate.Streamed((*[2]unsafe.Pointer)(unsafe.Pointer(&w))[1], w, sys.GetCallerPC())
	}
	p.patient()
}

// write is File.Write.
func (p *rehearsePipe) write(f *File, b []byte) (n int, err error) {
	if p.reads(f.file) {
		return 0, f.wrapErr("write", syscall.EBADF)
	}
	p.writers.acts()
	p.notices(p.filled && p.writers.several)
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
			p.filled = true
			p.notices(p.writers.several)
			p.end()
			rehearseApart(p.changed.Wait)
			waited = true
		}
	}
}

// close notes that an end is being closed.
func (p *rehearsePipe) close(f *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reads(f.file) {
		p.notices(len(p.data) > 0)
		p.end()
		p.unread, p.data = true, nil
		p.ends[0].stop()
	} else {
		p.finished = true
		p.end()
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
	if !p.reads(f.file) {
		end, closed, set = &p.ends[1], p.finished, write
	}
	switch {
	case closed:
		return poll.ErrFileClosing
	case !set:
		return nil
	}
	if end == &p.ends[0] {
		p.notices(len(p.data) > 0)
		p.end()
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
