package depict

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/explore/locks"
	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// NewFinding describes what is wrong with x, which must have been run with sites. It leaves out
// what only an explorer knows: Schedule, Count, Chart and Away.
func NewFinding(kind explore.FindingKind, message string, x *trace.Execution, at *Places) *Finding {
	f := &Finding{Kind: kind, Message: message,
		Identity: explore.NewProblem(kind, message, x).Identity, Away: -1, Log: logOf(x, at)}
	n := NewNames(x, at)
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
		stack := stackLines(&trace.Crash{Stack: stacks[len(stacks)-1-i]}, n.At)
		f.Accesses = append(f.Accesses, RaceEnd{a.Verb() + " of " + a.Name, n.proc(a.Proc), stack,
			int(a.After), n.holds(&a)})
	}
}

// holds lists the locks that the process of an access holds there.
func (n *names) holds(a *trace.Access) (list []Lock) {
	for _, h := range locks.At(n.X, a.Proc, int(a.After)) {
		at := Site(n.X.Sites, h.Step)
		code := operands.Of(n.At.Source(at), n.X.Events[h.Step].Kind)
		list = append(list, Lock{n.obj(h.Obj), code, n.At.Line(at), h.Read})
	}
	return list
}

// Races are those of x that f is about: one, or none.
func (f *Finding) Races(x *trace.Execution) []trace.Race {
	return slices.DeleteFunc(slices.Clone(x.Races), func(r trace.Race) bool {
		return f.Kind != explore.Race || r.Text != f.Message
	})
}

// logOf is the test's log in x.
func logOf(x *trace.Execution, at *Places) []Line {
	lines := make([]Line, len(x.Log))
	for i, text := range x.Log {
		lines[i] = Line{Pos: at.Line(Site(x.LogSites, i)), Text: text}
	}
	return lines
}

func (f *Finding) addCrash(n *names) {
	crash := n.X.Crash
	f.Stack = stackLines(crash, n.At)
	p := n.X.Procs[crash.Proc]
	state := "panicked"
	if n.X.Stuck {
		state = "running"
	}
	f.Processes = append(f.Processes, Process{
		Name: n.proc(crash.Proc), Path: p.Path, State: state, Op: crash.Text,
		Pos: n.At.Of(crashSite(crash, n.At)),
	})
}

func (f *Finding) addBlocked(n *names) {
	leaked := explore.Leaked(n.X)
	for i, b := range n.X.Blocked {
		if f.Kind == explore.Leak && !slices.Contains(leaked, b) || n.hides(b) {
			continue
		}
		p := n.X.Procs[b]
		f.Processes = append(f.Processes, Process{
			Name: n.proc(b), Path: p.Path, State: "blocked",
			Op:   cmp.Or(n.waitsInside(b), n.waits(&p.Pending)),
			Wait: trace.WaitReason(&p.Pending),
			Pos:  n.At.Of(n.blockedSite(i)),
		})
	}
}

// blockedSite returns where the i-th blocked process waits. For a process that only runs code of
// the library, this is the place where it was spawned; for a process that waits until the body of
// an answer is closed, the place where the client has asked.
func (n *names) blockedSite(i int) string {
	if r := n.unclosed(n.X.Blocked[i]); r != nil {
		return n.requests.askedAt(r)
	}
	if at := Site(n.X.BlockedSites, i); at != "" {
		return at
	}
	return n.X.Procs[n.X.Blocked[i]].Site
}

// position is the best single place for f: that of the first process concerned, or of the last line
// that was logged.
func (f *Finding) position() string {
	if f.Kind == explore.Race && len(f.Stack) > 0 {
		return f.Stack[max(0, slices.IndexFunc(f.Stack, isRelative))].Pos
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

// isRelative reports whether a line is one of the module's code: the library, which may have made
// an access for the program, is elsewhere.
func isRelative(l Line) bool { return !filepath.IsAbs(l.Pos) }

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
		if !isSite || strings.HasPrefix(lines[i], "\t") ||
			strings.HasPrefix(lines[i], "created by ") {
			continue
		}
		site, _, _ = strings.Cut(site, " ")
		switch name := functionName(lines[i]); {
		case name == "panic":
			frames = frames[:0] // what is above it is the handling of the panic
		case strings.HasSuffix(name, "sched.(*Sched).runBody"):
			return frames // what is below it is another process, whose goroutine is used again
		case !internalFunction(name) && !strings.HasPrefix(site, "<autogenerated>") &&
			!strings.Contains(site, "/src/rehearse/runtime/") && !addedFile(name, site):
			frames = append(frames, frame{name, site})
		}
	}
	return frames
}

