//go:build unix

// The overlay adds this to package net: connections, listeners and datagrams between the processes
// of an execution, in memory. A netFD that an execution makes has a rehearseFD, which does what the
// netFD is asked for; others are the operating system's.
package net

import (
	"context"
	"errors"
	"internal/poll"
	"io"
	"os"
	"rehearse/runtime/gate"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// rehearseFD is a side of a connection, a listener, or a socket of datagrams.
type rehearseFD struct {
	medium   int
	object   unsafe.Pointer
	side     int
	listener int // at an address: which one
	bound    int // of a socket of datagrams: its port
	closed   bool

	timers [2]*time.Timer // of the deadlines
	raw    rehearseRawReads
}

// rehearseDialled is what somebody has dialled and nobody has accepted.
type rehearseDialled struct {
	object       unsafe.Pointer
	from, to     Addr
	family, kind int
}

// rehearseDatagram is what has been sent.
type rehearseDatagram struct {
	data []byte
	from *UDPAddr
}

// rehearseSocket is socket for a controlled process. done is false if the operating system is to do
// it, because the user trusts the caller.
func rehearseSocket(ctx context.Context, network string, family, sotype int, laddr, raddr sockaddr,
	control func(context.Context, string, string, syscall.RawConn) error, text string) (fd *netFD,
	err error, done bool) {
	what := "net.Listen"
	if raddr != nil {
		what = "net.Dial"
	}
	if gate.Trusted(what) {
		return nil, nil, false
	}
	if !rehearseKnows(network, laddr, raddr) {
		gate.Guard(what, what+text)
		return nil, nil, false
	}
	fd = &netFD{pfd: poll.FD{Sysfd: -1, IsStream: sotype == syscall.SOCK_STREAM,
		ZeroReadIsEOF: true},
		family: family, sotype: sotype, net: network}
	fd.rehearse = &rehearseFD{}
	if control != nil {
		addr := laddr
		if raddr != nil {
			addr = raddr
			gate.Tells() // the program hears of each connection
		}
		if err := control(ctx, fd.ctrlNetwork(), addr.String(), newRawConn(fd)); err != nil {
			return nil, err, true
		}
	}
	switch {
	case sotype == syscall.SOCK_DGRAM:
		err = fd.rehearse.bind(fd, laddr, raddr)
	case raddr == nil:
		err = fd.rehearse.listen(fd, laddr)
	default:
		err = fd.rehearse.dial(ctx, fd, laddr, raddr)
	}
	if err != nil {
		return nil, err, true
	}
	return fd, nil, true
}

// do does an operation. It reports false if the execution is over.
func (r *rehearseFD) do(op *gate.StreamOp) bool {
	if !gate.Here() || gate.Dying() {
		op.Err = gate.StreamClosed
		return false
	}
	op.Side = r.side
	return gate.DoStream(r.object, op)
}

// rehearseErrors are what the operating system says.
var rehearseErrors = [...]error{
	gate.StreamClosed:     poll.ErrNetClosing,
	gate.StreamDeadline:   poll.ErrDeadlineExceeded,
	gate.StreamEOF:        io.EOF,
	gate.StreamReadEnd:    io.EOF,
	gate.StreamBrokenPipe: syscall.EPIPE,
	gate.StreamConnReset:  syscall.ECONNRESET,
	gate.StreamNotConn:    syscall.ENOTCONN,
	gate.StreamRefused:    syscall.ECONNREFUSED,
	gate.StreamInUse:      syscall.EADDRINUSE,
	gate.StreamLost:       nil,
	gate.StreamTimedOut:   syscall.ETIMEDOUT,
	gate.StreamAgain:      syscall.EAGAIN,
}

// enter makes r the listener at a port, of an address of its own if that is 0.
func (r *rehearseFD) enter(fd *netFD, laddr sockaddr, medium int) (port int, err error) {
	port = rehearsePort(laddr)
	if port == 0 {
		port = gate.Port()
	}
	r.medium, r.side = medium, 1
	r.object = gate.StreamAt(medium, fd.net[:3]+" port "+strconv.Itoa(port))
	op := gate.StreamOp{Kind: gate.StreamListen, Host: rehearseHost(fd, rehearseIP(laddr))}
	r.do(&op)
	if r.listener = op.Got; op.Err != gate.StreamOK {
		return 0, os.NewSyscallError("bind", rehearseErrors[op.Err])
	}
	if r.listener > 1 {
		gate.Tells() // a new connection may succeed where an idle one has ended
	}
	return port, nil
}

func (r *rehearseFD) listen(fd *netFD, laddr sockaddr) error {
	if fd.net == "unix" {
		return r.listenUnix(fd, laddr)
	}
	port, err := r.enter(fd, laddr, gate.StreamAddress)
	if err == nil {
		fd.laddr = rehearseInet(fd.net, rehearseAny(rehearseIP(laddr), fd.family), port)
	}
	return err
}

// listenUnix makes the file of a Unix socket, and listens there.
func (r *rehearseFD) listenUnix(fd *netFD, laddr sockaddr) error {
	name := laddr.String()
	if name == "" {
		name = "@" + strconv.Itoa(gate.Port())
	}
	if name[0] != '@' {
		gate.Path(gate.PathMake, name, "")
		err := rehearseMakeSocket(name)
		if err == syscall.EEXIST {
			err = syscall.EADDRINUSE
		}
		if err != nil {
			return os.NewSyscallError("bind", err)
		}
		var s syscall.Stat_t
		syscall.Lstat(name, &s)
		rehearseSockets = append(rehearseSockets, rehearseBound{name, uint64(s.Dev), s.Ino})
	}
	r.medium, r.side = gate.StreamAddress, 1
	key, _ := rehearseFile(name)
	r.object = gate.StreamAt(r.medium, key)
	op := gate.StreamOp{Kind: gate.StreamListen}
	r.do(&op)
	if r.listener = op.Got; op.Err != gate.StreamOK {
		return os.NewSyscallError("bind", rehearseErrors[op.Err])
	}
	fd.laddr = &UnixAddr{Name: name, Net: fd.net}
	return nil
}

// rehearseBound is the file of a Unix socket.
type rehearseBound struct {
	name string
	dev  uint64
	ino  uint64
}

// rehearseSockets are the files of the Unix sockets of this execution, which the next one does not
// find. The last one with a file's number is that file: the file system uses numbers again.
var rehearseSockets []rehearseBound

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		return func() {
			for _, s := range rehearseSockets {
				syscall.Unlink(s.name)
			}
			rehearseSockets = rehearseSockets[:0]
		}
	})
}

