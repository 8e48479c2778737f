package std

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A guard is the hook of a function that only the real world can do, or that starts goroutines of the library's own:
// it ends the execution of the process that comes to it. So a test is given up when it comes there and not when it
// might, and how it comes there, by a call, an interface or the library, makes no difference.

// guards lists the guarded functions of the table by their packages.
func guards() map[string][]hook {
	all := make(map[string][]hook)
	for _, e := range table {
		if e.Treatment != Guarded {
			continue
		}
		for _, name := range strings.Fields(e.names) {
			path, h := guardOf(name, e.Reason)
			all[path] = append(all[path], h)
		}
	}
	for _, g := range innerGuards {
		all[g.path] = append(all[g.path], guard(g.recv, g.name, g.when, g.what, g.reason))
	}
	all["net/http"] = append(all["net/http"], registers)
	return all
}

// registers notes what is registered with the default ServeMux, which each execution finds as the first one did.
var registers = hook{recv: "ServeMux", name: "registerErr", code: "if $r == DefaultServeMux { rehearseRegister($1, $2) }"}

// HasGuards reports whether a package of the standard library has guarded functions.
func HasGuards(path string) bool { return guarding[path] != nil }

var guarding = guards()

// guardedWhen has the conditions under which functions of the table do what they are guarded for.
var guardedWhen = map[string]string{
	"net.DialTCP": "$3 != nil", // without an address, they fail at once
	"net.DialUDP": "$3 != nil",
	"net.DialIP":  "$3 != nil",
}

// innerGuards are functions that are not exported, or matter for some arguments only.
var innerGuards = []struct {
	path, recv, name string
	when             string // condition
	what, reason     string
}{
	{"net", "Resolver", "lookupIPAddr", `func() bool { _, err := netip.ParseAddr($3); return err != nil }()`, "looking up a host", network},
	{"net/http", "Transport", "roundTrip", "", "(*net/http.Transport).RoundTrip", network},
	{"net/http", "fileTransport", "RoundTrip", "", "a transport of NewFileTransport", ownGoroutine},
	{"net/http", "timeoutHandler", "ServeHTTP", "", "a handler of net/http.TimeoutHandler", ownGoroutine},
	{"net/http", "transferWriter", "probeRequestBody", "", "writing a request of unknown length", ownGoroutine},
	{"net/http", "", "setRequestCancel", "!$3.IsZero()", "a net/http.Client with a Timeout", ownGoroutine},
}

const (
	network      = "talks to the network, outside the exploration's control"
	ownGoroutine = "starts a goroutine outside the exploration's control"
)

// guardOf returns the guard of a name of the table, and its package.
func guardOf(name, reason string) (path string, h hook) {
	if typ, ok := strings.CutPrefix(name, "("); ok {
		typ, method, _ := strings.Cut(typ, ").")
		dot := strings.LastIndexByte(typ, '.')
		return typ[:dot], guard(typ[dot+1:], method, "", "(*"+typ+")."+method, reason)
	}
	dot := strings.LastIndexByte(name, '.')
	return name[:dot], guard("", name[dot+1:], guardedWhen[name], name, reason)
}

func guard(recv, name, when, what, reason string) hook {
	if when != "" {
		when = " && " + when
	}
	return hook{recv: recv, name: name, code: fmt.Sprintf("if gate.Here()%s { gate.Guard(%s) }", when, strconv.Quote(what+" is not controlled: it "+reason))}
}

func hookGuards(goroot string, out map[string][]byte) error {
	all := guards()
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(all)) {
		errs = append(errs, hookFile(goroot, path, "func ", all[path], out))
	}
	return errors.Join(errs...)
}
