package std

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A guard is the hook of a function that needs the real world, or that starts goroutines of the
// library's own: it ends the execution of the process that comes to it. So a test is given up when
// it comes there, and not when it might come there. It makes no difference how it comes there: by a
// call, an interface or the library.

// guards lists the guarded functions of the table by their packages, and the hooks that stand in
// the same files.
func guards() map[string][]hook {
	all := make(map[string][]hook)
	for _, e := range table {
		if e.Treatment != Guarded || e.ByCall {
			continue
		}
		for _, name := range strings.Fields(e.names) {
			path, h := guardOf(name, e.Kind, e.Reason)
			all[path] = append(all[path], h)
		}
	}
	for _, g := range innerGuards {
		all[g.path] = append(all[g.path],
			guard(g.recv, g.name, g.when, Background, g.what, trustFor(g.path, g.path), g.reason))
	}
	all["net"] = append(slices.Clone(lookups), all["net"]...)
	all["net/http"] = slices.Concat(all["net/http"], []hook{registers}, enters, pools)
	all["net/http/httptest"] = append(all["net/http/httptest"], watches, cuts)
	all["crypto/tls"] = append(all["crypto/tls"], hellos)
	all["runtime/pprof"] = append(all["runtime/pprof"], counted)
	return all
}

// counted returns a fixed number for a profile that observes the explorer, too: not for the
// program's own.
var counted = hook{recv: "Profile", name: "Count",
	code: isHere +
		`&& $r.count != nil && gate.Statistic("(*runtime/pprof.Profile).Count") { return 1 }`}

// enters makes a step of the call of a server's handler, and learns what is asked and answered.
var enters = []hook{
	{recv: "serverHandler", name: "ServeHTTP",
		code: isHere + "{ rehearseCross($r.srv, $1, $2); defer rehearseCrossed($r.srv, $1) }"},
	{recv: "response", name: "WriteHeader", code: isHere + "{ rehearseAnswer($r, $1) }"},
	{recv: "response", name: "Hijack", code: isHere + "{ rehearseAnswer($r, -1) }"},
	{recv: "http2responseWriter", name: "WriteHeader", optional: true,
		code: isHere + "{ rehearseAnswer($r, $1) }"},
}

// pools give each process idle connections of its own, and notice who may tell them apart.
var pools = []hook{
	{recv: "Transport", name: "roundTrip",
		code: isHere + "{ if t := rehearseOwn($r, $1); t != nil { " +
			"return rehearseTrip(t, $1) } }"},
	{recv: "Transport", name: "CloseIdleConnections",
		code: isHere + "{ for _, t := range rehearseOwns($r) { t.CloseIdleConnections() } }"},
	{recv: "Transport", name: "CancelRequest",
		code: isHere + "{ for _, t := range rehearseOwns($r) { t.CancelRequest($1) } }"},
	{recv: "chunkWriter", name: "writeHeader", code: isHere + "{ rehearseHeader($r) }"},
	{recv: "Server", name: "Shutdown", code: isHere + "{ rehearseShut($1) }"},
	{recv: "Server", name: "SetKeepAlivesEnabled", code: isHere + "{ rehearseKeeps() }"},
	{recv: "persistConn", name: "cancelRequest", code: isHere + "{ rehearseCancel($r) }"},
	{recv: "response", name: "EnableFullDuplex", code: isHere + "{ gate.Tells() }"},
	{recv: "response", name: "SetReadDeadline", code: isHere + "{ gate.Tells() }"},
	{recv: "response", name: "SetWriteDeadline", code: isHere + "{ gate.Tells() }"},
}

// hellos notes that the program hears of the beginning of each connection over TLS.
var hellos = hook{recv: "Conn", name: "serverHandshake",
	code: isHere + "&& ($r.config.GetCertificate != nil || $r.config.GetConfigForClient != nil || " +
		"$r.config.VerifyPeerCertificate != nil || $r.config.VerifyConnection != nil || " +
		"$r.config.GetEncryptedClientHelloKeys != nil || $r.config.Rand != nil || " +
		"$r.config.Time != nil || $r.config.WrapSession != nil || " +
		"$r.config.UnwrapSession != nil || $r.config.KeyLogWriter != nil) { gate.Tells() }"}

// cuts notes that a server closes connections of clients who may not be waiting for an answer.
var cuts = hook{recv: "Server", name: "CloseClientConnections", code: isHere + "{ gate.Tells() }"}

// watches notes that the program hears of the connections of a server that hears of them itself.
var watches = hook{recv: "Server", name: "wrap",
	code: isHere + "&& $r.Config.ConnState != nil { gate.Watched = true; gate.Tells() }"}