// rehearseMakeSocket makes the file of a Unix socket; a regular one where only root may make
// sockets.
func rehearseMakeSocket(name string) error {
	err := syscall.Mknod(name, syscall.S_IFSOCK|0o777, 0)
	if err != syscall.EPERM {
		return err
	}
	file, err := syscall.Open(name, syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o777)
	if err == nil {
		syscall.Close(file)
	}
	return err
}

// rehearseFile is the key of the address that a Unix socket's name leads to.
func rehearseFile(name string) (key string, err error) {
	if name != "" && name[0] == '@' {
		return "unix socket " + name, nil
	}
	var s syscall.Stat_t
	if err := syscall.Stat(name, &s); err != nil {
		return "", err
	}
	for i := len(rehearseSockets) - 1; i >= 0; i-- {
		if b := &rehearseSockets[i]; b.dev == uint64(s.Dev) && b.ino == s.Ino {
			return "unix socket " + b.name + " " + strconv.Itoa(i), nil
		}
	}
	if s.Mode&syscall.S_IFMT == syscall.S_IFSOCK {
		return "", errRehearseOutside
	}
	return "file " + name, nil
}

var errRehearseOutside = errors.New("a socket of somebody else")

func (r *rehearseFD) dial(ctx context.Context, fd *netFD, laddr, raddr sockaddr) error {
	if err := ctx.Err(); err != nil {
		return mapErr(err)
	}
	d := &rehearseDialled{family: fd.family, kind: fd.sotype}
	op := gate.StreamOp{Kind: gate.StreamDial, Value: d}
	var address unsafe.Pointer
	if fd.net == "unix" {
		name := raddr.String()
		if name[0] != '@' {
			gate.Path(gate.PathLook, name, "")
		}
		key, err := rehearseFile(name)
		if err == errRehearseOutside {
			gate.Guard("net.Dial", "net.Dial"+rehearseElsewhere)
			return syscall.ECONNREFUSED
		}
		if err != nil {
			return os.NewSyscallError("connect", err)
		}
		address = gate.StreamAt(gate.StreamAddress, key)
		d.from, d.to = &UnixAddr{Name: "@", Net: "unix"}, &UnixAddr{Name: name, Net: "unix"}
		if u, ok := laddr.(*UnixAddr); ok && u != nil {
			d.from = u
		}
		r.medium = gate.StreamUnix
	} else {
		to := rehearseLocal(rehearseIP(raddr), fd.family)
		op.Host = gate.Host(to.String())
		address = gate.StreamAt(gate.StreamAddress, "tcp port "+strconv.Itoa(rehearsePort(raddr)))
		from := rehearsePort(laddr)
		if from == 0 {
			from = gate.Port()
		}
		d.to = rehearseInet(fd.net, to, rehearsePort(raddr))
		d.from = rehearseInet(fd.net, rehearseLocal(rehearseIP(laddr), rehearseFamily(to)), from)
		r.medium = gate.StreamTCP
	}
	if gate.Fault(gate.FaultRefuse) {
		return os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	d.object = gate.NewStream(r.medium, "connection to "+d.to.String())
	gate.DoStream(address, &op)
	switch op.Err {
	case gate.StreamOK:
	case gate.StreamRefused:
		if rehearseServes(fd.net, rehearsePort(raddr)) {
			gate.Guard("net.Dial", "net.Dial"+rehearseElsewhere)
		}
		fallthrough
	default:
		return os.NewSyscallError("connect", rehearseErrors[op.Err])
	}
	gate.Weather(d.object)
	r.object, fd.isConnected = d.object, true
	fd.laddr, fd.raddr = d.from, d.to
	return nil
}

func (r *rehearseFD) accept(fd *netFD) (*netFD, error) {
	op := gate.StreamOp{Kind: gate.StreamAccept, N: r.listener}
	r.do(&op)
	if op.Err != gate.StreamOK {
		return nil, rehearseErrors[op.Err]
	}
	if gate.Outside() {
		gate.Tells() // the program sees how many connections there are
	}
	d := op.From.(*rehearseDialled)
	c := &netFD{pfd: poll.FD{Sysfd: -1, IsStream: true, ZeroReadIsEOF: true}, family: fd.family,
		sotype: fd.sotype, net: fd.net, isConnected: true}
	c.laddr, c.raddr = d.to, d.from
	medium := gate.StreamTCP
	if fd.net == "unix" {
		medium = gate.StreamUnix
	}
	c.rehearse = &rehearseFD{medium: medium, object: d.object, side: 1}
	return c, nil
}

func (r *rehearseFD) close() error {
	for _, t := range r.timers {
		if t != nil {
			t.Stop()
		}
	}
	op := gate.StreamOp{Kind: gate.StreamShut, N: r.listener}
	r.do(&op)
	r.closed = true
	left, _ := op.From.([]any)
	for _, v := range left {
		if d, ok := v.(*rehearseDialled); ok {
			gate.DoStream(d.object,
				&gate.StreamOp{Kind: gate.StreamShut, Side: 1, Mode: gate.ShutReset})
		}
	}
	return rehearseErrors[op.Err]
}

// closeUnix is the close of a UnixListener.
func (r *rehearseFD) closeUnix(ln *UnixListener) error {
	if gate.Here() && !gate.Dying() && ln.path[0] != '@' && ln.unlink {
		gate.Path(gate.PathRemove, ln.path, "")
		ln.unlinkOnce.Do(func() { syscall.Unlink(ln.path) })
	}
	return r.close()
}

func (r *rehearseFD) shutdown(how int) error {
	op := gate.StreamOp{Kind: gate.StreamShut, Mode: gate.ShutRead}
	if how == syscall.SHUT_WR {
		op.Mode = gate.ShutWrite
	}
	if r.medium >= gate.StreamAddress {
		return wrapSyscallError("shutdown", syscall.ENOTCONN)
	}
	r.do(&op)
	return wrapSyscallError("shutdown", rehearseErrors[op.Err])
}

func (r *rehearseFD) read(fd *netFD, p []byte) (n int, err error) {
	if r.medium == gate.StreamDatagrams {
		n, _, _, err = r.receive(fd, p)
		return n, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if len(p) > 1 && gate.Fault(gate.FaultShort) {
		p = p[:1]
	}
	op := gate.StreamOp{Kind: gate.StreamRead, N: min(len(p), 1<<30)}
	if r.do(&op); op.Err != gate.StreamOK {
		return 0, rehearseErrors[op.Err]
	}
	return copy(p, op.From.([]byte)[op.At:op.At+op.Got]), nil
}

func (r *rehearseFD) write(fd *netFD, p []byte) (n int, err error) {
	if r.medium == gate.StreamDatagrams {
		to, _ := fd.raddr.(*UDPAddr)
		if to == nil {
			return 0, syscall.EDESTADDRREQ
		}
		return r.send(fd, p, to)
	}
	for n < len(p) {
		part := p[n:min(len(p), n+gate.MaxSegment)]
		op := gate.StreamOp{Kind: gate.StreamWrite, N: len(part),
			Mode: rehearsePart(n, len(part), len(p)), Value: append([]byte(nil), part...)}
		if r.do(&op); op.Err != gate.StreamOK && op.Err != gate.StreamLost {
			return n, rehearseErrors[op.Err]
		}
		n += len(part)
	}
	return n, nil
}

// rehearsePart is the mode of a write of the bytes from n on.
func rehearsePart(n, part, all int) int {
	switch {
	case part == all:
		return gate.WriteWhole
	case n == 0:
		return gate.WriteFirst
	case n+part == all:
		return gate.WriteLast
	}
	return gate.WriteNext
}

func (r *rehearseFD) writeBuffers(fd *netFD, v *Buffers) (int64, error) {
	var all []byte
	for _, b := range *v {
		all = append(all, b...)
	}
	n, err := r.write(fd, all)
	v.consume(int64(n))
	return int64(n), err
}

// rights ends the execution if a message passes files on.
func (r *rehearseFD) rights(oob []byte) {
	if len(oob) > 0 {
		gate.Guard("(*net.UnixConn).WriteMsgUnix",
			"out-of-band data is not controlled: -trust net lets it run as it is")
	}
}

func (r *rehearseFD) setDeadline(t time.Time, read, write bool) error {
	var d time.Duration
	if !t.IsZero() {
		d = time.Until(t)
	}
	for which, set := range [...]bool{read, write} {
		if !set {
			continue
		}
		if err := r.arm(which, d, t.IsZero()); err != nil {
			return err
		}
	}
	return nil
}

// arm sets the deadline of reads, or of writes if which is 1.
func (r *rehearseFD) arm(which int, d time.Duration, none bool) error {
	if timer := r.timers[which]; timer != nil {
		timer.Stop()
		r.timers[which] = nil
	}
	listener := r.listener
	op := gate.StreamOp{Kind: gate.StreamSet, Mode: gate.SetRead + which, N: listener}
	if !none && d <= 0 {
		op.Mode = gate.PastRead + which
	}
	if r.do(&op); op.Err != gate.StreamOK {
		return rehearseErrors[op.Err]
	}
	if none || d <= 0 || gate.Dying() {
		return nil
	}
	number := op.Got
	r.timers[which] = time.AfterFunc(d, func() {
		r.do(&gate.StreamOp{Kind: gate.StreamSet, Mode: gate.DueRead + which,
			N: listener<<16 | number})
	})
	return nil
}

// option returns the error of setting an option that has no effect here. That is no step: its order
// with a close is not explored.
func (r *rehearseFD) option() error {
	if r.closed {
		return poll.ErrNetClosing
	}
	return nil
}

// setLinger lets a close reset the connection if sec is 0.
func (r *rehearseFD) setLinger(sec int) error {
	op := gate.StreamOp{Kind: gate.StreamSet, Mode: gate.EndsAtClose}
	if sec == 0 {
		op.Mode = gate.ResetsAtClose
	}
	r.do(&op)
	return rehearseErrors[op.Err]
}

// rehearseNow is the time that the timeout of a dial begins.
func rehearseNow(d *Dialer) time.Time {
	if gate.Here() && d.Timeout == 0 {
		return time.Time{}
	}
	return time.Now()
}
