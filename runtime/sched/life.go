package sched

import "github.com/rehearse-go/rehearse/runtime/gate"

// Bubble is a group of processes whose rest package testing/synctest watches.
type Bubble struct {
	Number int   // from 1, in the order in which the execution makes them
	Obj    int32 // the object that stands for it
	Live   int   // processes of it that have not ended
	Main   *Proc // its first process
}

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
func (s *Sched) SpawnIn(b *Bubble, p *Proc, name string, f func()) {
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
func (s *Sched) Outside(p *Proc, name string, f func()) {
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
func (s *Sched) watched(p *Proc, f func()) func() {
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
