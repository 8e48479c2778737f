package hook

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Which mailboxes memory leads to. Types are not asked: every word that may be a pointer is followed, so that nothing is
// overlooked, behind functions and interfaces, too. What leads to a package-level variable may lead anywhere.

// maxReach bounds the bytes that are looked at for one question.
const maxReach = 1 << 16

// Reach is what some memory leads to.
type Reach struct {
	Boxes []int32 // mailboxes, in the order in which they were found
	All   bool    // it may lead to any
}

// Leads reports whether r leads to a mailbox.
func (r *Reach) Leads(box int32) bool {
	if r.All {
		return true
	}
	for _, b := range r.Boxes {
		if b == box {
			return true
		}
	}
	return false
}

// StartOf returns what the arguments and captured variables lead to with which a process of the execution under way was
// started, as they are now.
func StartOf(proc int32) Reach {
	if notes == nil || int(proc) >= len(notes.starts) || notes.starts[proc] == nil {
		return Reach{All: true}
	}
	return reachFrom(*(*unsafe.Pointer)(unsafe.Pointer(&notes.starts[proc])))
}

// ContentOf returns what a message of the execution under way leads to.
func ContentOf(m trace.Message) Reach {
	v, ok := Sent(m)
	if !ok {
		return Reach{All: true}
	}
	return reachFrom((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1]) // what the interface holds, or where it is
}

// Making is that a process made a mailbox.
type Making struct {
	Proc, Box int32
	Early     bool // before it first received
}

// Makings returns the mailboxes of the execution under way.
func Makings() []Making {
	if notes == nil {
		return nil
	}
	return notes.makings
}

// reachFrom follows p.
func reachFrom(p unsafe.Pointer) (r Reach) {
	seen, size := map[unsafe.Pointer]bool{}, uintptr(0)
	for work := []unsafe.Pointer{p}; len(work) > 0 && !r.All; {
		p, work = work[len(work)-1], work[:len(work)-1]
		if c, ok := w.chans.Find(p); ok && c.Mailbox() {
			r.Boxes = append(r.Boxes, c.ID)
			continue
		}
		at, n, pointers := gate.Object(p)
		if at == nil {
			r.All = gate.Global(p)
			continue
		}
		if seen[at] || !pointers {
			continue
		}
		seen[at] = true
		if size += n; size > maxReach {
			r.All = true
		}
		work = append(work, unsafe.Slice((*unsafe.Pointer)(at), n/unsafe.Sizeof(p))...)
	}
	return r
}
