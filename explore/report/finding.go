package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/locks"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// NewFinding describes what is wrong with x, which must have been run with sites. It leaves out
// what only an explorer knows: Schedule, Count, Chart and Away.
func NewFinding(kind explore.FindingKind, message string, x *trace.Execution, at *Places) *Finding {
	f := &Finding{Kind: kind, Message: message, Identity: explore.NewProblem(kind, message, x).Identity, Away: -1, Log: Log(x, at)}
	n := newNames(x, at)
	if x.Crash != nil {
		f.addCrash(n)
	}
	for _, r := range f.Races(x) {
		f.Stack = stackLines(&trace.Crash{Stack: r.Stack}, at)
		f.addAccesses(n, &r)
	}
	f.addBlocked(n)
	f.Pos = f.position()
	return f
}

// addAccesses sets the stacks of a race apart: the stack of the access that came last is the first.
func (f *Finding) addAccesses(n *names, r *trace.Race) {
	stacks := bytes.Split(r.Stack, []byte(trace.NextStack))
	if len(stacks) != len(r.Accesses) {
		return
	}
	for i, a := range r.Accesses {
		what := "read of "
		if a.Write {
			what = "write of "
		}
		stack := stackLines(&trace.Crash{Stack: stacks[len(stacks)-1-i]}, n.at)
		f.Accesses = append(f.Accesses, RaceEnd{what + a.Name, n.proc(a.Proc), stack, int(a.After), n.holds(&a)})
	}
}

// holds lists the locks that the process of an access holds there.
func (n *names) holds(a *trace.Access) (list []Lock) {
	for _, h := range locks.At(n.x, a.Proc, int(a.After)) {
		at := site(n.x.Sites, h.Step)
		code := operand(n.at.Source(at), n.x.Events[h.Step].Kind)
		list = append(list, Lock{n.obj(h.Obj), code, n.at.Line(at), h.Read})
	}
	return list
}

// Races are those of x that f is about: one, or none.
func (f *Finding) Races(x *trace.Execution) []trace.Race {
	return slices.DeleteFunc(slices.Clone(x.Races), func(r trace.Race) bool { return f.Kind != explore.Race || r.Text != f.Message })
}

// Log is the test's log in x.
func Log(x *trace.Execution, at *Places) []Line {
	lines := make([]Line, len(x.Log))
	for i, text := range x.Log {
		lines[i] = Line{Pos: at.Line(site(x.LogSites, i)), Text: text}
	}
	return lines
}

func (f *Finding) addCrash(n *names) {
	crash := n.x.Crash
	f.Stack = stackLines(crash, n.at)
	p := n.x.Procs[crash.Proc]
	state := "panicked"
	if n.x.Stuck {
		state = "running"
	}
	f.Processes = append(f.Processes, Process{
		Name: n.proc(crash.Proc), Path: p.Path, State: state, Op: crash.Text, Pos: n.at.Of(crashSite(crash, n.at)),
	})
}

func (f *Finding) addBlocked(n *names) {
	leaked := explore.Leaked(n.x)
	for i, b := range n.x.Blocked {
		if f.Kind == explore.Leak && !slices.Contains(leaked, b) {
			continue
		}
		p := n.x.Procs[b]
		f.Processes = append(f.Processes, Process{
			Name: n.proc(b), Path: p.Path, State: "blocked", Op: n.waits(&p.Pending), Wait: trace.WaitReason(&p.Pending),
			Pos: n.at.Of(blockedSite(n.x, i)),
		})
	}
}

// blockedSite returns where the i-th blocked process waits: in code of the library alone, where it
// was spawned.
func blockedSite(x *trace.Execution, i int) string {
	if at := site(x.BlockedSites, i); at != "" {
		return at
	}
	return x.Procs[x.Blocked[i]].Site
}

// position is the best single place for f: that of the first process concerned, or of the last line
// that was logged.
func (f *Finding) position() string {
	if f.Kind == explore.Race && len(f.Stack) > 0 {
		return f.Stack[0].Pos
	}
	for _, p := range f.Processes {
		if f.Kind != explore.Fail && p.Pos != "" {
			return p.Pos
		}
	}
	if n := len(f.Log); n > 0 {
		return f.Log[n-1].Pos
	}
	return ""
}

// frame is one call of a panicking process's stack.
type frame struct{ function, site string }

// stackLines are the calls of the program's own code, innermost first.
func stackLines(c *trace.Crash, at *Places) []Line {
	var lines []Line
	for _, f := range userFrames(c.Stack) {
		lines = append(lines, Line{Pos: at.Line(f.site), Text: f.function})
	}
	return lines
}

// crashSite is where the program's own code was when it panicked: in the package under test if
// possible.
func crashSite(c *trace.Crash, at *Places) string {
	first := ""
	for _, f := range userFrames(c.Stack) {
		if at.Dir != "" && strings.HasPrefix(f.site, at.Dir) {
			return f.site
		}
		first = cmp.Or(first, f.site)
	}
	return first
}

// userFrames takes the program's own calls out of a stack as runtime/debug.Stack prints it.
func userFrames(stack []byte) []frame {
	var frames []frame
	lines := strings.Split(string(stack), "\n")
	for i := 1; i+1 < len(lines); i++ {
		site, isSite := strings.CutPrefix(lines[i+1], "\t")
		if !isSite || strings.HasPrefix(lines[i], "\t") || strings.HasPrefix(lines[i], "created by ") {
			continue
		}
		site, _, _ = strings.Cut(site, " ")
		switch name := functionName(lines[i]); {
		case name == "panic":
			frames = frames[:0] // what is above it is the handling of the panic
		case strings.HasSuffix(name, "sched.(*Sched).runBody"):
			return frames // what is below it is another process, whose goroutine is used again
		case !internalFunction(name) && !strings.HasPrefix(site, "<autogenerated>") && !strings.Contains(site, "/src/rehearse/runtime/"):
			frames = append(frames, frame{name, site})
		}
	}
	return frames
}

// functionName takes the arguments off "example.org/p.(*T).f(0x12, ...)".
func functionName(call string) string {
	if i := strings.LastIndexByte(call, '('); i > 0 {
		call = call[:i]
	}
	return strings.ReplaceAll(call, "%2e", ".") // a dot in the last element of an import path
}

// internalFunction reports whether a function is part of the Go runtime, of the tests' runner, or
// of ours.
func internalFunction(name string) bool {
	name = strings.TrimPrefix(name, "github.com/rehearse-go/")
	for _, prefix := range []string{"runtime.", "runtime/", "testing.", "sync.", "reflect.", "iter.", "panic", "rehearse/runtime/", "rehearse/explore"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// UserCalls are the calls of the program's own code in a stack as Go prints it, innermost first.
func UserCalls(stack []byte, at *Places) []Line {
	return stackLines(&trace.Crash{Stack: stack}, at)
}

// Doing says, of a stack as Go prints it, which function the package under test has called and
// where; of one that is in the package's own code, the innermost function.
func Doing(stack []byte, at *Places) (function, place string) {
	frames := userFrames(stack)
	for i, f := range frames {
		if strings.HasPrefix(f.site, at.Dir) {
			return frames[max(0, i-1)].function, at.Of(f.site)
		}
	}
	if len(frames) == 0 {
		return "the runtime", ""
	}
	return frames[0].function, at.Of(frames[0].site)
}
