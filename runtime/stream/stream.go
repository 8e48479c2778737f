// Package stream has the effects of operations on connections, and on addresses that others dial,
// as a function of earlier operations, and of nothing else. The model of the network performs
// operations by it, and package depend foresees with it the effect of an operation in another
// state.
//
// Vocabulary: an object is a connection with two sides, 0 and 1, or an address, which side 0 dials
// and side 1 listens at. Direction d is the queue of segments that side d writes and the other side
// reads. A Write puts one segment into the queue, a Read takes bytes of the first one. At an
// address, a dialled connection, or a datagram, is a segment. Seq numbers the segments of a
// direction.
//
// Guarantees: a Read takes bytes of one segment only, and a segment leaves room when all of it has
// been read. So the room for a segment depends on which other segment has left, and on no count of
// bytes: see Result.Needs.
//
// LIMITS: on a real network, two segments are often read as one; the model reports Reads that might
// have done so. Errors are those of Linux.
package stream

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Medium is the kind of an object.
type Medium int32

// The media.
const (
	TCP       Medium = gate.StreamTCP       // a TCP connection
	Unix      Medium = gate.StreamUnix      // a connection between Unix sockets
	Pipe      Medium = gate.StreamPipe      // what os.Pipe returns: side 0 writes, side 1 reads
	Address   Medium = gate.StreamAddress   // where connections are dialled and accepted
	Datagrams Medium = gate.StreamDatagrams // where datagrams are sent to
)

// Bound is how many bytes a direction of a medium has room for.
var Bound = [...]int32{
	TCP: 1 << 20, Unix: 208 << 10, Pipe: 64 << 10, Address: 4096, Datagrams: 208 << 10,
}

// Mode tells operations of one kind apart.
type Mode int32

// The modes of each kind.
const (
	Now   Mode = gate.ReadNow   // StreamRead: it does not wait
	Ready Mode = gate.ReadReady // it waits until there is something to read, and takes nothing

	Whole Mode = gate.WriteWhole // StreamWrite: all of a Write
	First Mode = gate.WriteFirst // its first segment, of several
	Next  Mode = gate.WriteNext  // another one
	Last  Mode = gate.WriteLast  // the last one

	Close      Mode = gate.ShutClose // StreamShut: the side is closed
	CloseReset Mode = gate.ShutReset // likewise, and the other one is told by a reset
	CloseWrite Mode = gate.ShutWrite // the side will write no more
	CloseRead  Mode = gate.ShutRead  // the side will read no more

	NetReset Mode = gate.ShutNetReset // the network resets the connection; side 0 stands for both
	NetCut   Mode = gate.ShutNetCut   // nothing that is sent arrives any more
	NetGone  Mode = gate.ShutNetGone  // both sides find out that nothing has arrived for long

	SetRead    Mode = gate.SetRead    // StreamSet: the deadline of Reads is set, and has not passed
	SetWrite   Mode = gate.SetWrite   // that of Writes
	PastRead   Mode = gate.PastRead   // that of Reads is set to a time that has passed
	PastWrite  Mode = gate.PastWrite  // that of Writes
	DueRead    Mode = gate.DueRead    // that of Reads passes; Op.N says which one
	DueWrite   Mode = gate.DueWrite   // that of Writes
	Refuse     Mode = gate.Refuse     // nobody has taken what a socket of datagrams has sent
	CheckWrite Mode = gate.CheckWrite // whether the side can write, if that is to another object
	// whether a later close of the side resets the connection: SetLinger
	EndsAtClose   Mode = gate.EndsAtClose
	ResetsAtClose Mode = gate.ResetsAtClose
)

// Op has the parts of the Cap of a trace.Op of a stream.
type Op struct {
	Side   int32
	Medium Medium
	Mode   Mode
	// of an address: which host, see gate.HostsAll
	Host int32
}

// Cap packs o into the Cap of a trace.Op.
func (o Op) Cap() int32 {
	return 1 | o.Side<<1 | int32(o.Medium)<<2 | int32(o.Mode)<<5 | o.Host<<9
}

