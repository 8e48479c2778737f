// The overlay adds this to package net/http: the default ServeMux is the same at the beginning of
// each execution, and to call a handler is a step.
package http

import (
	"rehearse/runtime/gate"
	"rehearse/runtime/hook"
)

// rehearseCross is called before a handler, and rehearseCrossed after it.
func rehearseCross(srv *Server, w ResponseWriter, r *Request) {
	if hook.Hears(srv.ConnState) || srv.ConnContext != nil || srv.IdleTimeout > 0 ||
		srv.ReadTimeout > 0 || srv.HTTP2 != nil || r.TLS != nil && srv.ErrorLog != nil {
		gate.Tells()
	}
	rehearseSecure = rehearseSecure || r.TLS != nil
	hook.Cross(w, r.Method, r.RequestURI)
}

func rehearseCrossed(srv *Server, w ResponseWriter) {
	if v, ok := gate.Panic(); ok && v != ErrAbortHandler {
		hook.Recovered("net/http", v) // conn.serve does, or its like for HTTP/2
	}
	hook.Crossed(w, srv.ConnState, srv.ConnContext != nil)
}

// rehearseAnswer is called when a handler decides on a status, or, with -1, takes the connection.
func rehearseAnswer(w ResponseWriter, status int) {
	if status < 0 {
		gate.Tells() // the program may ask the connection
	}
	hook.Answer(w, status)
}

// rehearseMux has what is registered outside of executions, and whether an execution has registered
// something.
var rehearseMux struct {
	patterns []string
	handlers []Handler
	changed  bool
}

// rehearseRegister is called before a handler is registered with the default ServeMux.
func rehearseRegister(pattern string, h Handler) {
	if gate.Here() {
		rehearseMux.changed = true
		return
	}
	rehearseMux.patterns, rehearseMux.handlers = append(rehearseMux.patterns, pattern),
		append(rehearseMux.handlers, h)
}

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) { return rehearseRestore })
}

func rehearseRestore() {
	if !rehearseMux.changed {
		return
	}
	mux, patterns, handlers := DefaultServeMux, rehearseMux.patterns, rehearseMux.handlers
	rehearseMux.patterns, rehearseMux.handlers, rehearseMux.changed = nil, nil, false
	mux.tree, mux.index = routingNode{}, routingIndex{}
	for i, p := range patterns {
		mux.registerErr(p, handlers[i])
	}
}
