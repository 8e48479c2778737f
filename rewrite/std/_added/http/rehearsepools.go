// The overlay adds this to package net/http: each process has a pool of idle connections of its
// own, unless the program may tell which connection a request gets.
package http

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http/httptrace"
	"reflect"
	"rehearse/runtime/gate"
	"rehearse/runtime/hook"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// rehearseOf has the Transports that take the place of one, by the processes that use them.
type rehearseOf struct {
	process string
	t       *Transport
	tls     *tls.Config // of the one whose place t takes
}

// rehearseAll has these of the execution under way. One that takes the place of another has none.
var rehearseAll map[*Transport][]rehearseOf

func init() {
	gate.Settings = append(gate.Settings,
		func() (restore func()) {
			return func() { rehearseAll, rehearseSecure, rehearseGivenUp = nil, false, false }
		})
}

// rehearseSecure says that a server has had a request over TLS in this execution, and
// rehearseGivenUp that a request has been cancelled.
var rehearseSecure, rehearseGivenUp bool

// rehearseOwn returns the Transport that takes the place of t for a request of the caller's, nil if
// that is t.
func rehearseOwn(t *Transport, req *Request) *Transport {
	if list, known := rehearseAll[t]; known && list == nil {
		return nil
	}
	process := gate.Pool()
	if process == "" || !rehearseAlike(t) {
		gate.InCommon()
		return nil
	}
	if httptrace.ContextClientTrace(req.Context()) != nil {
		gate.Tells()
	}
	list, i, found := rehearseFind(t, process)
	if !found || list[i].tls != t.TLSClientConfig {
		like := rehearseLike(t) // takes steps: others may come here between them
		list, i, found = rehearseFind(t, process)
		own := rehearseOf{process, like, t.TLSClientConfig}
		if found {
			list[i] = own
		} else {
			list = slices.Insert(list, i, own)
		}
		if rehearseAll == nil {
			rehearseAll = map[*Transport][]rehearseOf{}
		}
		rehearseAll[t], rehearseAll[own.t] = list, nil
	}
	if len(list) > 1 {
		gate.Several()
	}
	if len(list) > rehearseMost {
		gate.Tells()
	}
	own := list[i].t
	rehearseSettings(own, t)
	return own
}

// rehearseFind returns the Transports that take the place of t, and where that of a process is, or
// would be.
func rehearseFind(t *Transport, process string) (list []rehearseOf, i int, found bool) {
	list = rehearseAll[t]
	i, found = slices.BinarySearchFunc(list, process,
		func(o rehearseOf, path string) int { return strings.Compare(o.process, path) })
	return list, i, found
}

// rehearseLike returns a Transport with the protocols of t, which has none of its connections.
func rehearseLike(t *Transport) *Transport {
	t.nextProtoOnce.Do(t.onceSetNextProtoDefaults)
	own, protocols := hook.Born(&Transport{}), t.protocols()
	own.Protocols, own.TLSClientConfig = &protocols, t.TLSClientConfig
	if !t.tlsNextProtoWasNil {
		own.TLSNextProto = t.TLSNextProto
	}
	return own
}

// rehearseSettings gives own the settings that t has now, but for those of rehearseLike.
func rehearseSettings(own, t *Transport) {
	to, from := reflect.ValueOf(own).Elem(), reflect.ValueOf(t).Elem()
	for i := range to.NumField() {
		switch f := to.Type().Field(i); f.Name {
		case "Protocols", "TLSClientConfig", "TLSNextProto":
		default:
			if f.IsExported() {
				to.Field(i).Set(from.Field(i))
			}
		}
	}
}

// rehearseMost bounds the processes that have a pool of their own: idle connections take time.
const rehearseMost = 32

