package depict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/diagram"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// request is one that an execution has served, with who asks. Between the two are processes of the
// library's border, connections, perhaps a cipher: none of these is shown.
type request struct {
	*trace.Request
	server  int32
	client  int32 // -1: it is not known
	asked   int32 // the client's event by which it has left
	arrived int32 // the server's first Read of it, or -1
}

// requests are those of one execution.
type requests struct {
	X       *trace.Execution
	list    []request
	begins  map[int32]int   // by event with which a handler begins: the index in list
	arrives map[int32]int   // by event by which a request arrives
	bodies  map[int32]int   // by process that reads answers: 1 + the index of the last one
	told    map[int32]int32 // see causes
}

// findRequests finds the client of each request, from cause to cause: a process has read the
// request, a second one has written it, and a third one has told the second one to write.
func findRequests(x *trace.Execution) (rs requests) {
	if len(x.Requests) == 0 {
		return rs
	}
	rs.begins, rs.arrives, rs.bodies = map[int32]int{}, map[int32]int{}, map[int32]int{}
	c := causes{X: x, of: map[int32]int32{}}
	c.find()
	rs.X, rs.told = x, c.of
	for i := range x.Requests {
		r := request{Request: &x.Requests[i], client: -1, arrived: -1}
		r.server = x.Events[r.Event].Proc
		c.follow(&r)
		rs.begins[r.Event] = i
		if r.arrived >= 0 {
			rs.arrives[r.arrived] = i
		}
		rs.list = append(rs.list, r)
	}
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == trace.StreamRead {
			if k := rs.answered(int32(i)); k >= 0 {
				rs.bodies[e.Proc] = k + 1
			}
		}
	}
	return rs
}

// redact leaves only the methods of the requests: the rest of a request's line is a value.
func (rs *requests) redact() {
	for i := range rs.list {
		r := *rs.list[i].Request
		r.Line, _, _ = strings.Cut(r.Line, " ")
		rs.list[i].Request = &r
	}
}

// causes has, for each event by which a process learns something, the event that told it.
type causes struct {
	X  *trace.Execution
	of map[int32]int32
}

// segment is one that a side of a connection has written.
type segment struct{ obj, side, seq int32 }

func (c *causes) find() {
	sent, written := map[message]int32{}, map[segment]int32{}
	for i := range c.X.Events {
		e := &c.X.Events[i]
		side := int32(0)
		if e.Kind.OfStream() {
			side = stream.Unpack(e.Op.Cap).Side
		}
		var told int32
		var known bool
		switch {
		case e.Partner >= 0:
			told, known = int32(i), true
		case e.Kind == trace.Send && !e.Closed:
			sent[messageOf(e)] = int32(i)
		case e.Kind == trace.Recv && !e.Closed:
			told, known = sent[messageOf(e)]
		case e.Kind == trace.StreamWrite && e.OK:
			written[segment{e.Obj, side, e.Seq}] = int32(i)
		case e.Kind == trace.StreamRead && e.OK:
			told, known = written[segment{e.Obj, 1 - side, e.Seq}]
		}
		if known {
			c.of[int32(i)] = told
		}
	}
}

// answered is the index of the request whose answer event i reads, or -1.
func (rs *requests) answered(i int32) int {
	w, ok := rs.told[i]
	for k := len(rs.list) - 1; k >= 0 && ok; k-- {
		if r := &rs.list[k]; r.server == rs.X.Events[w].Proc && r.Event < w && r.client >= 0 {
			return k
		}
	}
	return -1
}

// mostHops bounds the processes that pass a request on.
const mostHops = 32

