package std

import (
	"errors"
	"go/ast"
	"strings"
)

// talks hooks a method whose work a rehearseFD does, if the netFD has one. A netFD without one that
// a controlled process uses is from outside of the execution.
func talks(name, code string) hook {
	return hook{recv: "netFD", name: name,
		code: "if $r.rehearse != nil { " + code + " }; " + isHere + "{ rehearseReal($r) }"}
}

// option is a hook for a function that sets an option of the netFD that is its first parameter.
func option(name string) hook {
	return hook{name: name, code: "if $1.rehearse != nil { return $1.rehearse.option() }"}
}

// netHooks let the network of an execution be in memory, as far as it is this host's own. They are
// grouped by the file that has them.
var netHooks = []struct {
	file  string
	hooks []hook
}{
	{"sock_posix.go", []hook{{name: "socket",
		code: isHere + "{ if fd, err, done := rehearseSocket($1, $2, $3, $4, $7, $8, $9, " +
			literal(Refusal("", "net", beyond)) + "); done { return fd, err } }"}}},
	{"fd_posix.go", []hook{
		{recv: "netFD", name: "Close",
			code: "if $r.rehearse != nil { return $r.rehearse.close() }; " + isHere +
				"&& !gate.Dying() && rehearseListens($r) { rehearseReal($r) }"},
		talks("shutdown", "return $r.rehearse.shutdown($1)"),
		talks("Read",
			"n, err := $r.rehearse.read($r, $1); return n, wrapSyscallError(readSyscallName, err)"),
		talks("readFrom",
			"n, _, sa, err := $r.rehearse.receiveFrom($r, $1); return n, sa, wrapSyscallError(readFromSyscallName, err)"),
		talks("readFromInet4",
			"n, _, err := $r.rehearse.receiveInet4($r, $1, $2); return n, wrapSyscallError(readFromSyscallName, err)"),
		talks("readFromInet6",
			"n, _, err := $r.rehearse.receiveInet6($r, $1, $2); return n, wrapSyscallError(readFromSyscallName, err)"),
		talks("readMsg",
			"n, flags, sa, err := $r.rehearse.receiveFrom($r, $1); return n, 0, flags, sa, wrapSyscallError(readMsgSyscallName, err)"),
		talks("readMsgInet4",
			"n, flags, err := $r.rehearse.receiveInet4($r, $1, $4); return n, 0, flags, wrapSyscallError(readMsgSyscallName, err)"),
		talks("readMsgInet6",
			"n, flags, err := $r.rehearse.receiveInet6($r, $1, $4); return n, 0, flags, wrapSyscallError(readMsgSyscallName, err)"),
		talks("Write",
			"n, err := $r.rehearse.write($r, $1); return n, wrapSyscallError(writeSyscallName, err)"),
		talks("writeTo",
			"n, err := $r.rehearse.sendTo($r, $1, $2); return n, wrapSyscallError(writeToSyscallName, err)"),
		talks("writeToInet4",
			"n, err := $r.rehearse.sendTo($r, $1, $2); return n, wrapSyscallError(writeToSyscallName, err)"),
		talks("writeToInet6",
			"n, err := $r.rehearse.sendTo($r, $1, $2); return n, wrapSyscallError(writeToSyscallName, err)"),
		talks("writeMsg", message), talks("writeMsgInet4", message),
		talks("writeMsgInet6", message),
		deadlines("SetDeadline", "true, true"),
		deadlines("SetReadDeadline", "true, false"),
		deadlines("SetWriteDeadline", "false, true"),
	}},
	// in an execution, to dial takes no time, so that several addresses are dialled one after the
	// other
	{"dial.go", []hook{
		{recv: "Dialer", name: "DialContext",
			code: isHere + `&& $r.Timeout > 0 && !gate.Trusted("net.Dial") ` +
				"{ c := *$r; c.Timeout = 0; return c.DialContext($1, $2, $3) }"},
		{recv: "sysDialer", name: "dialParallel", code: isHere + `&& !gate.Trusted("net.Dial") ` +
			"{ return $r.dialSerial($1, append($2[:len($2):len($2)], $3...)) }"},
	}},
	{"fd_unix.go", []hook{
		{recv: "netFD", name: "accept", code: "if $r.rehearse != nil { return " +
			"$r.rehearse.accept($r) }; " + isHere + "{ return rehearseOutside($r) }"},
		{recv: "netFD", name: "dup",
			code: "if $r.rehearse != nil { return nil, $r.rehearseDup() }"},
	}},
	{"sockopt_posix.go", []hook{
		option("setReadBuffer"), option("setWriteBuffer"), option("setKeepAlive"),
		{name: "setLinger",
			code: "if $1.rehearse != nil { return $1.rehearse.setLinger($2) }"},
	}},
	{"tcpsockopt_posix.go", []hook{option("setNoDelay")}},
	{"tcpsockopt_unix.go", []hook{option("setKeepAliveIdle"), option("setKeepAliveInterval"),
		option("setKeepAliveCount")}},
	{"splice_linux.go", []hook{
		{name: "spliceFrom", code: "if $1.rehearse != nil { return 0, nil, false }"},
		{name: "spliceTo", code: "if $2.rehearse != nil { return 0, nil, false }"},
	}},
	{"sendfile.go", []hook{{name: "sendFile",
		code: "if $1.rehearse != nil { return 0, nil, false }"}}},
	{"writev_unix.go", []hook{talks("writeBuffers",
		`n, err := $r.rehearse.writeBuffers($r, $1); return n, wrapSyscallError("writev", err)`)}},
	{"unixsock_posix.go",
		[]hook{{recv: "UnixListener", name: "close",
			code: "if $r.fd.rehearse != nil { return $r.fd.rehearse.closeUnix($r) }"}}},
	{"rawconn.go", []hook{
		// what is set there has no meaning for a connection that has no descriptor
		{recv: "rawConn", name: "Control",
			code: "if $r.ok() && $r.fd.rehearse != nil { return nil }"},
		{recv: "rawConn", name: "Read",
			code: "if $r.ok() && $r.fd.rehearse != nil { return $r.fd.rehearse.rawRead($r.fd, $1) }"},
		{recv: "rawConn", name: "Write", code: raw},
	}},
}

