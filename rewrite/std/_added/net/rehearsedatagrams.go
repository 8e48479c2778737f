//go:build unix

package net

import (
	"rehearse/runtime/gate"
	"strconv"
	"syscall"
)

// bind makes r a socket of datagrams, which is connected if there is a remote address.
func (r *rehearseFD) bind(fd *netFD, laddr, raddr sockaddr) error {
	port, err := r.enter(fd, laddr, gate.StreamDatagrams)
	if err != nil {
		return err
	}
	r.bound = port
	if to, ok := raddr.(*UDPAddr); ok && to != nil {
		ip := rehearseLocal(to.IP, fd.family)
		fd.isConnected, fd.raddr = true, &UDPAddr{IP: ip, Port: to.Port}
		fd.laddr = &UDPAddr{IP: rehearseLocal(rehearseIP(laddr), rehearseFamily(ip)), Port: port}
		return nil
	}
	fd.laddr = &UDPAddr{IP: rehearseAny(rehearseIP(laddr), fd.family), Port: port}
	return nil
}

// send sends a datagram.
func (r *rehearseFD) send(fd *netFD, p []byte, to *UDPAddr) (int, error) {
	check := gate.StreamOp{Kind: gate.StreamSet, Mode: gate.CheckWrite, N: r.listener}
	if r.do(&check); check.Err != gate.StreamOK {
		return 0, rehearseErrors[check.Err]
	}
	switch {
	case len(p) > 65507:
		return 0, syscall.EMSGSIZE
	case !to.IP.IsLoopback() && !to.IP.IsUnspecified() && len(to.IP) > 0:
		gate.Guard("net.Dial",
			"a datagram to "+to.String()+
				" is not controlled: it leaves this host; -trust net lets it run as it is")
		return 0, syscall.ENETUNREACH
	}
	if gate.Fault(gate.FaultDrop) {
		return len(p), nil
	}
	ip := rehearseLocal(to.IP, fd.family)
	from := fd.laddr.(*UDPAddr)
	from = &UDPAddr{IP: rehearseLocal(from.IP, rehearseFamily(ip)), Port: from.Port}
	op := gate.StreamOp{
		Kind: gate.StreamWrite, Host: gate.Host(ip.String()), N: len(p),
		Value: &rehearseDatagram{append([]byte(nil), p...), from},
	}
	if gate.DoStream(gate.StreamAt(gate.StreamDatagrams, "udp port "+strconv.Itoa(to.Port)),
		&op); op.Err == gate.StreamRefused && fd.isConnected {
		r.do(&gate.StreamOp{Kind: gate.StreamSet, Mode: gate.Refuse, N: r.listener})
	}
	return len(p), nil
}

// receive takes the next datagram, and those away that others have sent to a connected socket.
func (r *rehearseFD) receive(fd *netFD, p []byte) (n, flags int, from *UDPAddr, err error) {
	for {
		op := gate.StreamOp{Kind: gate.StreamRead, N: r.listener}
		if r.do(&op); op.Err != gate.StreamOK {
			return 0, 0, nil, rehearseErrors[op.Err]
		}
		d := op.From.(*rehearseDatagram)
		if peer, ok := fd.raddr.(*UDPAddr); ok && peer != nil &&
			(peer.Port != d.from.Port || !peer.IP.Equal(d.from.IP)) {
			continue
		}
		if len(d.data) > len(p) {
			flags = syscall.MSG_TRUNC
		}
		return copy(p, d.data), flags, d.from, nil
	}
}

func (r *rehearseFD) receiveInet4(fd *netFD, p []byte, sa *syscall.SockaddrInet4) (n, flags int,
	err error) {
	n, flags, from, err := r.receive(fd, p)
	if err == nil {
		sa.Port = from.Port
		copy(sa.Addr[:], from.IP.To4())
	}
	return n, flags, err
}

func (r *rehearseFD) receiveInet6(fd *netFD, p []byte, sa *syscall.SockaddrInet6) (n, flags int,
	err error) {
	n, flags, from, err := r.receive(fd, p)
	if err == nil {
		sa.Port = from.Port
		copy(sa.Addr[:], from.IP.To16())
	}
	return n, flags, err
}

// receiveFrom is receive, or read where there is nobody to tell of.
func (r *rehearseFD) receiveFrom(fd *netFD, p []byte) (n, flags int, sa syscall.Sockaddr,
	err error) {
	if r.medium != gate.StreamDatagrams {
		n, err = r.read(fd, p)
		return n, 0, nil, err
	}
	n, flags, from, err := r.receive(fd, p)
	if err != nil {
		return n, flags, nil, err
	}
	sa, err = from.sockaddr(fd.family)
	return n, flags, sa, err
}

// sendTo is send by an address of package syscall; nil for that which the socket is connected to.
func (r *rehearseFD) sendTo(fd *netFD, p []byte, sa syscall.Sockaddr) (int, error) {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		if sa != nil {
			return r.send(fd, p, &UDPAddr{IP: append(IP(nil), sa.Addr[:]...), Port: sa.Port})
		}
	case *syscall.SockaddrInet6:
		if sa != nil {
			return r.send(fd, p, &UDPAddr{IP: append(IP(nil), sa.Addr[:]...), Port: sa.Port})
		}
	}
	return r.write(fd, p)
}