// Unpack is the inverse of Op.Cap.
func Unpack(c int32) Op {
	return Op{Side: c >> 1 & 1, Medium: Medium(c >> 2 & 7), Mode: Mode(c >> 5 & 15), Host: c >> 9}
}

// Err is the reason why an operation fails.
type Err uint8

// The reasons.
const (
	OK         Err = gate.StreamOK
	Closed     Err = gate.StreamClosed     // the side itself is closed
	Deadline   Err = gate.StreamDeadline   // its deadline has passed
	EOF        Err = gate.StreamEOF        // the other side writes no more
	ReadEnd    Err = gate.StreamReadEnd    // the side itself reads no more: as EOF
	BrokenPipe Err = gate.StreamBrokenPipe // the other side reads no more
	ConnReset  Err = gate.StreamConnReset  // the other side has reset the connection
	NotConn    Err = gate.StreamNotConn    // the connection is no more
	Refused    Err = gate.StreamRefused    // nobody listens
	InUse      Err = gate.StreamInUse      // somebody listens already
	Lost       Err = gate.StreamLost       // what is sent gets nowhere: no error
	TimedOut   Err = gate.StreamTimedOut   // nothing has arrived for long
	Again      Err = gate.StreamAgain      // nothing has arrived yet
)

// errs are the words of charts.
var errs = [...]string{
	Closed: "closed", Deadline: "deadline passed", EOF: "EOF", ReadEnd: "EOF",
	BrokenPipe: "broken pipe", ConnReset: "reset", NotConn: "not connected", Refused: "refused",
	InUse: "in use", Lost: "lost", TimedOut: "timed out", Again: "nothing yet",
}

// String says it in a word or two.
func (e Err) String() string { return errs[e] }

// Disturbs reports whether op is a disturbance of a connection by the network.
func Disturbs(op *trace.Op) bool {
	return op.Kind == trace.StreamShut && Unpack(op.Cap).Mode >= NetReset
}

// Result is the effect of an operation.
type Result struct {
	Err Err
	// a StreamRead or StreamAccept: the number of the segment that it takes from; a StreamWrite or
	// StreamDial: of its own
	Seq int32
	// a StreamRead: how many bytes; a StreamSet: which deadline of the side that is; a
	// StreamListen: which listener
	N int32
	// a StreamRead takes all that was left of its segment; a StreamShut ends the second half of its
	// side
	Emptied bool
	// a StreamWrite: there is room because this segment has left; negative: there was from the
	// beginning
	Needs int32
	To    int32 // a StreamDial or a StreamWrite to an address: the listener
}

// Fill completes e, which does r.
func (r *Result) Fill(e *trace.Event) {
	e.OK, e.Seq, e.Cap = r.Err == OK, r.Seq, 0
	switch e.Kind {
	case trace.StreamWrite, trace.StreamDial:
		e.Cap = r.Needs
	case trace.StreamRead, trace.StreamAccept, trace.StreamShut:
		if r.Emptied {
			e.Cap = 1
		}
	}
	if !e.OK {
		e.Seq = int32(r.Err)
	}
}

// Word returns the word for a StreamShut or a StreamSet, for people.
func Word(e *trace.Event) string {
	o := Unpack(e.Op.Cap)
	if e.Kind == trace.StreamShut {
		return [...]string{
			Close: "close", CloseReset: "reset", CloseWrite: "close write of",
			CloseRead: "close read of", NetReset: "reset", NetCut: "cut", NetGone: "cut, at last,",
			7: "",
		}[o.Mode&7]
	}
	return [...]string{
		SetRead: "set read deadline of", SetWrite: "set write deadline of",
		PastRead: "end reads of", PastWrite: "end writes of",
		DueRead: "read deadline passes of", DueWrite: "write deadline passes of",
		Refuse: "refuse what was sent by", CheckWrite: "look at",
		EndsAtClose: "let close end", ResetsAtClose: "let close reset", 15: "",
	}[o.Mode&15]
}