// rehearseAlike reports whether all connections of t to one address are alike to the program: it
// makes none itself, sees nothing of how they are made, and does not bound their number.
func rehearseAlike(t *Transport) bool {
	if t.DisableKeepAlives || t.MaxConnsPerHost > 0 || t.HTTP2 != nil ||
		t.Protocols != nil && t.Protocols.UnencryptedHTTP2() ||
		len(t.TLSNextProto) > 0 && !t.tlsNextProtoWasNil {
		return false
	}
	if rehearseDials(t.DialContext) || rehearseDials(t.Dial) || hook.Hears(t.DialTLS) ||
		hook.Hears(t.DialTLSContext) || t.OnProxyConnectResponse != nil ||
		t.GetProxyConnectHeader != nil {
		return false
	}
	if c := t.TLSClientConfig; c != nil && (c.Rand != nil || c.Time != nil ||
		c.GetClientCertificate != nil || c.VerifyPeerCertificate != nil ||
		c.VerifyConnection != nil || c.ClientSessionCache != nil || c.KeyLogWriter != nil ||
		c.EncryptedClientHelloRejectionVerify != nil) {
		return false
	}
	protocols, _ := t.altProto.Load().(map[string]RoundTripper)
	for _, rt := range protocols {
		typ := reflect.TypeOf(rt)
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if name := typ.PkgPath() + "." + typ.Name(); !strings.HasPrefix(name, "net/http.http2") &&
			!strings.HasPrefix(name, "net/http/internal/") {
			return false // of the program's, or of another implementation of HTTP/2
		}
	}
	return true
}

// rehearseDials reports whether a Transport dials by the program's function f.
func rehearseDials(f any) bool {
	if !hook.Hears(f) {
		return false
	}
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name != "net.(*Dialer).DialContext-fm" && name != "net.(*Dialer).Dial-fm"
}

// rehearseTrip makes a request by a Transport of the caller's own.
func rehearseTrip(t *Transport, req *Request) (*Response, error) {
	if req.URL != nil && req.URL.Scheme == "https" &&
		(req.ContentLength < 0 || req.ContentLength > rehearseUpload) {
		gate.Tells()
	}
	resp, err := t.roundTrip(req)
	rehearseGivenUp = rehearseGivenUp || err != nil && req.Context().Err() != nil
	if err != nil && (err == errTimeout || !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded)) {
		gate.Tells()
	}
	return resp, err
}

// rehearseCancel is called before the connection of a request that is cancelled ends. If that still
// waits, its answer may come, so that the connection is idle, and another process gets it, whose
// request then fails.
func rehearseCancel(pc *persistConn) {
	if _, idle := pc.t.idleLRU.m[pc]; idle || pc.numExpectedResponses > 0 {
		gate.Tells()
	}
}

// rehearseUpload is how much of a request's body a server takes by HTTP/2 that no handler reads.
const rehearseUpload = 1 << 15

// rehearseOwns lists the Transports that take the place of t, and whose idle connections its caller
// ends. If several processes have them and a server of httptest is closed, that ends them, and as
// to the others, nobody may tell.
func rehearseOwns(t *Transport) (list []*Transport) {
	pc, _, _, _ := runtime.Caller(2)
	if f := runtime.FuncForPC(pc); len(rehearseAll[t]) > 1 && f != nil &&
		f.Name() == "net/http/httptest.(*Server).Close" {
		return nil
	}
	for _, o := range rehearseAll[t] {
		list = append(list, o.t)
	}
	return list
}

// rehearseHeader is called before the header of an answer is written. If that tells the length
// of the answer before the handler has returned, the client may make another request before, which
// waits for the handler.
func rehearseHeader(cw *chunkWriter) {
	w := cw.res
	done := *(*uint32)(unsafe.Pointer(&w.handlerDone)) != 0 // to read it is no step here
	if cw.wroteHeader || done {
		return
	}
	header := cw.header
	if header == nil {
		header = w.handlerHeader
	}
	if header.has("Content-Length") || w.req.Method == "HEAD" || !bodyAllowedForStatus(w.status) {
		gate.Tells()
	}
}

// rehearseShut is called before a server waits for connections. With a common pool, a Dial, or a
// handshake, may have ended after its request got another connection: the server waits for that one
// longest. So it does if the request was cancelled.
func rehearseShut(ctx context.Context) {
	_, timed := ctx.Deadline()
	gate.Waits(ctx.Done() != nil && !timed)
	if rehearseSecure {
		gate.Tells()
	}
	if rehearseGivenUp {
		gate.Several()
	}
}

// rehearseKeeps is called when a server is about to end idle connections, or to let them be.
func rehearseKeeps() {
	if hook.Calls(2) {
		gate.Tells()
	}
}
