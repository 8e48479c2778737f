// Package tests models testing.T: the reports of a test, its subtests and its cleanups. A detached
// *testing.T, made by the code that the overlay adds to package testing, calls a T of this package
// for everything it does.
//
// All reports of a test (log lines, the failed flag) are one object on which operations are
// visible. A test that reports from two processes can tell their order, and so can the reader of
// the log.
//
// The end of a test is an operation, because Fail panics from then on, as in Go. So does Log when
// all tests above it have ended, too: with the top-level test, which is explored as if it were the
// only one.
//
// FailNow from a goroutine that does not run the test, which the documentation of package testing
// forbids, ends that goroutine, as in Go, and adds a line to the log. The output of an example is
// kept and is such a report, too.
//
// LIMITS: output is kept only if it is printed through os.Stdout.
package tests

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Record has the reports of one execution of a top-level test.
type Record struct {
	Log      []string
	Sites    []string        // where each log line came from, if the execution records sites
	helpers  map[string]bool // functions that have called Helper, likewise
	Failed   bool            // the test or a subtest
	Skipped  bool
	Returned bool // the test function has ended, and its cleanups

	Only *Filter // which subtests run; nil: all

	s         *sched.Sched
	top       T // the top-level test
	bubbles   Bubbles
	obj       int32
	out       strings.Builder // what an example has printed
	capturing bool
}

// T is one test or subtest. Its methods are those of testing.T.
type T struct {
	r        *Record
	name     string
	parent   *T
	failed   bool
	skipped  bool
	ended    bool
	finished bool           // its function has returned, or was ended by FailNow or SkipNow
	aborts   bool           // its parent must end, too
	bubble   bool           // it is the function of a synctest.Test
	proc     *sched.Proc    // the process that runs it
	parked   bool           // a parallel subtest that waits for its parent's function to return
	released bool           // the parent's function has returned: parallel subtests may run
	subtests []*T           // all that have been started
	parallel []*T           // parallel subtests
	names    map[string]int // how often each subtest name was used
	cleanups []func()
	atEnd    func() // nil: nothing
	over     bool   // its function has ended, and the cleanups begin
	obj      int32  // the object that Join waits on
}

// Bubbles makes the bubbles of synctest.Test.
type Bubbles interface {
	// Bubble makes a bubble that object obj stands for, on behalf of p.
	Bubble(p *sched.Proc, obj int32) *sched.Bubble
}

// NewRecord returns an empty record for executions of the test by s.
func NewRecord(s *sched.Sched, bubbles Bubbles) *Record { return &Record{s: s, bubbles: bubbles} }

// Reset empties r for the next execution. The log of the last one stays as it is.
func (r *Record) Reset() { *r = Record{s: r.s, bubbles: r.bubbles} }

// Run runs a top-level test function on the calling process.
func (r *Record) Run(name string, f func(gate.TB)) {
	r.obj = r.s.NewObject(func() string { return "test " + name })
	t := &r.top
	*t = T{r: r, name: name, obj: r.obj}
	defer func() {
		r.Failed, r.Skipped, r.Returned = t.failed, t.skipped, t.ended
	}()
	t.run(f)
}

// operation is a declared operation on a test.
type operation struct {
	enabled func() bool
	at      unsafe.Pointer // what it synchronises by, as the race detector is told
}

// Alts appends the only alternative, once it is possible.
func (o operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	if !o.enabled() {
		return dst
	}
	return trace.Alone(dst, p.ID, 0)
}

// Apply tells the race detector which processes the operation orders.
func (o operation) Apply(p *sched.Proc, ev *trace.Event) {
	if ev.Kind != trace.End {
		p.Acquire(o.at)
	}
	if ev.Kind != trace.Join {
		p.ReleaseMerge(o.at)
	}
}

func always() bool { return true }

// do declares an operation on the object of t and waits for it.
func (r *Record) do(kind trace.Kind, t *T, enabled func() bool) {
	r.declare(trace.Op{Kind: kind, Obj: t.obj}, unsafe.Pointer(t), enabled)
}

// declare is do with more than a kind, and for what is no test.
func (r *Record) declare(op trace.Op, at unsafe.Pointer, enabled func() bool) {
	p := r.s.Current()
	if p == nil {
		panic("testing.T is used by a goroutine that is not under control")
	}
	p.Op = op
	r.s.Do(p, operation{enabled, at})
}

// report makes the next statement of the caller a visible operation on the test's log, of a stage
// such as trace.Logged. It reports false while processes are being unwound, when nothing is
// reported any more.
func (r *Record) report(what int32) bool {
	if r.s.Dying() {
		return false
	}
	r.declare(trace.Op{Kind: trace.Log, Obj: r.obj, N: what}, unsafe.Pointer(r), always)
	return true
}

// report is the stage trace.Reported.
func (t *T) report() bool { return t.r.report(trace.Reported) }

// Log implements gate.TB.
func (t *T) Log(text string) {
	text = strings.TrimSuffix(text, "\n")
	indented := strings.ReplaceAll(text, "\n", "\n    ")
	t.r.write(text, "Log in goroutine after "+t.name+" has completed: "+indented+"\n")
}

// Write implements gate.TB.
func (t *T) Write(text string) {
	t.r.write(strings.TrimSuffix(text, "\n"), "Write called after "+t.name+" has completed")
}

// write adds to the log. late is the value of the panic if all tests have ended for which it could
// log.
func (r *Record) write(text, late string) {
	if p := r.s.Current(); p != nil && r.s.Viewed() {
		p.Operand = text
	}
	switch {
	case !r.report(trace.Logged):
	case r.top.ended:
		panic(late)
	default:
		r.keep(text)
	}
}

