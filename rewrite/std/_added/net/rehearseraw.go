//go:build unix

package net

import (
	"rehearse/runtime/gate"
	"syscall"
)

// A connection of an execution has no descriptor. The function of RawConn.Read gets a number in
// place of one, and syscall.Read of that number takes what has arrived.

// rehearseRawReads is what functions of RawConn.Read do with a connection.
type rehearseRawReads struct {
	number int   // it stands for a descriptor; 0: there is none yet
	looked bool  // the function has read
	err    error // why RawConn.Read is to fail; nil: the function decides
}

// rehearseRaws are the connections that have such a number: rehearseRaw plus the index.
var rehearseRaws []*rehearseFD

const rehearseRaw = 1 << 30

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		return func() {
			clear(rehearseRaws)
			rehearseRaws = rehearseRaws[:0]
		}
	})
	gate.RawRead = func(fd int, p []byte) (n int, err error, known bool) {
		if i := fd - rehearseRaw; i >= 0 && i < len(rehearseRaws) {
			n, err = rehearseRaws[i].readNow(p)
			return n, err, true
		}
		return 0, nil, false
	}
}

// rawRead is RawConn.Read. A function that does anything but read ends the execution.
func (r *rehearseFD) rawRead(fd *netFD, f func(uintptr) bool) error {
	if r.medium != gate.StreamTCP && r.medium != gate.StreamUnix {
		return fd.rehearseDup()
	}
	if r.raw.number == 0 {
		rehearseRaws = append(rehearseRaws, r)
		r.raw.number = rehearseRaw + len(rehearseRaws) - 1
	}
	for {
		r.raw.looked, r.raw.err = false, nil
		done := f(uintptr(r.raw.number))
		switch {
		case !r.raw.looked:
			return fd.rehearseDup()
		case r.raw.err != nil:
			return &OpError{Op: "raw-read", Net: fd.net, Source: fd.laddr, Addr: fd.raddr,
				Err: r.raw.err}
		case done:
			return nil
		}
		op := gate.StreamOp{Kind: gate.StreamRead, Mode: gate.ReadReady}
		r.do(&op) // the next look tells why there is nothing to wait for
	}
}

// readNow is a read of the descriptor, which does not wait. That the connection is closed, or its
// deadline has passed, is an error of RawConn.Read.
func (r *rehearseFD) readNow(p []byte) (n int, err error) {
	r.raw.looked = true
	if len(p) == 0 {
		return 0, nil
	}
	op := gate.StreamOp{Kind: gate.StreamRead, Mode: gate.ReadNow, N: min(len(p), 1<<30)}
	r.do(&op)
	switch op.Err {
	case gate.StreamOK:
		return copy(p, op.From.([]byte)[op.At:op.At+op.Got]), nil
	case gate.StreamEOF, gate.StreamReadEnd:
		return 0, nil
	case gate.StreamClosed, gate.StreamDeadline:
		r.raw.err = rehearseErrors[op.Err]
		return -1, syscall.EAGAIN
	}
	return -1, rehearseErrors[op.Err]
}

// rehearseDup ends the execution: there is no file descriptor.
func (fd *netFD) rehearseDup() error {
	gate.Guard("(*net.TCPConn).File",
		"the file of a connection between parts of the test is not controlled: "+
			"there is no descriptor; -trust net lets it run as it is")
	return syscall.EINVAL
}

// rehearseReal ends the execution if a controlled process uses what it has from outside of it.
func rehearseReal(fd *netFD) {
	gate.Guard("net.Conn",
		"a connection or a listener that was made before the tests, as in TestMain, is not controlled: "+
			"make it in the test, or -trust net lets it run as it is")
}
