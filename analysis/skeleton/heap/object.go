package heap

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Process is the part of a process that objects know.
type Process struct {
	ID       int32
	Name     string
	Parent   *Process
	Pos      token.Pos // of the go statement
	At       token.Pos // where it is
	Call     token.Pos // likewise, but in the package at hand: the call that has led there
	Outsider bool      // it is a timer, signals, or who ends a context
	Ended    bool
}

// Object is a channel or sync object.
type Object struct {
	primitive.Object[Value]
	ID      int32
	Class   trace.Class
	Cap     int32
	Foreign bool
	Ticks   bool     // a ticker or signals send to it
	Timed   bool     // a timer or the end of a context does
	Signals *Object  // of a channel that gets signals: the variable that says when that ends
	Again   bool     // that it is closed again is no mistake: it belongs to a context
	Maker   *Process // of an owned one
	Pos     token.Pos
	Born    int    // how many events had been done
	Name    string // of a foreign one
	// Field is the field or package-level variable that a foreign one is, Path its name within the
	// execution, and Base the pointer to what has the field; nil or empty if there is none.
	Field   types.Object
	Path    string
	Base    *Sym
	Holders []Hold
	Wanders bool    // who unlocks it is not who has locked it
	Freed   Hold    // the last hold that its own process has ended, if nobody has locked it since
	Seen    bool    // it is a channel of others that is closed, as somebody has seen
	Open    bool    // code that is not seen may take what is sent to it
	Tokens  bool    // it is a semaphore: to send is to acquire, to receive is to release
	Front   *Object // of a semaphore: the lock of processes that acquire more than one
	Message bool    // somebody else has sent to it, and waits for the one who receives
}

// Hold is a lock that is held.
type Hold struct {
	Proc *Process
	Pos  token.Pos
	Call token.Pos // see Process.Call
	Read bool
}

// Number is the ID of o, or -1 for the nil channel.
func (o *Object) Number() int32 {
	if o == nil {
		return -1
	}
	return o.ID
}

// Capacity is the capacity of o, or 0 for the nil channel.
func (o *Object) Capacity() int32 {
	if o == nil {
		return 0
	}
	return o.Cap
}

// Hold notes that p has taken o.
func (o *Object) Hold(p *Process, read bool) {
	o.Holders = append(o.Holders, Hold{p, p.At, p.Call, read})
	o.Freed = Hold{}
}

// Release notes that p has unlocked o. If p did not hold it, the lock wanders between processes,
// unless the unlock has failed.
func (o *Object) Release(p *Process, read, failed bool) {
	for i := len(o.Holders) - 1; i >= 0; i-- {
		if h := o.Holders[i]; h.Proc == p && h.Read == read {
			o.Holders = slices.Concat(o.Holders[:i], o.Holders[i+1:])
			o.Freed = Hold{p, p.At, p.Call, read}
			return
		}
	}
	if !failed {
		o.Foreign, o.Wanders, o.Holders = true, true, nil
	}
}

// Misused returns the hold that makes an unlock by p a mistake for certain, if p does not hold o in
// that way: p has locked o in the other way, or has unlocked it, and nobody has locked it since.
func (o *Object) Misused(p *Process, read bool) (Hold, bool) {
	for _, h := range o.Holders {
		if h.Proc == p {
			return h, h.Read != read
		}
	}
	return o.Freed, !o.Wanders && o.Freed.Proc == p && o.Freed.Read == read
}

// Context is a context. One that can end has a channel.
type Context struct {
	Parent *Context
	Kids   []*Context
	Done   *Object // nil: it never ends
}

// NewContext makes a context below another one; nil: below none.
func NewContext(parent *Context) *Context {
	c := &Context{Parent: parent}
	if parent != nil {
		parent.Kids = append(parent.Kids, c)
	}
	return c
}

// Ended reports whether c has ended, or one above it.
func (c *Context) Ended() bool {
	for x := c; x != nil; x = x.Parent {
		if x.Done != nil && x.Done.Closed {
			return true
		}
	}
	return false
}

// Nearest is the channel of the context, or of the next one above that can end; nil: none can.
func (c *Context) Nearest() *Object {
	for x := c; x != nil; x = x.Parent {
		if x.Done != nil {
			return x.Done
		}
	}
	return nil
}

// Foreign returns the context of a caller that an unknown value is, and whether it is asked for the
// first time. Somebody ends such a context, sooner or later.
func (h *Heap) Foreign(s *Sym) (c *Context, first bool) {
	if s.ctx != nil {
		return s.ctx, false
	}
	s.ctx = NewContext(nil)
	s.ctx.Done = h.Object(trace.Channel, 0, nil, s.Pos)
	s.ctx.Done.Timed, s.ctx.Done.Again = true, true
	return s.ctx, true
}
