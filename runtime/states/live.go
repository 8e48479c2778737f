// Package states writes down the state of a program at rest, so that two states can be compared,
// and puts package-level variables back before each execution.
//
// Vocabulary: a frame is an activation of a function of the program, with the variables that it may
// still use. The fingerprint is a hash of all parts of a state. fingerprint.go has the limits.
package states

import (
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// A Frame is an activation of a function of the program, in a binary whose states are to be
// compared. Rewritten code keeps it up to date: before each statement that may reach a visible
// operation, the code hands over pointers to the variables that the function may still use. Code
// outside of executions has a nil Frame, whose methods do nothing.
type Frame struct {
	entry uintptr // of the function's code
	live  *lives
	index int // in live.frames

	vars    []any  // pointers to variables
	args    []any  // values that a call is about to get
	temps   []any  // what the present statement has received
	loops   []loop // that are under way, outermost first
	defers  []any  // what deferred calls will use, and has been evaluated; each is a []any
	results bool   // it returns something
	blind   bool   // nothing is known of it
	hides   bool   // the present statement holds values that nobody else does
	returns bool   // it runs deferred calls
}

// loop is a range loop under way.
type loop struct {
	over  any // what it ranges over
	turns int // iterations that have begun
}

// maxStack is how many functions of a stack are looked at.
const maxStack = 64

// lives is the stack of one process, as far as the program's own functions are concerned.
type lives struct {
	execution int // that it is from
	frames    []*Frame
	// the code of a function that does nothing but call the one that the process was started for
	wrapper uintptr
	held    any               // what the function that started the process will use when it ends
	stack   [maxStack]uintptr // when the process declared its operation
	depth   int
	pcs     []uintptr // those of stack that belong to frames
}

// living has the stacks of the processes, while states are compared.
var living struct {
	on        bool
	execution int
	by        []*lives // by process
	spoilt    string   // why no state of this execution can be compared
}

// livesOf returns the stack of p.
func livesOf(p *sched.Proc) *lives {
	for len(living.by) <= int(p.ID) {
		living.by = append(living.by, &lives{})
	}
	l := living.by[p.ID]
	if l.execution != living.execution {
		l.execution, l.frames, l.wrapper, l.held, l.depth = living.execution, l.frames[:0], 0, nil,
			0
	}
	return l
}

// Enter begins an activation of the function that has called its caller. results says whether
// that returns something.
func Enter(results bool) *Frame {
	if !living.on {
		return nil
	}
	p := world.W.Current()
	if p == nil {
		return nil
	}
	var pc [1]uintptr
	gate.Callers(3, pc[:])
	l := livesOf(p)
	f := &Frame{entry: runtime.FuncForPC(pc[0] - 1).Entry(), live: l, index: len(l.frames),
		results: results}
	l.frames = append(l.frames, f)
	return f
}

// Leave ends it.
func (f *Frame) Leave() {
	if f != nil && f.live.execution == living.execution && f.index < len(f.live.frames) {
		f.live.frames = f.live.frames[:f.index]
	}
}

// Blind says that nothing will be told of f.
func (f *Frame) Blind() {
	if f != nil {
		f.blind = true
	}
}

// At says that the function is about to execute a statement inside of depth range loops, and which
// variables it may still use. Like some other methods it returns true, so that it can be a part of
// a condition.
func (f *Frame) At(depth int, vars ...any) bool {
	if f != nil {
		f.vars, f.args, f.temps, f.hides = vars, nil, f.temps[:0], false
		f.loops = f.loops[:min(depth, len(f.loops))]
	}
	return true
}

// Args adds values that the statement has evaluated by the time that it calls something.
func (f *Frame) Args(values ...any) bool {
	if f != nil {
		f.args = values
	}
	return true
}

// Hides says that the statement also holds values that are not known.
func (f *Frame) Hides() bool {
	if f != nil {
		f.hides = true
	}
	return true
}

// Loop begins a range loop over x, inside of depth others.
func (f *Frame) Loop(depth int, x any) {
	if f == nil {
		return
	}
	f.loops = f.loops[:min(depth, len(f.loops))]
	for len(f.loops) < depth {
		f.loops = append(f.loops, loop{})
	}
	f.loops = append(f.loops, loop{over: x})
}

// Turn begins an iteration of the loop inside of depth others.
func (f *Frame) Turn(depth int) {
	if f != nil && depth < len(f.loops) {
		f.loops = f.loops[:depth+1]
		f.loops[depth].turns++
	}
}

// Defer tells the values of the call that is about to be deferred.
func (f *Frame) Defer(values ...any) {
	if f != nil {
		f.defers = append(f.defers, any(values))
	}
}

// Deferred says that the call that was deferred last of those left is about to be made.
func (f *Frame) Deferred() {
	if f != nil && len(f.defers) > 0 {
		f.returns = true
		f.defers = f.defers[:len(f.defers)-1]
	}
}

// Received notes that p's present statement has received v.
func Received[T any](p *sched.Proc, v T) {
	if !living.on {
		return
	}
	if l := livesOf(p); len(l.frames) > 0 {
		top := l.frames[len(l.frames)-1]
		top.temps = append(top.temps, any(v))
	}
}

// Operand notes that p's operation will use v.
func Operand[T any](p *sched.Proc, v T) {
	if living.on {
		p.Operand = any(v)
	}
}

// Wraps notes that the present process begins with a function that only calls f.
func Wraps(f func()) {
	if p := world.W.Current(); p != nil {
		livesOf(p).wrapper = world.Entry(f)
	}
}

// Hold notes a value that the function that started the present process will use when the process
// ends.
func Hold(v any) {
	if living.on {
		livesOf(world.W.Current()).held = v
	}
}

// Compared reports whether states are compared, so that stacks are kept up to date.
func Compared() bool { return living.on }

// Begin begins an execution.
func Begin() {
	living.execution++
	living.spoilt = ""
}

// Compare begins or ends the comparison of states.
func Compare(c world.Comparison) {
	if living.on = c != world.Uncompared; living.on {
		world.W.View(viewer{})
	} else {
		world.W.View(nil)
	}
}

// Spoil says that the states of this execution are not known from here on.
func Spoil(why string) {
	if living.on {
		living.spoilt = why
	}
}

// viewer implements sched.Viewer.
type viewer struct{}

// Declared remembers p's stack: only p itself can look at it.
func (viewer) Declared(p *sched.Proc) {
	l := livesOf(p)
	l.depth = gate.Callers(4, l.stack[:])
}

// Resumed separates the objects that the process will make from those that others, or the explorer,
// have made. Small variables may share a block of memory, and a text. So which ones do depends only
// on the steps of one process between two operations.
func (viewer) Resumed() { gate.Fresh() }

// Quiet takes the last state's fingerprint, before the processes are unwound.
func (viewer) Quiet() { atRest = fingerprintNow() }

// match pairs the functions on the process's stack with frames, innermost first. why names a part
// that is not known.
func (l *lives) match() (why string) {
	left, leaf := len(l.frames), true
	l.pcs = append(l.pcs[:0], make([]uintptr, left)...)
	for _, pc := range l.stack[:l.depth] {
		for _, f := range functionsAt(pc) {
			switch {
			case f.base:
				if left > 0 {
					return "a stack is not known"
				}
				return ""
			case left > 0 && f.entry == l.frames[left-1].entry:
				left--
				l.pcs[left], leaf = pc, false
				if reason := l.frames[left].unknown(); reason != "" {
					return reason + " in " + f.name
				}
			case f.entry != 0 && f.entry == l.wrapper, f.stateless, leaf && f.leaf:
			default:
				return "nothing is known of " + f.name
			}
		}
	}
	return "a stack is too deep"
}

// unknown names a part of f, which waits, that is not known.
func (f *Frame) unknown() string {
	switch {
	case f.blind:
		return "the variables of a function that cannot be followed"
	case f.hides:
		return "an intermediate result"
	case f.returns && f.results:
		return "the results of a function that runs deferred calls"
	}
	return ""
}

// function is one that a stack may have.
type function struct {
	name      string
	entry     uintptr // 0: it is inlined
	base      bool    // below it are other processes
	stateless bool    // an activation has no state besides what the models know
	leaf      bool    // likewise, if it has been called for the sake of the operation itself
}

// functions are those at addresses that stacks have had, innermost first.
var functions = map[uintptr][]function{}

func functionsAt(pc uintptr) []function {
	list, ok := functions[pc]
	if ok {
		return list
	}
	for frames := runtime.CallersFrames([]uintptr{pc}); ; {
		f, more := frames.Next()
		if f.Func == nil {
			f.Entry = 0 // it is inlined: that is the entry of the function around it
		}
		list = append(list, function{
			name: f.Function, entry: f.Entry,
			base:      strings.HasSuffix(f.Function, "/runtime/sched.(*Sched).runBody"),
			stateless: stateless(f.Function),
			leaf:      hasPrefix(f.Function, "sync.", "sync/atomic.", "time.Sleep"),
		})
		if !more {
			functions[pc] = list
			return list
		}
	}
}

func stateless(name string) bool {
	if strings.HasPrefix(name, "runtime.") {
		return !strings.Contains(name, "panic")
	}
	return hasPrefix(name, "rehearse/runtime/", "github.com/rehearse-go/rehearse/runtime/",
		"testing.", "iter.", "sync.(*Once).")
}

func hasPrefix(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes,
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