// lookups answer for names that mean this host.
var lookups = []hook{
	{recv: "Resolver", name: "lookupIPAddr",
		code: isHere + "{ if list := rehearseLookup($2, $3); list != nil { return list, nil } }"},
	{recv: "Resolver", name: "LookupHost",
		code: isHere +
			`{ if list := rehearseLookup("", $2); list != nil { return []string{list[0].String()}, nil } }`},
}

const (
	message = "$r.rehearse.rights($2); n, err := $r.rehearse.sendTo($r, $1, $3); return n, 0, wrapSyscallError(writeMsgSyscallName, err)"
	raw     = "if $r.ok() && $r.fd.rehearse != nil { return $r.fd.rehearseDup() }"
)

func deadlines(name, which string) hook {
	return talks(name, "return $r.rehearse.setDeadline($1, "+which+")")
}

func literal(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }

func hookNet(goroot string, out map[string][]byte) error {
	var errs []error
	for _, group := range netHooks {
		p, err := load(goroot, "net", "")
		if err != nil {
			return err
		}
		p.keep(group.file)
		err = p.apply(group.hooks)
		switch group.file {
		case "fd_posix.go":
			err = errors.Join(err, p.addField("netFD", "rehearse *rehearseFD"))
		case "dial.go":
			err = errors.Join(err, p.dialsAtOnce())
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.write(out)
	}
	return errors.Join(errs...)
}

// dialsAtOnce keeps Dial from reading the clock if that is of no use.
func (p *pkg) dialsAtOnce() error {
	found := 0
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && f.text(call) == "d.deadline(ctx, time.Now())" {
				f.replace(call.Args[1].Pos(), call.Args[1].End(), "rehearseNow(d)")
				found++
			}
			return true
		})
	}
	if found != 1 {
		return errors.New("net.Dialer does not look for a deadline as expected")
	}
	return nil
}
