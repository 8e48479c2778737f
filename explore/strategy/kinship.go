package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// kinship names the processes of an execution while it is under way, so that they can be found again in others: a name
// says whose child a process is, and which one.
//
// LIMITS: a process that appears after a rendezvous counts as a child of the receiver, although the sender may have
// started it. The rule is the same in all executions, so names are at worst less stable than they could be.
type kinship struct{ members []member }

// member is one process.
type member struct {
	name   uint64
	parent int32 // -1: it was there from the start
	kids   int   // that it has started so far
	done   int   // events that it has taken part in
}

func (k *kinship) reset() { k.members = k.members[:0] }

// see takes down the last event of s, and calls born for each process that is new. It must be called with each state.
func (k *kinship) see(s *trace.State, born func(q int32)) {
	parent := int32(-1)
	if s.Depth > 0 {
		e := &s.Events[s.Depth-1]
		parent = e.Proc
		k.members[e.Proc].done++
		if e.Partner >= 0 {
			parent = e.Partner
			k.members[e.Partner].done++
		}
	}
	for len(k.members) < len(s.Procs) {
		q := len(k.members)
		k.members = append(k.members, member{name: k.child(parent, q), parent: parent})
		born(int32(q))
	}
}

// child names process q as the next child of parent.
func (k *kinship) child(parent int32, q int) uint64 {
	if parent < 0 {
		return label(0, q)
	}
	p := &k.members[parent]
	p.kids++
	return label(p.name, p.kids)
}

// label combines a name and a number: of a child, or of an event of the process.
func label(name uint64, n int) uint64 {
	h := (name ^ uint64(n+1)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}
