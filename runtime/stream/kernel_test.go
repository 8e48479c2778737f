//go:build linux

package stream

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

var programs = flag.Int("programs", 100, "random programs")

// TestKernel does random operations on both sides of a connection, one after the other, and
// compares what the kernel makes of them with what State does. A Read has room for what is left of
// a segment and no more, as the kernel joins segments.
func TestKernel(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		for n := range uint64(*programs) {
			k := &kernel{r: rand.New(rand.NewPCG(n, 44)), medium: TCP}
			if network == "unix" {
				k.medium = Unix
			}
			k.connect(t, network)
			for range 3 + k.r.IntN(8) {
				if !k.step() {
					break
				}
			}
			k.conns[0].Close()
			k.conns[1].Close()
			if k.fault != "" {
				t.Errorf("%s, program %d: %s\n%s", network, n, k.fault, strings.Join(k.log, "\n"))
			}
		}
	}
}

// kernel is a connection, of the kernel and of the model.
type kernel struct {
	r      *rand.Rand
	medium Medium
	conns  [2]net.Conn
	state  State
	log    []string
	fault  string
}

func (k *kernel) connect(t *testing.T, network string) {
	addr := "127.0.0.1:0"
	if network == "unix" {
		addr = filepath.Join(t.TempDir(), "s")
	}
	ln, err := net.Listen(network, addr)
	if err != nil {
		t.Skip(err)
	}
	defer ln.Close()
	if k.conns[0], err = net.Dial(network, ln.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if k.conns[1], err = ln.Accept(); err != nil {
		t.Fatal(err)
	}
}

// step does one operation. It reports false if kernel and model disagree.
func (k *kernel) step() bool {
	side := k.r.IntN(2)
	op := trace.Op{Kind: trace.StreamRead}
	o := Op{Side: int32(side), Medium: k.medium}
	switch k.r.IntN(15) {
	case 0, 1, 2, 3, 4:
		op.Kind, op.N = trace.StreamWrite, int32(1+k.r.IntN(9))
	case 5:
		op.Kind = trace.StreamShut
	case 6, 7:
		op.Kind, o.Mode = trace.StreamShut, CloseWrite
	case 8:
		op.Kind, o.Mode = trace.StreamShut, CloseRead
	case 9:
		op.Kind, o.Mode = trace.StreamSet,
			[...]Mode{PastRead, PastWrite, SetRead, SetWrite}[k.r.IntN(4)]
	case 10:
		if k.medium == TCP {
			op.Kind, o.Mode = trace.StreamSet, EndsAtClose+Mode(k.r.IntN(2))
		}
	}
	if op.Kind == trace.StreamRead {
		op.N = 5
		if q := k.state.queues[1-side].segments; len(q) > 0 {
			op.N = min(op.N, q[0].left)
		}
	}
	op.Cap = o.Cap()
	r, ok := k.state.Do(&op)
	if !ok {
		return true // it would wait
	}
	n, err := k.do(side, o.Mode, &op)
	want := errs[r.Err]
	if r.Err == Lost || op.Kind == trace.StreamSet && r.Err == OK {
		want = ""
	}
	k.log = append(k.log, fmt.Sprintf("%d: %v %d %d: %v", side, op.Kind, o.Mode, op.N, err))
	if got := word(err); got != want || op.Kind == trace.StreamRead && n != int(r.N) {
		k.fault = fmt.Sprintf("the kernel says %d, %v, and the model %d, %q", n, err, r.N, want)
	}
	return k.fault == ""
}

// do lets the kernel do op.
func (k *kernel) do(side int, mode Mode, op *trace.Op) (n int, err error) {
	c := k.conns[side]
	half := c.(interface {
		CloseWrite() error
		CloseRead() error
	})
	switch {
	case op.Kind == trace.StreamRead:
		n, err = c.Read(make([]byte, op.N))
	case op.Kind == trace.StreamWrite:
		n, err = c.Write(make([]byte, op.N))
	case op.Kind == trace.StreamSet && mode >= EndsAtClose:
		err = c.(*net.TCPConn).SetLinger(int(mode - ResetsAtClose)) // -1 or 0
	case op.Kind == trace.StreamSet:
		t := time.Time{}
		if mode >= PastRead {
			t = time.Unix(1, 0)
		}
		if mode&1 == 0 {
			err = c.SetReadDeadline(t)
		} else {
			err = c.SetWriteDeadline(t)
		}
	case mode == CloseWrite:
		err = half.CloseWrite()
	case mode == CloseRead:
		err = half.CloseRead()
	default:
		err = c.Close()
	}
	return n, err
}

// word is err in the words of errs.
func word(err error) string {
	for of, e := range map[Err]error{
		Closed: net.ErrClosed, Deadline: os.ErrDeadlineExceeded, EOF: io.EOF,
		BrokenPipe: syscall.EPIPE, ConnReset: syscall.ECONNRESET, NotConn: syscall.ENOTCONN,
	} {
		if errors.Is(err, e) {
			return errs[of]
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