// follow finds the client of r: the first process, from the server's back, that is the program's,
// or serves a request itself.
func (c *causes) follow(r *request) {
	p, i := r.server, r.Event
	for range mostHops {
		q, k := c.before(p, i)
		if q < 0 {
			return
		}
		// of who has only started p, event k is its own
		if told, ok := c.of[k]; ok && c.X.Events[told].Proc == q {
			if p == r.server && r.arrived < 0 && c.X.Events[k].Kind == trace.StreamRead {
				r.arrived = k
			}
			k = told
		}
		if !c.X.Procs[q].Ours || c.serving(q, k) {
			r.client, r.asked = q, k
			return
		}
		p, i = q, k
	}
}

// before returns the process from which p has last heard before event i, and the event by which p
// has heard. If there is none, these are the process that has started p, and the start.
func (c *causes) before(p, i int32) (q, k int32) {
	for k = i - 1; k >= c.X.Procs[p].Born; k-- {
		told, ok := c.of[k]
		if e := &c.X.Events[k]; ok && (e.Partner == p || e.Partner < 0 && e.Proc == p) {
			if q := c.X.Events[told].Proc; q != p {
				return q, k
			}
		}
	}
	return c.X.Procs[p].Parent, c.X.Procs[p].Born - 1
}

// serving reports whether process p is in a handler when it does event k.
func (c *causes) serving(p, k int32) bool {
	return slices.ContainsFunc(c.X.Requests, func(r trace.Request) bool {
		return c.X.Events[r.Event].Proc == p && r.Serves(k)
	})
}

// label is what is written on the arrow of a request.
func (r *request) label() string {
	if r.Answer == "" {
		return r.Line
	}
	return r.Line + " -> " + r.Answer
}

// nameServers names a process after the request that it serves, if it always serves the same one:
// "GET /seats (2)".
func (n *names) nameServers() {
	lines := make(map[int32]string)
	for i := range n.requests.list {
		r := &n.requests.list[i]
		if line, ok := lines[r.server]; ok && line != r.Line {
			lines[r.server] = ""
		} else {
			lines[r.server] = r.Line
		}
	}
	total, used := map[string]int{}, map[string]int{}
	for _, line := range lines {
		total[line]++
	}
	for p := range n.procs {
		line := lines[int32(p)]
		if line == "" {
			continue
		}
		n.procs[p] = words.CutMiddle(line, diagram.MaxLabel)
		if total[line] > 1 {
			used[line]++
			name := words.CutMiddle(line, diagram.MaxLabel-4)
			n.procs[p] = fmt.Sprintf("%s (%d)", name, used[line])
		}
	}
}

// delivery says what event i of the border's code delivers, and to whom: a request to its server,
// or an answer to who has asked. Empty: neither.
func (n *names) delivery(i int) string {
	e := &n.X.Events[i]
	if k, ok := n.requests.arrives[int32(i)]; ok {
		return n.whose(&n.requests.list[k]) + " arrived"
	}
	if e.Kind == trace.StreamRead && e.Op.IsInner() {
		if r := n.requests.answered(int32(i)); r >= 0 {
			return "the answer to " + n.whose(&n.requests.list[r]) + " arrived"
		}
	}
	return ""
}

// userOf is the process of event i that is not the border's own at that time, or -1.
func (rs *requests) userOf(x *trace.Execution, i int) int32 {
	e := &x.Events[i]
	for _, p := range [...]int32{e.Proc, e.Partner} {
		if p >= 0 && (!x.Procs[p].Ours || slices.ContainsFunc(rs.list,
			func(r request) bool { return r.server == p && r.Serves(int32(i)) })) {
			return p
		}
	}
	return -1
}

