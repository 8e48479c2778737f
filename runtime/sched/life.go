package sched

import "github.com/rehearse-go/rehearse/runtime/gate"

// number is 0 for none.
func (b *Bubble) number() int32 {
	if b == nil {
		return 0
	}
	return int32(b.Number)
}

// Ended reports whether p has ended.
func (p *Proc) Ended() bool { return p.ended }

// DurablyBlocked reports whether p, which cannot move, is durably blocked.
func (p *Proc) DurablyBlocked() bool {
	d, ok := p.operation.(Durable)
	return ok && d.Durable(p)
}

// SpawnIn is Spawn into bubble b, which p itself need not be in.
func (s *course) SpawnIn(b *Bubble, p *Proc, name string, f func()) {
	if s.dying {
		return
	}
	if s.life != nil && s.life.Watches(b) && !p.daemon {
		s.life.Spawns(p)
	}
	before := s.aside()
	q := s.spawn(p, name, f)
	q.Bubble = b
	if b != nil {
		b.enter(q)
	}
	if s.life != nil && s.life.Watches(b) {
		q.body = s.watched(q, f)
	}
	gate.SetRaceContext(before)
}

// Outside is Spawn for a process that does not belong to the program, and that nobody counts.
func (s *course) Outside(p *Proc, name string, f func()) {
	if s.dying {
		return
	}
	before := s.aside()
	q := s.spawn(p, name, f)
	q.Bubble, q.service, q.ours, q.inside = nil, true, false, false
	gate.SetRaceContext(before)
}

func (b *Bubble) enter(p *Proc) {
	b.Live++
	if b.Main == nil {
		b.Main = p
	}
}

// watched returns the body of a process p whose beginning and end Life is told of. A panic that
// nobody recovers ends the execution, and not p.
func (s *course) watched(p *Proc, f func()) func() {
	return func() {
		returned := false
		defer func() {
			if (returned || p.exiting) && !s.dying {
				s.life.Ends(p)
			}
		}()
		if p.parent.daemon {
			s.life.Starts(p)
		}
		f()
		returned = true
	}
}

// Durable is an Operation that may block durably, as package testing/synctest has it: only the
// other processes of its bubble, or the bubble's clock, can unblock it.
type Durable interface{ Durable(p *Proc) bool }

// aside is Enter for any caller; it returns the context to which the caller goes back.
func (s *course) aside() (before uintptr) {
	before = gate.RaceContext()
	s.Enter()
	return before
}
