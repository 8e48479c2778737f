// Package live answers what stable selection asks of the execution under way (package stable): the
// classes and tasks of actors come from the facts about the program, the references from memory.
package live

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// View is stable.View of the execution under way: the classes and tasks come from the facts, the
// references from memory.
//
// A process knows a mailbox if what it was started with leads to it. It may also have made the
// mailbox, or got it in a message, and keep it in a local variable of its loop, where nobody looks.
// But a task that writes nothing that outlives it and can hold a reference, keeps nothing: then
// only what was made before the loop counts.
type View struct {
	tasks *handlers.Classifier
	keeps []bool // by actor: its tasks may keep references
	roams []bool // by actor: its tasks use package-level variables that can hold references

	state    *trace.State
	starts   map[int32]notes.Reach
	contents map[trace.Message]notes.Reach
}

// New returns a View for the classes and tasks that c knows.
func New(c *handlers.Classifier) *View {
	v := &View{tasks: c}
	for _, b := range c.Table.Program.Behaviours {
		v.keeps = append(v.keeps, slices.ContainsFunc(b.Tasks, keeps))
		v.roams = append(v.roams, slices.ContainsFunc(b.Tasks, roams))
	}
	return v
}

// keeps reports whether a task may write a reference to what outlives it.
func keeps(t facts.Task) bool {
	return slices.ContainsFunc(t.Operations, func(o facts.Operation) bool {
		return o.Kind == facts.Unknown
	}) ||
		slices.ContainsFunc(t.Accesses, func(a facts.Access) bool {
			return a.Mode != facts.Reads && refers(a.Location.Type)
		})
}

// roams reports whether a task uses package-level variables that can hold references.
func roams(t facts.Task) bool {
	return slices.ContainsFunc(t.Accesses, func(a facts.Access) bool {
		return a.Location.Where == facts.Global && refers(a.Location.Type)
	})
}

// Tells reports whether tasks of an actor may send references to another one, or start it. If that
// is not known, they may.
func (v *View) Tells(from, to string) bool {
	for _, b := range v.tasks.Table.Program.Behaviours {
		if b.Actor != from {
			continue
		}
		return slices.ContainsFunc(b.Tasks, func(t facts.Task) bool {
			return slices.ContainsFunc(t.Operations, func(o facts.Operation) bool {
				return o.Kind == facts.Spawns || o.Kind == facts.Unknown
			}) ||
				slices.ContainsFunc(t.Sends, func(s facts.Send) bool {
					return refers(s.Elem) && sendsTo(s, to)
				})
		})
	}
	return true
}

func sendsTo(s facts.Send, actor string) bool {
	return len(s.To) == 0 ||
		slices.ContainsFunc(s.To, func(t facts.Target) bool { return t.Actor == actor })
}

// plain are types that can hold no reference to a channel.
var plain = []string{"bool", "string", "byte", "rune", "int", "int8", "int16", "int32", "int64",
	"uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64", "complex64",
	"complex128"}

func refers(typ string) bool { return !slices.Contains(plain, typ) }

// At implements stable.View.
func (v *View) At(s *trace.State) {
	v.state, v.starts, v.contents = s, map[int32]notes.Reach{}, map[trace.Message]notes.Reach{}
}

// actor returns the actor that process p is.
func (v *View) actor(p int32) (actor int, ok bool) {
	if actor, ok = v.tasks.Receiver(v.state.Procs[p]); ok {
		return actor, true
	}
	return v.tasks.Launched(p)
}

// Class implements stable.View.
func (v *View) Class(p int32) string {
	if actor, ok := v.actor(p); ok {
		return v.tasks.Table.Program.Behaviours[actor].Actor
	}
	return ""
}

// Targets implements stable.View.
func (v *View) Targets(p int32, m trace.Message) (list []facts.Target) {
	d, ok := v.tasks.Delivery(v.state.Procs[p], m)
	if !ok {
		return nil
	}
	for _, r := range d.Handlers {
		list = append(list, v.tasks.Table.Target(r))
	}
	return list
}

// Carries implements stable.View.
func (v *View) Carries(m trace.Message, a int32) bool {
	r, ok := v.contents[m]
	if !ok {
		r = notes.ContentOf(m)
		v.contents[m] = r
	}
	return slices.ContainsFunc(v.boxes(a), r.Leads)
}

// Holds implements stable.View.
func (v *View) Holds(p, a int32) bool {
	actor, known := v.actor(p)
	return v.Told(p, a) || made(p, v.boxes(a), !known || v.keeps[actor])
}

// Told implements stable.View.
func (v *View) Told(p, a int32) bool {
	r, ok := v.starts[p]
	if !ok {
		r = notes.StartOf(p)
		v.starts[p] = r
	}
	actor, known := v.actor(p)
	boxes, keeps := v.boxes(a), !known || v.keeps[actor]
	return known && v.roams[actor] || slices.ContainsFunc(boxes, r.Leads) || keeps && v.told(p, a)
}

// made reports whether process p has made one of these mailboxes, and may know it still.
func made(p int32, boxes []int32, keeps bool) bool {
	return slices.ContainsFunc(notes.Makings(), func(m notes.Making) bool {
		return m.Proc == p && (m.Early || keeps) && slices.Contains(boxes, m.Box)
	})
}

// told reports whether process p has got a message that led to process a.
func (v *View) told(p, a int32) bool {
	for i := range v.state.Depth {
		if e := &v.state.Events[i]; e.Proc == p && e.Takes.Number > 0 && v.Carries(e.Takes, a) {
			return true
		}
	}
	return false
}

// boxes returns the mailboxes that process a receives from.
func (v *View) boxes(a int32) (list []int32) {
	op := v.state.Procs[a]
	switch {
	case op == nil:
	case op.Kind == trace.Recv:
		list = append(list, op.Obj)
	default:
		for _, c := range op.Cases {
			if c.Kind == trace.Recv {
				list = append(list, c.Obj)
			}
		}
	}
	return list
}
