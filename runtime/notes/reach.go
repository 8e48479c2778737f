package notes

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The functions of this file find the mailboxes to which memory leads. They learn the places of
// pointers from the garbage collector, and not from the types of values. So they find pointers
// behind functions and interfaces, too. Memory that leads to a package-level variable may lead
// anywhere.

// maxReach bounds the pointers that are looked at for one question.
const maxReach = 1 << 13

// Reach has the mailboxes to which some memory leads.
type Reach struct {
	Boxes []int32 // mailboxes, in the order in which they were found
	All   bool    // it may lead to any
}

// Leads reports whether r leads to a mailbox.
func (r *Reach) Leads(box int32) bool {
	if r.All {
		return true
	}
	return slices.Contains(r.Boxes, box)
}

// StartOf returns the mailboxes that a process of the execution under way can reach from its start
// values, which are arguments and captured variables, as these are now.
func StartOf(proc int32) Reach {
	if Book == nil || int(proc) >= len(Book.starts) || Book.starts[proc] == nil {
		return Reach{All: true}
	}
	return reachFrom(*(*unsafe.Pointer)(unsafe.Pointer(&Book.starts[proc])))
}

// ContentOf returns the mailboxes to which a message of the execution under way leads.
func ContentOf(m trace.Message) Reach {
	v, ok := Sent(m)
	if !ok {
		return Reach{All: true}
	}
	// the value of the interface, or its address
	return reachFrom((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])
}

// Making is that a process made a mailbox.
type Making struct {
	Proc, Box int32
	Early     bool // before it first received
}

// Makings returns the mailboxes of the execution under way.
func Makings() []Making {
	if Book == nil {
		return nil
	}
	return Book.makings
}

// reachFrom follows p. A pointer that is found in memory is a number here: see gate.Pointers.
func reachFrom(p unsafe.Pointer) (r Reach) {
	seen, size := map[uintptr]bool{}, 0
	for work := []uintptr{uintptr(p)}; len(work) > 0 && !r.All; {
		word := work[len(work)-1]
		work = work[:len(work)-1]
		at, longer := gate.Pointers(word, work)
		switch {
		case at == 0:
			r.All = gate.Global(word)
		case seen[at]:
		case r.box(at):
			seen[at] = true
		default:
			seen[at] = true
			size += len(longer) - len(work)
			r.All = size > maxReach
			work = longer
		}
	}
	return r
}

// box adds the channel at an address, if it is a mailbox.
func (r *Reach) box(at uintptr) bool {
	c := world.W.Chans.At(at)
	if !c.Mailbox() {
		return false
	}
	r.Boxes = append(r.Boxes, c.ID)
	return true
}
