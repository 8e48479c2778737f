package sections

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// Conditions V6 and V7 of tickets.go: the variables that blocks access.

// access tells that p is about to access the variable at an address. Maps are one variable.
func (t *tickets) access(p *sched.Proc, at unsafe.Pointer, how How) {
	s := t.shares[at]
	w := t.of(p.ID)
	switch in := w != nil && w.open && w.silent; {
	case in:
		t.inBlock(w, s, at, how != Looks)
	case s != nil && (how != Looks || s.writer != 0):
		for _, l := range s.dispensers {
			t.beside(p, l)
		}
	}
}

// inBlock tells that the block in which w is accesses the variable at an address, which s is; nil
// if it is new.
func (t *tickets) inBlock(w *worker, s *share, at unsafe.Pointer, writes bool) {
	if s == nil {
		s = &share{}
		t.shares[at] = s
	}
	isNew := !slices.Contains(s.dispensers, w.dispenser)
	if isNew {
		s.dispensers = append(s.dispensers, w.dispenser)
	}
	if isNew || writes && s.writer == 0 {
		t.gather(w.dispenser, at, writes)
	}
	clash := s.writer != 0 && s.writer != w.at
	if writes {
		clash = clash || s.several || s.reader != 0 && s.reader != w.at
		s.writer = w.at
	} else {
		s.several = s.several || s.reader != 0 && s.reader != w.at
		s.reader = w.at
	}
	if clash || len(s.dispensers) > 1 && s.writer != 0 {
		for _, l := range s.dispensers {
			l.refuse("a block accesses what another block writes")
		}
	}
}

// plain makes the counter of l a variable that no block may access.
func (t *tickets) plain(l *dispenser) {
	if t.shares[l.At] == nil {
		t.shares[l.At] = &share{dispensers: []*dispenser{l}, writer: byTickets}
		t.gather(l, l.At, true)
	}
}

// byTickets is the writer of a counter.
const byTickets = -1

// gather notes the accesses to the variable at an address so far that are in no block of l; of
// reads only if all is set.
func (t *tickets) gather(l *dispenser, at unsafe.Pointer, all bool) {
	known := t.in.clocks.Earlier(at, func(own, time int32, wrote bool) {
		in := slices.ContainsFunc(l.workers, func(w *worker) bool {
			return w.epoch == time && w.own == own
		})
		if (wrote || all) && !in {
			note(&l.before, moment{own: own, at: time})
		}
	})
	if !known {
		l.refuse("others may access a variable of a block unseen")
	}
}

// beside tells that p accesses a variable of blocks of l, and is in none of these.
func (t *tickets) beside(p *sched.Proc, l *dispenser) {
	for _, w := range l.workers {
		if !w.left || !t.in.clocks.Knows(p, w.proc, w.epoch) {
			l.refuse("what a block accesses is accessed otherwise, too")
		}
	}
	own, now := t.in.clocks.Own(p), t.in.clocks.Now(p)
	note(&l.late, moment{own, now, len(l.workers)})
}

// note adds a moment to a list, for those before it of the same process.
func note(list *[]moment, m moment) {
	i := slices.IndexFunc(*list, func(o moment) bool {
		return o.own == m.own && o.since == m.since
	})
	if i < 0 {
		*list = append(*list, m)
		return
	}
	(*list)[i].at = max((*list)[i].at, m.at)
}