// foldInside leaves out the rows of the library's border. The library's work for a process of the
// program, from one step of the process to the next one, is one row. If the work is a request, it
// has no row but its arrow.
func (c *chart) foldInside() {
	out := make([]bool, len(c.rows))
	rowAt := map[int32]int{} // by process: the row of its call that is under way
	for i := range c.rows {
		r := &c.rows[i]
		switch {
		case r.request && r.From >= 0:
			k, ok := rowAt[r.From]
			if ok && c.rows[k].Site == r.Site && !c.rows[k].IsNoted() {
				out[k] = true // unless the client has given up, and calls something else by now
			}
		case !r.inside:
			for _, p := range [...]int32{r.From, r.To} {
				delete(rowAt, p)
			}
		case r.IsNoted():
			out[i] = r.user < 0 && c.passMark(i)
		case r.user < 0:
			out[i] = true
		default:
			k, ok := rowAt[r.user]
			if isOwn(r.call) || ok && c.rows[k].call == r.call && c.rows[k].Site == r.Site {
				out[i] = true
				continue
			}
			rowAt[r.user] = i
			*r = row{Row: textAt(r.user, nameOf(r.call), r.Site), call: r.call, quiet: r.quiet,
				event: r.event}
		}
	}
	kept := c.rows[:0:0]
	for i, r := range c.rows {
		if !out[i] {
			kept = append(kept, r)
		}
	}
	c.rows = kept
}

// hides reports whether people need not hear that process p is blocked: it is the border's, and
// some blocked process is the program's.
func (n *names) hides(p int32) bool {
	return !n.At.Inside && n.X.Procs[p].IsBorders() &&
		slices.ContainsFunc(n.X.Blocked, func(q int32) bool { return !n.X.Procs[q].IsBorders() })
}

// waitsInside says what process p, which waits in code of the border, waits for; empty: it does not
// wait there.
func (n *names) waitsInside(p int32) string {
	q := &n.X.Procs[p]
	if n.At.Inside || !q.Pending.IsInner() {
		return ""
	}
	for i := len(n.requests.list) - 1; i >= 0; i-- {
		r := &n.requests.list[i]
		if r.client == p && r.To == 0 && n.isIn(p, r) {
			return "waits for the answer to " + r.Line
		}
	}
	if r := n.unclosed(p); r != nil {
		return "waits until the body of the answer to " + n.whose(r) + " is closed"
	}
	if isOwn(q.Call) {
		return ""
	}
	i := slices.Index(n.X.Blocked, p)
	return "waits in " + n.At.calledAt(q.Call, Site(n.X.BlockedSites, i))
}

// isIn reports whether the blocked process p is still in the call by which it has asked for r. It
// may have given up, and wait for something else, such as Shutdown.
func (n *names) isIn(p int32, r *request) bool {
	call := Site(n.X.Calls, int(r.asked))
	if call != n.X.Procs[p].Call {
		return false
	}
	i := slices.Index(n.X.Blocked, p)
	return isOwn(call) || i >= 0 && Site(n.X.BlockedSites, i) == n.requests.askedAt(r)
}

// unclosed is the request whose answer process p holds until its body is closed; nil: there is
// none.
func (n *names) unclosed(p int32) *request {
	q := &n.X.Procs[p]
	if i := n.requests.bodies[p]; i > 0 && q.Ours && !q.Serving && !q.IsBorders() && !n.At.Inside {
		return &n.requests.list[i-1]
	}
	return nil
}

// askedAt is where the client of r asks.
func (rs *requests) askedAt(r *request) string {
	if rs.X.Events[r.asked].Proc == r.client {
		return Site(rs.X.Sites, int(r.asked))
	}
	return Site(rs.X.PartnerSites, int(r.asked))
}

// whose is the line of r with the name of the client.
func (n *names) whose(r *request) string {
	if r.client < 0 {
		return r.Line
	}
	return n.proc(r.client) + "'s " + r.Line
}

// passMark gives the mark of row i, by which a request arrives, to the arrow of the request.
func (c *chart) passMark(i int) bool {
	r := &c.rows[i]
	for k := i + 1; k < len(c.rows) && r.arrives; k++ {
		if to := &c.rows[k]; to.request && to.To == r.From && !to.IsNoted() {
			to.Mark, to.Note = r.Mark, cmp.Or(to.Note, r.Note)
			return true
		}
	}
	return false
}
