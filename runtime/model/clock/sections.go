package clock

import "github.com/rehearse-go/rehearse/runtime/trace"

// sections has what critical sections of one mutex (trace.Section) hand on: those that commute hand nothing on to each other. It is as in
// package races, whose clocks are vectors.
type sections struct {
	ended, left    int64 // from those that have written, or only read, to ordinary locks
	looks, updates [2][trace.Contended]int64
}

// These are indices of looks and updates: what has been done under a Lock, and under an RLock.
const (
	byLock = iota
	byRLock
)

// section is the effect of an event that begins or ends a section, which says n.
func (o *handed) section(ev *trace.Event, p *lead, n int32) {
	if o.sections == nil {
		o.sections = &sections{}
	}
	s := o.sections
	switch ev.Kind {
	case trace.Lock, trace.RLock:
		p.learn(o.released)
		s.learn(p, n, byLock)
	case trace.WLock:
		p.learn(max(o.released, o.readers))
		s.learn(p, n, byLock)
		s.learn(p, n, byRLock)
	case trace.Unlock, trace.WUnlock:
		s.ended = max(s.ended, p.now)
		s.teach(p, n, byLock)
	case trace.RUnlock:
		s.left = max(s.left, p.now)
		s.teach(p, n, byRLock)
	}
}

func (s *sections) learn(p *lead, n int32, who int) {
	for i := range trace.Contended {
		if n&trace.Looks(i) != 0 {
			p.learn(s.updates[who][i])
		}
		if n&trace.Updates(i) != 0 {
			p.learn(s.looks[who][i])
		}
	}
}

func (s *sections) teach(p *lead, n int32, who int) {
	for i := range trace.Contended {
		if n&trace.Looks(i) != 0 {
			s.looks[who][i] = max(s.looks[who][i], p.now)
		}
		if n&trace.Updates(i) != 0 {
			s.updates[who][i] = max(s.updates[who][i], p.now)
		}
	}
}

// afterSections makes an ordinary lock come after the sections before it.
func (o *handed) afterSections(ev *trace.Event, p *lead) {
	s := o.sections
	if s == nil {
		return
	}
	switch ev.Kind {
	case trace.Lock, trace.RLock, trace.TryLock, trace.RTryLock:
		p.learn(s.ended)
	case trace.WLock, trace.WWait, trace.WTryLock:
		p.learn(max(s.ended, s.left))
	}
}
