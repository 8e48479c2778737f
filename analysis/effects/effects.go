// Package effects says what the tasks of a handler may do: which memory they read and write, which
// messages they send, and which other operations other goroutines can notice.
//
// Vocabulary
//
//   - location: an abstract variable: a field of every instance of a struct, the elements of
//     slices, the entries of a map, a named variable, the target of a pointer. Aliases tells which
//     objects a location may be a part of. If Aliases does not know, every pointer to a type may
//     point to every variable of that type.
//   - register: a local variable of the loop's function that is not in memory and keeps its value
//     from task to task.
//   - update: x = x op e by an operator that commutes with itself, where nothing else uses the old
//     value.
//   - summary: the effects of a function, in terms of its parameters. Summaries are computed to a
//     fixed point, for calls may be recursive.
//   - new object: one that the task has made itself. Accesses to it are left out: another task
//     finds the object only by an access that is listed, or by a message that the task has caused.
//   - class: effects that differ in their places only. The effects of a function are put into
//     classes once, for a task of a large program reaches thousands of functions.
//   - operand: a value that is known before the task runs, a constant or a part of the message.
//
// Guarantees: the effects of a task include everything that it may do, within the limits. An
// operation that the analysis does not understand is an effect of kind Unknown, with its place and
// the reason. The result depends on the program alone, in source order.
//
// Large sets are widened, which is sound and less precise. Accesses to many fields of a struct
// become one access to any of its fields (maxFields). A task with too many accesses may do
// anything; those with the fewest conditions on the way are listed (maxAccesses). Of the places of
// one effect, too, only those with the fewest conditions on the way are listed (maxPlaces).
//
// LIMITS: Run-time panics are no effects. A panic that nobody recovers ends the execution in either
// order of two tasks. After a panic that the function of the loop recovers, the actor does not go
// on. If a pointer is converted to a pointer to a struct type that is declared apart, the two are
// taken to point to different variables. Accesses by reflection and assembly are seen only as far
// as the arguments lead. Code that an actor runs when a mailbox is closed belongs to no message,
// and to no handler.
package effects

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Analysis says what tasks and functions do. It stands on four tables, each of which uses only
// those before it: tracer traces a value to its origin, memory finds its location, reader has the
// effects of one instruction, and summaries those of functions.
type Analysis struct {
	*summaries
	gatherer
	pos       func(token.Pos) facts.Pos
	positions map[token.Pos]facts.Pos // memo of pos
	// variables of loops that are not in memory
	registerOf map[register]*Location
}

// Config says what to analyse.
type Config struct {
	Program *ssa.Program
	Pos     func(token.Pos) facts.Pos // writes positions
	// all that have a body, in an order that depends on the program alone
	Functions []*ssa.Function
	Actors    []*actors.Actor
	Types     *Types  // of Functions
	Aliases   Aliases // may be Types
	KeepNew   bool    // list accesses to new objects, too
}

// New prepares the analysis of c's program.
func New(c Config) *Analysis {
	t := &tracer{closures: map[*ssa.Function]*ssa.MakeClosure{}}
	r := &reader{memory: newMemory(t, c.Aliases), mailboxes: map[ssa.Instruction]bool{},
		keepNew: c.KeepNew}
	s := newSummaries(r, c)
	a := &Analysis{
		summaries: s, gatherer: gatherer{numbers: map[class]int{}, among: s},
		pos: c.Pos, positions: map[token.Pos]facts.Pos{}, registerOf: map[register]*Location{},
	}
	for _, fn := range c.Functions {
		a.noteClosures(fn)
	}
	for _, x := range c.Actors {
		a.noteActor(x)
	}
	return a
}

// noteClosures notes the closures that fn makes. A function of which two places make closures
// captures two variables.
func (a *tracer) noteClosures(fn *ssa.Function) {
	for instr := range kernel.All(fn) {
		if c, ok := instr.(*ssa.MakeClosure); ok {
			of := c.Fn.(*ssa.Function)
			if _, again := a.closures[of]; again {
				c = nil
			}
			a.closures[of] = c
		}
	}
}

// noteActor notes where x's tasks begin, and the code before the first task.
func (a *Analysis) noteActor(x *actors.Actor) {
	for _, b := range x.Boxes {
		for _, r := range b.Receives {
			a.mailboxes[r.Instr] = true
		}
	}
	for _, g := range x.Goroutines {
		in := map[ssa.Instruction]bool{}
		for _, r := range x.Start.Regions {
			if r.Fn == g.Root {
				for _, i := range r.Instrs {
					in[i] = true
				}
			}
		}
		a.starts[g.Root] = in
	}
}

// Summarise computes the summaries of the callees of tasks and functions; Task and Function need
// them.
func (a *Analysis) Summarise(tasks []actors.Code, functions []*ssa.Function) {
	for _, fn := range functions {
		a.summary(fn, whole)
		a.summary(fn, rest)
	}
	for _, code := range tasks {
		for _, r := range code.Regions {
			for _, i := range r.Instrs {
				a.does(i)
			}
		}
	}
	a.solve()
}

// Accesses returns the accesses that fn makes itself to memory that others may know of, and those
// of the standard library that it calls.
func (a *Analysis) Accesses(fn *ssa.Function) []Effect {
	var out []Effect
	for instr := range kernel.All(fn) {
		_, effects := a.does(instr)
		for _, e := range effects {
			if e.Kind.isMemory() && !(e.Pointer != nil && a.private(e.Pointer, instr)) {
				e.Pointer = nil
				out = append(out, e)
			}
		}
	}
	return out
}

// private reports whether pointer leads to an object that its function has made, and that nobody
// else knows of when instr runs.
func (a *tracer) private(pointer ssa.Value, instr ssa.Instruction) bool {
	at := a.origin(pointer)
	own := func(i ssa.Instruction) bool { return i.Parent() == instr.Parent() }
	if !isFresh(at, own, map[ssa.Value]bool{}) {
		return false
	}
	made, ok := at.(ssa.Value)
	if !ok || made.Referrers() == nil {
		return false
	}
	if _, ok := at.(*ssa.Phi); ok {
		return false
	}
	return !slices.ContainsFunc(escapes(made),
		func(e ssa.Instruction) bool { return e == instr || kernel.After(e, instr) })
}

// escapes returns the uses of v by which others may get to know it.
func escapes(v ssa.Value) []ssa.Instruction {
	var out []ssa.Instruction
	for _, ref := range *v.Referrers() {
		switch r := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			out = append(out, escapes(r)...)
		case *ssa.IndexAddr:
			out = append(out, escapes(r)...)
		case *ssa.MapUpdate:
			if r.Map != v {
				out = append(out, r)
			}
		case *ssa.Lookup:
		case *ssa.Store:
			if r.Val == v {
				out = append(out, r)
			}
		default:
			out = append(out, r)
		}
	}
	return out
}

// register is the identity of a local variable that is not in memory: where it is declared.
type register struct {
	pos  token.Pos
	name string
}
