package stream

import "github.com/rehearse-go/rehearse/runtime/gate"

// listener is the index of a listener that still listens; negative: there is none.
func (s *State) listener(number int32) int {
	for i, l := range s.listeners {
		if l.number == number {
			return i
		}
	}
	return -1
}

// bound is the number of the listener that a host's packets go to; negative: there is none.
func (s *State) bound(host int32) int32 {
	all := int32(-1)
	for _, l := range s.listeners {
		switch {
		case l.host == host:
			return l.number
		case hosts(l.host, host):
			all = l.number
		}
	}
	return all
}

// hosts reports whether a host is one of those that all stands for.
func hosts(all, host int32) bool {
	return all == gate.HostsAll || (all == gate.Hosts4 || all == gate.Hosts6) && all&1 == host&1
}

func (s *State) listen(o Op, r *Result) {
	for _, l := range s.listeners {
		if l.host == o.Host || hosts(l.host, o.Host) || hosts(o.Host, l.host) {
			r.Err = InUse
			return
		}
	}
	s.listened++
	r.N = s.listened
	s.listeners = append(s.listeners, listener{number: s.listened, host: o.Host})
}

func (s *State) dial(o Op, r *Result) {
	to := s.bound(o.Host)
	if to < 0 {
		r.Err = Refused
		return
	}
	s.queues[0].put(Address, 1, to, r)
	r.Needs = -1
}

func (s *State) accept(number int32, r *Result) {
	o := Op{Side: 1, Medium: Address}
	if r.Err = s.stop(o, 0, number); r.Err != OK {
		return
	}
	i := s.incoming(o, number)
	r.Seq, r.Emptied = s.queues[0].segments[i].seq, true
	s.queues[0].leave(i)
}

// unlisten ends a listener. Connections that it has not accepted are gone.
func (s *State) unlisten(number int32, r *Result) {
	i := s.listener(number)
	if i < 0 {
		r.Err = Closed
		return
	}
	s.listeners = append(s.listeners[:i], s.listeners[i+1:]...)
	q := &s.queues[0]
	for j := 0; j < len(q.segments); {
		if q.segments[j].to == number {
			q.leave(j)
		} else {
			j++
		}
	}
}
