package library

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The program sees stacks through runtime.Callers, runtime.Caller, runtime.Stack and functions
// above them. These stacks have the program's own frames and the library's, as if package testing
// and go statements had called them. They show no goroutine but the processes of the execution.

// lookers counts the calls under way that look at unchanged stacks, on behalf of the explorer.
var lookers atomic.Int32

// Stacks returns the stacks of all goroutines, with all frames.
func Stacks() []byte {
	lookers.Add(1)
	defer lookers.Add(-1)
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

func init() { gate.ShowStacks(framesOf, stackOf) }

// goexit is where every goroutine returns to.
var goexit = func() uintptr {
	last := make(chan uintptr)
	go func() {
		var pcs [8]uintptr
		last <- pcs[gate.Callers(1, pcs[:])-1]
	}()
	return <-last
}()

// framesOf returns the frames that are shown of the calling goroutine, which has the frames pcs.
func framesOf(pcs []uintptr) []uintptr {
	if lookers.Load() > 0 || world.W.Current() == nil {
		return pcs
	}
	shown, test := pcs[:0], false
	for _, pc := range pcs {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		if lowest(f.Function) {
			break
		}
		test = test || runner(f.Function)
		if !ours(f.Function) {
			shown = append(shown, pc)
		}
	}
	if test && gate.Runner != nil {
		shown = append(shown, reflect.ValueOf(gate.Runner).Pointer()+1)
	}
	return append(shown, goexit)
}

// lowest reports whether function is that of the scheduler which calls what a process runs.
func lowest(function string) bool {
	return strings.HasSuffix(function, "runtime/sched.(*Sched).runBody")
}

// runner reports whether function is what has taken the place of testing.tRunner.
func runner(function string) bool {
	return strings.HasPrefix(function, "testing.") && strings.Contains(function, "rehearse")
}

// ours reports whether function belongs to what controls the program, or to what that adds to the
// standard library.
func ours(function string) bool {
	function = strings.TrimPrefix(function, "github.com/rehearse-go/")
	return strings.HasPrefix(function, "rehearse/runtime/") ||
		strings.HasPrefix(function, "rehearse/explore") || runner(function) ||
		strings.HasPrefix(function, "sync.rehearse") ||
		strings.HasPrefix(function, "context.rehearse")
}

// stackOf is runtime.Stack; ok is false if that is to show all that it does.
func stackOf(buf []byte, all bool) (n int, ok bool) {
	if lookers.Load() > 0 {
		return 0, false
	}
	p := world.W.Current()
	switch {
	case p != nil:
		before := gate.RaceContext()
		world.W.Enter()
		if all {
			world.W.Fix(otherStacks)
		}
		gate.Tells() // by the number of the server's goroutine, too
		n = copy(buf, processStacks(p, all))
		gate.SetRaceContext(before)
		return n, true
	case all && !gate.Preparing:
		return copy(buf, programStacks()), true
	}
	return 0, false
}

// otherStacks is what is fixed where a process looks at the stacks of all processes. The look is no
// step, so the others are seen at one of the places that they may have come to.
const otherStacks = "where runtime.Stack finds other goroutines"

// programStacks are the stacks of the goroutines that are not the explorer's.
func programStacks() string {
	var list []string
	for _, g := range goroutines() {
		calls, _, _ := strings.Cut(g, "\ncreated by ")
		if !strings.Contains(calls, "rehearse/runtime/") &&
			!strings.Contains(calls, "rehearse/explore") {
			list = append(list, g)
		}
	}
	return strings.Join(list, "\n\n")
}

func goroutines() []string { return strings.Split(strings.TrimSpace(string(Stacks())), "\n\n") }

// ownStack returns the stack of the calling goroutine, with all frames. To look at the stacks of
// all takes as long as there are goroutines, and debug.Stack may be called in each of them.
func ownStack() string {
	lookers.Add(1)
	defer lookers.Add(-1)
	for buf := make([]byte, 1<<13); ; buf = make([]byte, 2*len(buf)) {
		if n := runtime.Stack(buf, false); n < len(buf) {
			return strings.TrimSpace(string(buf[:n]))
		}
	}
}

// processStacks are the stacks of p, which has called, and, if all is true, of the other processes
// of the execution.
func processStacks(p *sched.Proc, all bool) string {
	if !all {
		return shownStack(p, ownStack(), "running")
	}
	byID := map[uint64]string{}
	for _, g := range goroutines() {
		var id uint64
		if _, err := fmt.Sscanf(g, "goroutine %d ", &id); err == nil {
			byID[id] = g
		}
	}
	list := []string{shownStack(p, byID[p.Goroutine()], "running")}
	for _, q := range world.W.All() {
		switch g := byID[q.Goroutine()]; {
		case q == p || q.Ended() || q.Daemon():
		case g != "":
			list = append(list, shownStack(q, g, stateOf(q)))
		case q.Body() != nil && q.Goroutine() == 0:
			list = append(list, notBegun(q))
		}
	}
	return strings.Join(list, "\n")
}

// notBegun is what is shown of a process that no goroutine runs yet.
func notBegun(p *sched.Proc) string {
	f := runtime.FuncForPC(world.Entry(p.Body()))
	file, line := f.FileLine(f.Entry())
	return fmt.Sprintf("goroutine %d [runnable]:\n%s()\n\t%s:%d +0x1\n", shownNumber(p), f.Name(),
		file, line) + createdBy(p)
}

// Creators says that some code in the binary calls runtime.Stack. Only then is it noted who starts
// a process: to look who calls takes as long as a step.
var Creators bool

// NoteCreator notes that the caller of Go has started the newest process.
func NoteCreator() {
	var pcs [1]uintptr
	gate.Callers(3, pcs[:])
	world.W.All()[world.W.Newest()].Creator = pcs[0]
}

// createdBy is the end of p's stack as it is shown: the creator of p, if it is known. If the
// creator has not been noted, a function literal that p runs tells it.
func createdBy(p *sched.Proc) string {
	if p.Parent() == nil || p.Body() == nil {
		return ""
	}
	in := fmt.Sprintf(" in goroutine %d", shownNumber(p.Parent()))
	pc := world.Entry(p.Body())
	creator := enclosing(runtime.FuncForPC(pc).Name())
	if p.Creator != 0 {
		f, _ := runtime.CallersFrames([]uintptr{p.Creator}).Next()
		pc, creator = p.Creator-1, f.Function
	}
	switch {
	case p.Parent().Daemon():
		pc, creator, in = reflect.ValueOf(time.AfterFunc).Pointer(), "time.goFunc", ""
	case strings.HasSuffix(creator, "hook.waitGroupGo"):
		pc, creator = reflect.ValueOf((*sync.WaitGroup).Go).Pointer(), "sync.(*WaitGroup).Go"
	case ours(creator), strings.HasSuffix(creator, "-fm"):
		return ""
	}
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	return fmt.Sprintf("created by %s%s\n\t%s:%d +0x1\n", creator, in, file, line)
}

// enclosing returns the name of the function around a function literal: "p.f" of "p.f.func1".
func enclosing(literal string) string {
	i := strings.LastIndexByte(literal, '.')
	if last := strings.TrimPrefix(literal[i+1:], "func"); last == "" ||
		strings.Trim(last, "0123456789") != "" {
		return literal
	}
	return literal[:i]
}

// shownNumber is the goroutine's number that is shown of p, the same in all executions. Number 1
// runs the tests.
func shownNumber(p *sched.Proc) int32 { return p.ID + 2 }

// stateOf says in the words of the Go runtime what p, which is not running, waits for.
func stateOf(p *sched.Proc) string {
	if p.Op.Kind == trace.Fire {
		return "sleep"
	}
	if reason := trace.WaitReason(&p.Op); reason != "" {
		return reason
	}
	return "runnable"
}

// shownStack is the stack of a goroutine, which runs process p and is in a state, as it is shown.
func shownStack(p *sched.Proc, stack, state string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "goroutine %d [%s]:\n", shownNumber(p), state)
	lines, test := strings.Split(stack, "\n"), false
	// the frames above ours, in a process that waits, hand control over
	begun := state == "running"
	for i := 1; i+1 < len(lines); i += 2 {
		function := lines[i]
		if k := strings.LastIndexByte(function, '('); k > 0 {
			function = function[:k]
		}
		if lowest(function) || strings.HasPrefix(function, "created by ") ||
			strings.HasPrefix(function, "...") {
			break
		}
		test, begun = test || runner(function), begun || ours(function)
		if begun && !ours(function) && function != "runtime.Stack" {
			fmt.Fprintf(&b, "%s%s\n%s\n", function, sameArguments(lines[i][len(function):]),
				lines[i+1])
		}
	}
	if test && gate.Runner != nil {
		f, _ := runtime.CallersFrames([]uintptr{reflect.ValueOf(gate.Runner).Pointer() + 1}).Next()
		fmt.Fprintf(&b,
			"testing.tRunner(0x0, 0x0)\n\t%s:%d +0x1\ncreated by testing.(*T).Run in goroutine %d\n\t%s:%d +0x1\n",
			f.File, f.Line, runnerOf(p), f.File, f.Line)
		return b.String()
	}
	return b.String() + createdBy(p)
}

// sameArguments are the arguments of a call, "(0xc000012080, {0x2?, 0x3})", without the parts that
// differ between executions: addresses, and values that are no longer in use.
func sameArguments(text string) string {
	const most = len("0x12345") // no address is that short
	var b strings.Builder
	for {
		i := strings.Index(text, "0x")
		if i < 0 {
			return b.String() + text
		}
		n := 2 + len(text[i+2:]) - len(strings.TrimLeft(text[i+2:], "0123456789abcdef"))
		number := text[i : i+n]
		if n > most || strings.HasPrefix(text[i+n:], "?") {
			number = "0x0"
		}
		b.WriteString(text[:i] + number)
		text = text[i+n:]
	}
}

// runnerOf is the number of the goroutine that has called Run for p, which runs a test.
func runnerOf(p *sched.Proc) int32 {
	if p.Parent() == nil {
		return 1
	}
	return shownNumber(p.Parent())
}
