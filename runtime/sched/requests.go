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
func (q *requests) Serve(w any, method, uri string) {
	if !q.r.opts.Sites || q.r.dying {
		return
	}
	path, _, _ := strings.Cut(uri, "?")
	q.r.x.Requests = append(q.r.x.Requests, trace.Request{Event: int32(len(q.r.x.Events) - 1),
		Line: method + " " + path})
	if q.answers == nil {
		q.answers = map[any]int{}
	}
	q.answers[w] = len(q.r.x.Requests)
}

// Served notes that the handler that answers through w has returned.
func (q *requests) Served(w any) {
	if i := q.answers[w]; i > 0 && !q.r.dying {
		q.r.x.Requests[i-1].To = int32(len(q.r.x.Events))
	}
}

// Answered notes the status that w is given: the first one that announces no other. -1: the handler
// has taken the connection.
func (q *requests) Answered(w any, status int) {
	i := q.answers[w]
	if i == 0 || q.r.dying || q.r.x.Requests[i-1].Answer != "" {
		return
	}
	switch {
	case status == -1:
		q.r.x.Requests[i-1].Answer = "hijacked"
	case status >= 200 || status == 101:
		q.r.x.Requests[i-1].Answer = strconv.Itoa(status)
	}
}