// addedFile reports whether a function of the library stands in a file that rehearse adds to it.
func addedFile(name, site string) bool {
	pkg, _, _ := strings.Cut(name, ".")
	return strings.Contains(site, "/src/"+pkg+"/rehearse")
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
	return slices.ContainsFunc([]string{"runtime.", "runtime/", "testing.", "sync.", "reflect.",
		"iter.",
		"panic", "rehearse/runtime/", "rehearse/explore"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// UserCalls are the calls of the program's own code in a stack as Go prints it, innermost first.
func UserCalls(stack []byte, at *Places) []Line {
	return stackLines(&trace.Crash{Stack: stack}, at)
}

// Doing returns the function that the package under test has called, and where, from a stack as Go
// prints it. If the stack ends in the package's own code, it returns the innermost function.
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

// Finding is one thing that is wrong.
type Finding struct {
	Kind      explore.FindingKind
	Message   string
	Sentence  string    // what decides; see sentence.go; empty: it is not known
	Identity  string    // as explore.Problem has it
	Processes []Process // those it concerns: the blocked ones, or the one that panicked
	Pos       string    // place, with column when known; may be empty
	Schedule  string    // file, relative to the package's directory; empty if it could not be saved
	// why the schedule is not minimised to the end, or not shown; empty if it is, or if there are
	// many findings
	Rough string
	Count int // executions that showed it
	// the randomised strategy that found it, if it was a sample beside a systematic search
	Sampler string
	Log     []Line   // what the test logged in the execution that is shown
	Chart   []string // that execution; empty: not shown
	// steps by which it differs from a passing execution; -1: none is known
	Away     int
	Stack    []Line          // of a panic, innermost first: function and place; of a race, both
	Accesses []RaceEnd       // of a race: the two accesses
	Causes   []Cause         // why the steps that deviate matter; nil: nobody has asked
	Traces   []*record.Trace // the execution that shows it, and the one beside; nil: nobody records
	Racing   []*Finding      // data races of executions near it that do not end as it does

	// the longest time for which a goroutine must be held up so that it shows; 0: none must
	Delay time.Duration
	Held  []Held // who must be
}

// Sort puts findings in an order that does not depend on which was found first.
func Sort(list []*Finding) {
	slices.SortStableFunc(list, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Identity, b.Identity))
	})
}

// RaceEnd is one of the two accesses of a race.
type RaceEnd struct {
	What    string // "write of p.n"
	Process string
	Stack   []Line
	Step    int    // the number of steps that had been done
	Holds   []Lock `json:",omitempty"` // what the process has locked
}

// Lock is a lock that is held.
type Lock struct {
	Name string // "mu1"
	Code string `json:",omitempty"` // what the code calls it: "s.mu"; empty: that is not clear
	Pos  string // where it was locked
	Read bool   `json:",omitempty"` // for reading only
}

// Held is the time for which a goroutine must be held up.
type Held struct {
	Name, Path string // as of a Process
	For        time.Duration
}

// Process is the part of one process in a finding.
type Process struct {
	Name  string
	Path  string // as in schedules
	State string // "blocked", "panicked", or "running" at a step that does not end
	Op    string // what it waits for or did, in words
	Wait  string // of a blocked one: what it waits for, in the words of Go's own goroutine dumps
	Pos   string // where; may be empty
}

// Line is a text with the place it comes from.
type Line struct {
	Pos  string
	Text string
}

// SetDelay says who must be held up so that x, which shows f, comes about.
func (f *Finding) SetDelay(d delay.Delay, x *trace.Execution, at *Places) {
	f.Delay = d.Least
	n := NewNames(x, at)
	for _, h := range d.Holds {
		f.Held = append(f.Held, Held{n.proc(h.Proc), x.Procs[h.Proc].Path, h.For})
	}
}

// Condition is "if (*Store).load is held up for 30ms"; empty if nobody must be.
func (f *Finding) Condition() string {
	if len(f.Held) == 0 {
		return ""
	}
	var list []string
	for i, h := range f.Held {
		switch {
		case i == maxHeld:
			list = append(list, fmt.Sprintf("%d more", len(f.Held)-i))
		case i < maxHeld:
			list = append(list, fmt.Sprintf("%s for %v", h.Name, words.Rounded(h.For)))
		}
	}
	text := strings.Replace(list[0], " for ", " is held up for ", 1)
	if n := len(list); n > 1 {
		text = strings.Join(append([]string{text}, list[1:n-1]...), ", ") + " and " + list[n-1]
	}
	return "if " + text
}

// maxHeld bounds the goroutines that a line names.
const maxHeld = 3
