//go:build unix

package net

import (
	"internal/bytealg"
	"os"
	"rehearse/runtime/gate"
	"strconv"
	"syscall"
)

// rehearseKnows reports whether a network and addresses are those of the model.
func rehearseKnows(network string, addrs ...sockaddr) bool {
	switch network {
	case "tcp", "tcp4", "tcp6", "udp", "udp4", "udp6":
		for _, a := range addrs {
			if ip := rehearseIP(a); len(ip) > 0 && !ip.IsLoopback() && !ip.IsUnspecified() {
				return false
			}
		}
		return true
	}
	return network == "unix"
}

func rehearseIP(a sockaddr) IP {
	switch a := a.(type) {
	case *TCPAddr:
		if a != nil {
			return a.IP
		}
	case *UDPAddr:
		if a != nil {
			return a.IP
		}
	}
	return nil
}

func rehearsePort(a sockaddr) int {
	switch a := a.(type) {
	case *TCPAddr:
		if a != nil {
			return a.Port
		}
	case *UDPAddr:
		if a != nil {
			return a.Port
		}
	}
	return 0
}

// rehearseHost numbers the host of an address that fd listens at.
func rehearseHost(fd *netFD, ip IP) int {
	switch {
	case len(ip) > 0 && !ip.IsUnspecified():
		return gate.Host(ip.String())
	case fd.family == syscall.AF_INET:
		return gate.Hosts4
	case fd.net[len(fd.net)-1] == '6':
		return gate.Hosts6
	}
	return gate.HostsAll
}

// rehearseLocal is ip, or for none, the loopback address of a family.
func rehearseLocal(ip IP, family int) IP {
	switch {
	case len(ip) > 0 && !ip.IsUnspecified():
		return ip
	case family == syscall.AF_INET || ip.To4() != nil:
		return IP{127, 0, 0, 1}
	}
	return IPv6loopback
}

// rehearseAny is ip, or the address of a family that stands for all.
func rehearseAny(ip IP, family int) IP {
	switch {
	case len(ip) > 0 && family == syscall.AF_INET:
		return ip.To4()
	case len(ip) > 0 && !ip.Equal(IPv4zero):
		return ip
	case family == syscall.AF_INET:
		return IPv4zero.To4()
	}
	return IPv6unspecified
}

// rehearseInet is an address of a network, by its IP and its port.
func rehearseInet(network string, ip IP, port int) Addr {
	if network[0] == 'u' {
		return &UDPAddr{IP: ip, Port: port}
	}
	return &TCPAddr{IP: ip, Port: port}
}

func rehearseFamily(ip IP) int {
	if ip.To4() != nil {
		return syscall.AF_INET
	}
	return syscall.AF_INET6
}

// rehearseOutside is accept at a listener that was made before the tests, as in TestMain. It waits
// to the end of the execution: to dial that listener, or to close it, is guarded.
func rehearseOutside(fd *netFD) (*netFD, error) {
	r := &rehearseFD{medium: gate.StreamAddress, side: 1}
	r.object = gate.StreamAt(r.medium, "before the tests, port "+strconv.Itoa(gate.Port()))
	op := gate.StreamOp{Kind: gate.StreamListen}
	r.do(&op)
	r.listener = op.Got
	return r.accept(fd)
}

// rehearseListens reports whether fd is a listener from outside of the execution.
func rehearseListens(fd *netFD) bool {
	return !fd.isConnected && fd.sotype == syscall.SOCK_STREAM
}

// rehearseElsewhere is why a server outside of the execution is not dialled.
const rehearseElsewhere = " is not controlled: somebody listens there who is no part of this test's execution, " +
	"such as TestMain or another program; start the server in the test, or -trust net lets it run as it is"

// rehearseServes reports whether the operating system knows of somebody who listens at a port.
func rehearseServes(network string, port int) bool {
	owner := gate.Aside()
	defer gate.Back(owner)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for len(text) > 0 {
			line := text
			if i := rehearseIndex(text, '\n'); i >= 0 {
				line, text = text[:i], text[i+1:]
			} else {
				text = nil
			}
			// "  0: 0100007F:1F90 00000000:0000 0A ..."
			fields := getFields(string(line))
			if len(fields) < 4 || fields[3] != "0A" {
				continue
			}
			if i := bytealg.LastIndexByteString(fields[1], ':'); i >= 0 {
				if n, _, ok := xtoi(fields[1][i+1:]); ok && n == port {
					return true
				}
			}
		}
	}
	return false
}

func rehearseIndex(text []byte, b byte) int {
	for i := range text {
		if text[i] == b {
			return i
		}
	}
	return -1
}

// rehearseLookup has the addresses of names that mean this host.
func rehearseLookup(network, host string) []IPAddr {
	switch host {
	case "localhost", "localhost.", "localhost.localdomain", "ip6-localhost":
	default:
		return nil
	}
	if network != "" && network[len(network)-1] == '6' || host == "ip6-localhost" {
		return []IPAddr{{IP: IPv6loopback}}
	}
	return []IPAddr{{IP: IPv4(127, 0, 0, 1)}}
}