// keep keeps a line of the log.
func (r *Record) keep(text string) {
	r.Log = append(r.Log, sched.Portable(text))
	if r.s.Sites() {
		r.Sites = append(r.Sites, sched.SiteAbove(r.helpers))
	}
}

// Helper implements gate.TB.
func (t *T) Helper() {
	if !t.r.s.Sites() {
		return
	}
	var pcs [1]uintptr
	gate.Callers(3, pcs[:]) // above it: this method, and that of package testing
	f, _ := runtime.CallersFrames(pcs[:]).Next()
	if t.r.helpers == nil {
		t.r.helpers = map[string]bool{}
	}
	t.r.helpers[f.Function] = true
}

// Fail implements gate.TB: it fails the test and its parents. Like package testing it panics if one
// of them has ended.
func (t *T) Fail() {
	for u := t; u.parent != nil; u = u.parent {
		if !t.r.s.Dying() {
			t.r.do(trace.Log, u, always) // it sees whether u has ended
		}
	}
	if t.report() {
		t.fail()
		t.r.Failed = true
	}
}

// fail fails t's parents, then t.
func (t *T) fail() {
	if t.parent != nil {
		t.parent.fail()
	}
	if t.ended {
		panic("Fail in goroutine after " + t.name + " has completed")
	}
	t.failed = true
}

// Failed implements gate.TB.
func (t *T) Failed() bool { t.report(); return t.failed }

// FailNow implements gate.TB.
func (t *T) FailNow() {
	t.Fail()
	t.stop("FailNow (or Fatal)")
}

// stop ends the calling process, which should be the one that runs the test.
func (t *T) stop(method string) {
	p := t.r.s.Current()
	if p != t.proc && !t.r.s.Dying() && !t.contains(p) {
		t.remark("testing: " + p.Name + " called " + method +
			" and has ended; it does not run the test, which goes on")
	}
	t.finished = true
	p.Goexit()
}

// remark adds a line to the log that the program has not logged. When the test has ended, there is
// no test to tell.
func (t *T) remark(text string) {
	if !t.r.top.ended {
		t.Log(text)
	}
}

// contains reports whether p runs a subtest of t.
func (t *T) contains(p *sched.Proc) bool {
	for _, sub := range t.subtests {
		if sub.proc == p || sub.contains(p) {
			return true
		}
	}
	return false
}

// SkipNow implements gate.TB.
func (t *T) SkipNow() {
	t.report()
	t.skipped = true
	t.stop("SkipNow (or Skip)")
}

// Skipped implements gate.TB.
func (t *T) Skipped() bool { t.report(); return t.skipped }

// Cleanup implements gate.TB.
func (t *T) Cleanup(f func()) {
	if t.report() {
		t.cleanups = append(t.cleanups, f)
	}
}

// AtEnd implements gate.TB.
func (t *T) AtEnd(f func()) {
	if t.over {
		f()
		return
	}
	t.atEnd = f
}

// FullName implements gate.TB.
func (t *T) FullName() string { return t.name }

// Run implements gate.TB: the subtest is a process of its own, if it is to run.
func (t *T) Run(name string, f func(gate.TB)) bool {
	s := t.r.s
	p := s.Current()
	sub := &T{r: t.r, name: t.name + "/" + t.unique(name), parent: t}
	if !t.r.Only.Picks(sub.name) {
		return true
	}
	sub.obj = s.NewObject(func() string { return "subtest " + sub.name })
	t.subtests = append(t.subtests, sub)
	s.Spawn(p, sub.name, func() { sub.run(f) })
	t.join(sub)
	if sub.aborts {
		p.Goexit()
	}
	return !sub.failed
}

// Bubble implements gate.TB: the test goes on in a bubble, and its caller when all processes of
// that have ended.
func (t *T) Bubble(f func(gate.TB)) bool {
	s := t.r.s
	if s.Dying() {
		return false
	}
	p := s.Current()
	sub := &T{r: t.r, name: t.name, parent: t, bubble: true}
	sub.obj = s.NewObject(func() string { return "the bubble of " + t.name })
	b := t.r.bubbles.Bubble(p, sub.obj)
	t.subtests = append(t.subtests, sub)
	s.SpawnIn(b, p, t.name+" in its bubble", func() { sub.run(f) })
	t.r.do(trace.Join, sub, func() bool { return sub.ended && b.Live == 0 })
	p.Acquire(unsafe.Pointer(b))
	if sub.aborts {
		p.Goexit()
	}
	return !sub.failed
}

// signal is the event for which a Join of t waits: the caller's next change is a part of the same
// step.
func (t *T) signal(what int32) {
	t.r.declare(trace.Op{Kind: trace.End, Obj: t.obj, N: what}, unsafe.Pointer(t), always)
}

// join waits until sub has ended, or has declared itself parallel while its parent still runs.
func (t *T) join(sub *T) {
	t.r.do(trace.Join, sub, func() bool { return sub.ended || sub.parked && !t.released })
}

// Parallel implements gate.TB. A top-level test is explored alone, so there it has no effect.
func (t *T) Parallel() {
	if t.parent == nil {
		return
	}
	t.signal(trace.Parked)
	t.parked = true
	t.parent.parallel = append(t.parent.parallel, t)
	t.r.do(trace.Join, t.parent, func() bool { return t.parent.released })
}

// unique gives a subtest the name that package testing would: spaces become underscores, and
// repeated names a number.
func (t *T) unique(name string) string {
	name = strings.ReplaceAll(name, " ", "_")
	n, used := t.names[name]
	if t.names == nil {
		t.names = map[string]int{}
	}
	t.names[name] = n + 1
	if name == "" || used {
		return fmt.Sprintf("%s#%02d", name, n)
	}
	return name
}
