package whole

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Lemma W3. Let a step j end a Read of process r. If data or an end had arrived for r, then r might
// have gone on before step j. So a race of j with an earlier step i may be one of i with what r
// does, and r may have to come before i. That is so only if i conflicts with an event of j that
// follows the Read within j: an event of r, an event on an object that such an event has used, or
// an event of a process that did such an event. All other events of j are the same without r, and
// their conflicts with i are none of r. An example is the end of a test, which closes the idle
// connections of two clients. The first client's last step is in a race with what the first
// connection's Read does, and not with the second one's.
//
// If r does something else with what has arrived, the search sees that in the execution in which r
// comes directly before j: see overtaken.
//
// TestReaders attacks the lemma.

// reader is a process whose Read a step has ended. It might have read something before.
type reader struct {
	proc int32
	prev int32 // its last step before, -1 if there is none
	with bits  // steps in conflict with an event that follows the Read
	// what the Read and the events that follow it involve
	born  int32 // processes that are born after so many events
	procs map[int32]bool
	objs  map[int32]bool
}

// followed finds the readers that e, which is event k of s, follows. If e is a Read, and not the
// choice, its process is another reader.
func (s *step) followed(w *walk, e *trace.Event, k int) {
	s.by = s.by[:0]
	for _, r := range s.readers {
		if r.leadsTo(w, e) {
			r.follow(e)
			s.by = append(s.by, r)
		}
	}
	if k > 0 && e.Kind == trace.StreamRead {
		r := &reader{proc: e.Proc, prev: w.last[e.Proc], with: make(bits, len(s.past)),
			born: s.from + int32(k), procs: map[int32]bool{}, objs: map[int32]bool{}}
		r.follow(e)
		s.readers, s.by = append(s.readers, r), append(s.by, r)
	}
}

// leadsTo reports whether e follows the Read of r.
func (r *reader) leadsTo(w *walk, e *trace.Event) bool {
	led := false
	for _, p := range [...]int32{e.Proc, e.Partner} {
		led = led || p >= 0 && (r.procs[p] || w.x.Procs[p].Born > r.born)
	}
	named(e, func(obj int32) { led = led || r.objs[obj] })
	return led
}

// follow notes that e follows the Read of r.
func (r *reader) follow(e *trace.Event) {
	r.procs[e.Proc] = true
	if e.Partner >= 0 {
		r.procs[e.Partner] = true
	}
	named(e, func(obj int32) { r.objs[obj] = true })
}

// named calls f for the objects of e, and of the operations that it completes.
func named(e *trace.Event, f func(obj int32)) {
	op := depend.Declared(e)
	each(e, f)
	objects(&op, f)
	if e.Partner >= 0 {
		objects(&e.PartnerOp, f)
	}
}

// movesOf notes, for each reader, the last steps before of the processes that take part in what
// follows its Read: these steps are in conflict with it.
func (w *walk) movesOf(readers []*reader) {
	for _, r := range readers {
		for p := range r.procs {
			if i := w.last[p]; i >= 0 {
				r.with.add(i)
			}
		}
	}
}
