package gate

import "unsafe"

// Media of streams, the kinds of operations on them, what these do in particular, and why they
// fail: package runtime/stream says what each means.
const (
	StreamTCP = iota
	StreamUnix
	StreamPipe
	StreamAddress
	StreamDatagrams
)

// The kinds of operations.
const (
	StreamRead = iota
	StreamWrite
	StreamShut
	StreamSet
	StreamListen
	StreamDial
	StreamAccept
)

// The modes of StreamRead.
const (
	ReadWaits = iota
	ReadNow   // it does not wait: StreamAgain if nothing has arrived
	ReadReady // it waits until there is something to read, and takes nothing
)

// The modes of StreamWrite.
const (
	WriteWhole = iota
	WriteFirst
	WriteNext
	WriteLast
)

// The modes of StreamShut.
const (
	ShutClose = iota
	ShutReset
	ShutWrite
	ShutRead
	// effects of the network on both sides
	ShutNetReset
	ShutNetCut
	ShutNetGone
)

// The modes of StreamSet.
const (
	SetRead = iota
	SetWrite
	PastRead
	PastWrite
	DueRead
	DueWrite
	Refuse
	CheckWrite
	EndsAtClose
	ResetsAtClose
)

// Why operations fail.
const (
	StreamOK = iota
	StreamClosed
	StreamDeadline
	StreamEOF
	StreamReadEnd
	StreamBrokenPipe
	StreamConnReset
	StreamNotConn
	StreamRefused
	StreamInUse
	StreamLost
	StreamTimedOut
	StreamAgain
)

// Hosts of an address that stand for several. The numbers of others are odd for addresses of IPv4,
// as Hosts4 is, and even for those of IPv6.
const (
	HostsAll = iota
	Hosts4
	Hosts6
	firstHost
)

// HostNumber is the number of the n-th host of a family, from 0.
func HostNumber(n int, four bool) int {
	if four {
		return firstHost + 2*n
	}
	return firstHost + 2*n + 1
}

// StreamOp is an operation on a stream, with its result.
type StreamOp struct {
	Kind, Side, Mode int
	Host             int // of an address: see HostsAll
	// of a read: how many bytes; of an address: which listener; of a due deadline: which
	N     int
	Value any // what is written

	Err  int
	Got  int // how many bytes; which listener or deadline
	From any // what is read, or a part of it
	At   int // of From: where what is read begins
}

// MaxSegment bounds what one StreamWrite writes.
const MaxSegment = 64 << 10

// Border says that packages of the standard library are linked that run goroutines of their own,
// and are rewritten.
var Border bool

// The models of connections.
var (
	// NewStream makes an object of a medium, which people call name.
	NewStream func(medium int, name string) (o unsafe.Pointer)
	// StreamAt is the object of an address, which is made when it is first asked for.
	StreamAt func(medium int, key string) (o unsafe.Pointer)
	// DoStream does an operation on an object. It reports false if the execution is over.
	DoStream func(o unsafe.Pointer, op *StreamOp) bool
	// Port is a port that nobody uses: the caller's next one.
	Port func() int
	// Host numbers the hosts of an execution: see HostNumber.
	Host func(ip string) int
	// Trusted reports whether the caller is left to itself, because the user trusts the function of
	// the given name, or who has called it.
	Trusted func(name string) bool
	// Dying reports whether the caller is being unwound: its operations have no effect.
	Dying func() bool
)

// RawRead reads from a connection whose number was given to a function of RawConn.Read. known says
// that fd is such a number.
var RawRead func(fd int, p []byte) (n int, err error, known bool)

// Pool returns the path of the process that has the caller's pools of connections, "" if all have
// them in common. Several says that several processes use one http.Transport in this execution, and
// Tells that the program may tell which connection a request has got. If both are said, pools are
// common in the executions that follow, and those before do not count.
var (
	Pool    func() (path string)
	Several func()
	Tells   func()
)

// Waits says that a server waits for the end of its connections: up to NewConn for one that is new.
// The program may tell if it has a timer that fires before, or if it may end the wait.
var Waits func(ends bool)

// InCommon says that processes may have the connections of an http.Transport in common.
var InCommon func()

// NewConn is more than a server waits for a request on a new connection, in nanoseconds: five
// seconds, up to one more, as it counts whole ones, and half of one until it looks again.
const NewConn = 7e9

// Outside reports whether the caller's latest operation is the program's own, and not one of code
// that is explored in whole steps.
var Outside func() bool

// Watched says that the program hears of the connections of an httptest.Server.
var Watched bool

// Common says that processes may have the connections of an http.Transport in common in this
// execution, and that the program may tell if a connection is ready when nobody waits for it any
// more.
var Common bool
