package trace

import "strings"

// Request is a request that a process has begun to serve: the handler of a net/http server has been
// called.
type Request struct {
	Event  int32  // the step with which the handler begins
	To     int32  // the number of events when the handler had returned; 0: it has not
	Line   string // "GET /seats"
	Answer string // the status, "200", or "hijacked"; empty: none yet
}

// Serves reports whether the handler of r is at work when n events have been done.
func (r *Request) Serves(n int32) bool { return n >= r.Event && (r.To == 0 || n < r.To) }

// IsBorders reports whether p is the library's own business: code of the border has started it, and
// it waits there. A handler's process is the program's, and so is a connection that waits until a
// response's body has been read or closed.
func (p *Proc) IsBorders() bool {
	return p.Ours && p.Pending.IsInner() && !p.Serving &&
		!(p.Pending.Kind == Select && strings.HasSuffix(p.Name, ".readLoop"))
}
