package sched

import (
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// SetServing notes whether p is in a handler that the library's border has called.
func (p *Proc) SetServing(is bool) { p.serving, p.idle = is, false }

// Idle notes that p waits for another request: no code of the program hears of the connection's
// end.
func (p *Proc) Idle() { p.idle = true }

// Serve notes that the event done last begins the handler of a request, which answers it through w.
func (r *record) Serve(w any, method, uri string) {
	if !r.opts.Sites || r.dying {
		return
	}
	path, _, _ := strings.Cut(uri, "?")
	r.x.Requests = append(r.x.Requests, trace.Request{Event: int32(len(r.x.Events) - 1),
		Line: method + " " + path})
	if r.answers == nil {
		r.answers = map[any]int{}
	}
	r.answers[w] = len(r.x.Requests)
}

// Served notes that the handler that answers through w has returned.
func (r *record) Served(w any) {
	if i := r.answers[w]; i > 0 && !r.dying {
		r.x.Requests[i-1].To = int32(len(r.x.Events))
	}
}

// Answered notes the status that w is given: the first one that announces no other. -1: the handler
// has taken the connection.
func (r *record) Answered(w any, status int) {
	i := r.answers[w]
	if i == 0 || r.dying || r.x.Requests[i-1].Answer != "" {
		return
	}
	switch {
	case status == -1:
		r.x.Requests[i-1].Answer = "hijacked"
	case status >= 200 || status == 101:
		r.x.Requests[i-1].Answer = strconv.Itoa(status)
	}
}