// registers notes what is registered with the default ServeMux, which each execution finds as the
// first one did.
var registers = hook{recv: "ServeMux", name: "registerErr",
	code: "if $r == DefaultServeMux { rehearseRegister($1, $2) }"}

// HasGuards reports whether a package of the standard library has guarded functions, or would have
// if it were not rewritten. Those of package syscall are guarded where they are called.
func HasGuards(path string) bool {
	return guarding[path] != nil || path == "syscall" || slices.Contains(border, path)
}

var guarding = guards()

// guardedWhen has the conditions under which the guards of functions apply.
var guardedWhen = map[string]string{
	"net.DialIP": "$3 != nil", // without an address, it fails at once
}

// unguarded has code that runs before the guards of functions.
var unguarded = map[string]string{
	// A signal to the program itself is sent under control. Signal 0 asks whether a process is
	// there.
	"(os.Process).Signal": "if (gate.Here() || gate.Awaits != nil) && $r != nil && $r.Pid == Getpid() && ($1 == syscall.Signal(0) || gate.Raise($1)) { return nil }; ",
}

// innerGuards are functions that are not exported, or matter for some arguments only.
var innerGuards = []struct {
	path, recv, name string
	when             string // condition
	what, reason     string
}{
	{"net", "Resolver", "lookupIPAddr", isName("$3"), "looking up a host", network},
	{"net", "Resolver", "LookupHost", isName("$2"), "looking up a host", network},
}

// isName is the condition that a host is given by its name, which has to be looked up.
func isName(host string) string {
	return "func() bool { _, err := netip.ParseAddr(" + host + "); return err != nil }()"
}

const (
	network      = "talks to the network, outside the exploration's control"
	beyond       = "leaves this host, or is of another network than TCP, UDP and Unix streams"
	ownGoroutine = "starts a goroutine outside the exploration's control"
)

// guardOf returns the guard of a name of the table, and its package.
func guardOf(name string, kind Kind, reason string) (path string, h hook) {
	if typ, ok := strings.CutPrefix(name, "("); ok {
		typ, method, _ := strings.Cut(typ, ").")
		dot := strings.LastIndexByte(typ, '.')
		full := "(*" + typ + ")." + method
		h = guard(typ[dot+1:], method, guardedWhen[name], kind, full, trustFor(typ[:dot], full),
			reason)
		h.code = unguarded[name] + h.code
		return typ[:dot], h
	}
	dot := strings.LastIndexByte(name, '.')
	return name[:dot], guard("", name[dot+1:], guardedWhen[name], kind, name,
		trustFor(name[:dot], name), reason)
}

// trustFor returns the name to trust for a guarded function to be of use: that of its package if
// the function leads to others.
func trustFor(path, function string) string {
	switch {
	case path == "net", path == "os/exec", path == "database/sql", path == "crypto/tls",
		path == "net/rpc":
		return path
	case path == "net/http/pprof": // nothing of the network is in it
		return function
	case strings.HasPrefix(path, "net/http"):
		return "net/http/..."
	}
	return function
}

// guard returns the hook of a guarded function, which people call what, and -trust trust. A
// function of kind Background is guarded before the first execution, too: its work outlives the
// call.
func guard(recv, name, when string, kind Kind, what, trust, reason string) hook {
	if when != "" {
		when = " && " + when
	}
	here := "gate.Here()"
	if kind == Background {
		here = "gate.Met()"
	}
	return hook{recv: recv, name: name, code: fmt.Sprintf("if %s%s { gate.Guard(%q, %q) }", here,
		when,
		what, Refusal(what, trust, reason))}
}

// Refusal says that something is not controlled, and ends with what there is to do about that.
func Refusal(what, trust, reason string) string {
	return what + " is not controlled: it " + reason + "; " + Remedy(trust, reason)
}

// Remedy says what to do about a function that is not controlled: how to write the test, and the
// flag -trust, with the name trust, that lets the function run.
func Remedy(trust, reason string) string {
	flag := "-trust " + shellWord(trust) + " lets it run as it is"
	if reason == beyond {
		return "use 127.0.0.1 or localhost, or " + flag
	}
	if reason == network {
		return "use net.Pipe, a RoundTripper of the test's own or httptest.NewRecorder, or " + flag
	}
	return flag
}

// shellWord quotes what a shell would not take as it is.
func shellWord(s string) string {
	if strings.ContainsAny(s, "()*") {
		return "'" + s + "'"
	}
	return s
}

func hookGuards(goroot string, out map[string][]byte) error {
	all := guards()
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(all)) {
		errs = append(errs, hookFile(goroot, path, "func ", all[path], out))
	}
	return errors.Join(errs...)
}
