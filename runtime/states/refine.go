package states

import (
	"bytes"
	"hash/fnv"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/linear"
	"github.com/rehearse-go/rehearse/runtime/sched"
)

// role tells a process from others, without names: by its own content, and then, round by round, by
// the contents of processes that share objects with it.
type role struct {
	p    *sched.Proc
	refs []int32 // the models that it leads to, in the order of its own walk
	text []byte  // grows shorter: a hash of the last round's
}

// order puts the processes into an order that does not depend on their numbers, as far as their
// roles differ.
func (s *picture) order() {
	roles := make([]role, len(s.procs))
	for i, p := range s.procs {
		own := linear.New(memoryWorld{s})
		s.process(own, p)
		roles[i] = role{p, own.Refs, digest(own.Text, s.inboxes(p))}
	}
	for n := classes(roles); n < len(roles); {
		refine(roles)
		more := classes(roles)
		if more == n {
			break
		}
		n = more
	}
	slices.SortStableFunc(roles, func(a, b role) int { return bytes.Compare(a.text, b.text) })
	for i := range roles {
		s.procs[i] = roles[i].p
	}
	s.rename()
}

// inboxes returns the text of the content of the channels for which p waits.
func (s *picture) inboxes(p *sched.Proc) []byte {
	own := linear.New(memoryWorld{s})
	// all senders are one
	inner := &picture{Writer: own, canonical: true, name: make([]int, len(s.name))}
	inner.contents(p.Op.Obj)
	for _, c := range p.Op.Cases {
		inner.contents(c.Obj)
	}
	return own.Text
}

// refine adds to each role those of the processes that share objects with it.
func refine(roles []role) {
	users := map[int32][][]byte{} // of an object: who uses it as which of their objects
	for _, r := range roles {
		for at, id := range r.refs {
			users[id] = append(users[id], append(bytes.Clone(r.text), byte(at), byte(at>>8)))
		}
	}
	for _, list := range users {
		slices.SortFunc(list, bytes.Compare)
	}
	for i := range roles {
		parts := [][]byte{roles[i].text}
		for _, id := range roles[i].refs {
			parts = append(parts, bytes.Join(users[id], []byte{';'}))
		}
		roles[i].text = digest(parts...)
	}
}

// classes counts the roles that differ.
func classes(roles []role) int {
	distinct := map[string]bool{}
	for _, r := range roles {
		distinct[string(r.text)] = true
	}
	return len(distinct)
}

// digest is a hash of texts.
func digest(texts ...[]byte) []byte {
	h := fnv.New128a()
	for _, t := range texts {
		h.Write(t)
		h.Write([]byte{0})
	}
	return h.Sum(nil)
}
