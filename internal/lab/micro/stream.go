package micro

import (
	"fmt"
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// media are the words that declare a connection, or an address.
var media = map[string]stream.Medium{
	"tcp": stream.TCP, "unix": stream.Unix, "pipe": stream.Pipe, "address": stream.Address,
	"datagrams": stream.Datagrams,
}

// streamWords are the statements on them. Each has the object, the side, and a number: how many
// bytes, which listener, which deadline; "write c 0 5".
var streamWords = map[string]struct {
	kind trace.Kind
	mode stream.Mode
}{
	"read": {trace.StreamRead, 0}, "now": {trace.StreamRead, stream.Now},
	"ready": {trace.StreamRead, stream.Ready}, "write": {trace.StreamWrite, stream.Whole},
	"begin":  {trace.StreamWrite, stream.First},
	"finish": {trace.StreamWrite, stream.Last}, "shut": {trace.StreamShut, stream.Close},
	"reset": {trace.StreamShut, stream.CloseReset},
	"half":  {trace.StreamShut, stream.CloseWrite}, "deaf": {trace.StreamShut, stream.CloseRead},
	"past":   {trace.StreamSet, stream.PastRead},
	"future": {trace.StreamSet, stream.SetRead}, "wpast": {trace.StreamSet, stream.PastWrite},
	"due":    {trace.StreamSet, stream.DueRead},
	"abrupt": {trace.StreamSet, stream.ResetsAtClose},
	"gentle": {trace.StreamSet, stream.EndsAtClose},
	"listen": {trace.StreamListen, 0}, "dial": {trace.StreamDial, 0},
	"accept": {trace.StreamAccept, 0}, "netreset": {trace.StreamShut, stream.NetReset},
	"netcut": {trace.StreamShut, stream.NetCut}, "netgone": {trace.StreamShut, stream.NetGone},
}

// streamStmt parses a statement on a stream.
func (p *Program) streamStmt(f []string) Stmt {
	w := streamWords[f[0]]
	st := Stmt{Kind: w.kind, Word: f[0], Obj: p.object(f[1]), N: integer(f[3])}
	op := stream.Op{Side: int32(integer(f[2])), Medium: media[p.Objects[st.Obj].Type], Mode: w.mode}
	if w.kind == trace.StreamListen || w.kind == trace.StreamDial ||
		w.kind == trace.StreamWrite && op.Medium == stream.Datagrams {
		op.Host, st.N = int32(st.N&1), st.N>>1
	}
	st.Cap = op.Cap()
	return st
}

// flow does an operation of a stream. The process observes how the operation ends, and for how many
// bytes.
func (m *Machine) flow(o *object, q *process, ev *trace.Event) {
	r, ok := o.stream.Do(&ev.Op)
	if !ok {
		panic("micro: a stream's operation is not possible")
	}
	r.Fill(ev)
	q.seen = append(q.seen, int(r.Err)*1000+int(r.N))
	if ev.OK && ev.Kind != trace.StreamShut && ev.Kind != trace.StreamSet {
		q.seen = append(q.seen, int(r.Seq))
	}
}

// RandomStreams returns the text of a small random program of one connection, or one address,
// beside a channel. Large writes do not all find room.
func RandomStreams(r *rand.Rand) string {
	g := &generator{r: r, quiet: true, chans: []string{"a"}}
	medium := g.pick("tcp", "tcp", "unix", "pipe", "address", "datagrams")
	fmt.Fprintf(&g.b, "chan a 2\n%s c\n", medium)
	side := func() int { return r.IntN(2) }
	one := func(word string, n ...int) func() string {
		return func() string { return fmt.Sprintf("%s c %d %d", word, side(), n[r.IntN(len(n))]) }
	}
	at := func(word string, side int, n ...int) func() string {
		return func() string { return fmt.Sprintf("%s c %d %d", word, side, n[r.IntN(len(n))]) }
	}
	large := int(stream.Bound[media[medium]])/5*3 + 1
	var more []func() string
	switch medium {
	case "address", "datagrams":
		accept, dial := at("accept", 1, 1), at("dial", 0, 0, 1)
		if medium == "datagrams" {
			accept, dial = at("read", 1, 1), at("write", 0, 2, 4, 2*large)
		}
		g.stmts = []func() string{accept, dial, dial, at("listen", 1, 0, 1)}
		more = []func() string{accept, at("shut", 1, 1), at("past", 1, 1), at("due", 1, 1<<16+1),
			at("accept", 1, 2), at("shut", 1, 2), g.send, g.receive}
	default:
		write, read := one("write", 1, 2, large), one("read", 1, 4, large)
		if medium == "pipe" {
			write, read = at("write", 0, 1, 2, large), at("read", 1, 1, 4, large)
		}
		now, ready := one("now", 1, 4), one("ready", 0)
		if medium == "pipe" {
			now, ready = at("now", 1, 1, 4), at("ready", 1, 0)
		}
		g.stmts = []func() string{write, read, write, read}
		network := func() string {
			return g.pick("netreset c 0 0", "netcut c 0 0", "netcut c 0 0; netgone c 0 0")
		}
		more = []func() string{
			one("shut", 0), one("shut", 0), one("reset", 0), one("half", 0), one("half", 0),
			one("deaf", 0),
			one("past", 0), one("future", 0), one("abrupt", 0), one("gentle", 0),
			one("wpast", 0), one("due", 1), g.send, g.receive, now, ready,
			network,
			func() string {
				n := side()
				return fmt.Sprintf("begin c %d %d; finish c %d 1", n, large, n)
			},
		}
	}
	for _, f := range more {
		if r.IntN(3) == 0 {
			g.stmts = append(g.stmts, f)
		}
	}
	budget := 5 + r.IntN(4)
	for i := 0; budget > 0; i++ {
		n := min(budget, 1+r.IntN(3))
		if i == 0 && (medium == "address" || medium == "datagrams") {
			g.b.WriteString("0: listen c 1 0; " + g.stmts[r.IntN(len(g.stmts))]() + "\n")
			budget -= 2
			continue
		}
		g.proc(i, n)
		budget -= n
	}
	return g.b.String()
}
