package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/diagram"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", file, got, want)
	}
}

// run is an execution that a test makes by hand.
type run struct{ trace.Execution }

func newRun(procs ...string) *run {
	r := &run{}
	for i, name := range procs {
		path := "0"
		if i > 0 {
			path = fmt.Sprintf("0.%d", i-1)
		}
		r.Procs = append(r.Procs, trace.Proc{Path: path, Name: name, Ended: true})
	}
	return r
}

func (r *run) event(e trace.Event, site, partnerSite string) {
	if e.Partner == 0 && e.PartnerOp.Kind == trace.None {
		e.Partner = -1
	}
	if e.Kind == trace.None {
		e.Kind = e.Op.Kind
	}
	e.Op.Obj = e.Obj
	r.Events = append(r.Events, e)
	r.Sites = append(r.Sites, "/src/p/"+site)
	if partnerSite != "" {
		partnerSite = "/src/p/" + partnerSite
	}
	r.PartnerSites = append(r.PartnerSites, partnerSite)
}

func (r *run) meet(from, to, ch int32, site, partnerSite string) {
	e := trace.Event{Alt: trace.Alt{Proc: from, Partner: to}, Obj: ch}
	e.Op, e.PartnerOp = trace.Op{Kind: trace.Send, Obj: ch}, trace.Op{Kind: trace.Recv, Obj: ch}
	r.event(e, site, partnerSite)
}

func (r *run) do(p int32, k trace.Kind, obj int32, site string) *trace.Event {
	r.event(trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Op: trace.Op{Kind: k, Obj: obj},
		Obj: obj}, site, "")
	return &r.Events[len(r.Events)-1]
}

func (r *run) buffered(p int32, k trace.Kind, ch, seq int32, site string) {
	e := r.do(p, k, ch, site)
	e.Cap, e.Seq = 2, seq
}

func (r *run) block(p int32, op trace.Op, site string) {
	r.Procs[p].Ended, r.Procs[p].Pending = false, op
	r.Blocked = append(r.Blocked, p)
	r.BlockedSites = append(r.BlockedSites, "/src/p/"+site)
}

var places = &depict.Places{Dir: "/src/p", Cwd: "/src", Lines: map[string][]string{
	"/src/p/inventory.go": {26: "\tgets <- req // ask", 40: "\t\tcase v := <-sets:"},
}}

// inventory is the example of the documentation: two reads with a write between them.
func inventory() *trace.Execution {
	r := newRun("TestInventory", "(*server).loop", "writer")
	r.Objects = []string{"test TestInventory", "chan int made at /src/p/inventory.go:20",
		"chan int made at /src/p/inventory.go:21"}
	r.meet(0, 1, 1, "inventory.go:27", "inventory.go:38")
	r.meet(1, 0, 1, "inventory.go:44", "inventory.go:28")
	r.meet(2, 1, 2, "inventory.go:12", "inventory.go:41")
	r.meet(0, 1, 1, "inventory.go:29", "inventory.go:38")
	r.do(0, trace.Log, 0, "inventory_test.go:31").Op.N = trace.Logged
	r.do(0, trace.Log, 0, "inventory_test.go:31")
	r.Log = []string{"first read 0, second read 1"}
	r.LogSites = []string{"/src/p/inventory_test.go:31"}
	r.Failed, r.MainDone = true, true
	return &r.Execution
}

func TestChart(t *testing.T) {
	x := inventory()
	later := depict.Parting{Step: 0, Instead: trace.ChoiceOf(&x.Events[2], x.Procs)}
	never := depict.Parting{Step: 3, Instead: trace.Choice{Proc: "0.1", Kind: trace.Close},
		Site: "/src/p/inventory.go:13"}
	golden(t, "inventory.txt", join(depict.Chart(x, []depict.Parting{later}, nil, places, false)))
	golden(t, "partings.txt",
		join(depict.Chart(x, []depict.Parting{later, never}, nil, places, false)))
	golden(t, "trace.txt", join(depict.Trace(x, nil, places)))
}

func join(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// TestChartOfRace: the accesses of a race stand where they came, and only those of the finding's
// race.
func TestChartOfRace(t *testing.T) {
	x := inventory()
	first := trace.Access{Proc: 2, After: 0, Write: true, Name: "s.n",
		Site: "/src/p/inventory.go:11"}
	second := trace.Access{Proc: 1, After: 3, Name: "s.n", Site: "/src/p/inventory.go:42"}
	x.Races = []trace.Race{
		{Text: "data race: one", Accesses: []trace.Access{first, second}},
		{Text: "data race: another",
			Accesses: []trace.Access{second,
				{Proc: 0, After: 6, Write: true, Name: "v", Site: "/src/p/inventory_test.go:32"}}},
		{Text: "data race: whose accesses are not known"},
	}
	f := depict.NewFinding(explore.Race, "data race: one", x, places)
	other := depict.NewFinding(explore.Fail, "first read 0, second read 1", x, places)
	if got := other.Races(x); len(got) != 0 {
		t.Errorf("%v: %v", other, got)
	}
	golden(t, "race.txt",
		join(depict.Chart(x, nil, f.Races(x), places, false))+
			join(depict.Chart(x, nil, x.Races, places, false)))
}

// TestChartOfExample: what the runner does to look at an example's output is no row, unless a
// passing run did something else.
func TestChartOfExample(t *testing.T) {
	r := newRun("Example", "Example.func@8")
	r.do(0, trace.Log, 0, "")
	r.Sites[0] = ""
	r.do(1, trace.Log, 0, "e.go:9").Op.N = trace.Printed
	r.do(0, trace.Log, 0, "")
	r.Sites[2] = ""
	lines := depict.Chart(&r.Execution, nil, nil, places, false)
	if got := join(lines); len(lines) != 2 || !strings.Contains(got, "print") ||
		strings.Contains(got, "report") {
		t.Errorf("got\n%s", got)
	}
	lines = depict.Chart(&r.Execution,
		[]depict.Parting{{Step: 2, Instead: trace.Choice{Proc: "0.0", Kind: trace.Log}}}, nil,
		places,
		false)
	if got := join(lines); len(lines) != 3 || !strings.HasPrefix(lines[2], "*") ||
		!strings.Contains(lines[2], "report") {
		t.Errorf("got\n%s", got)
	}
}

// TestChartOfTestify: a report by testify is a row that says what went wrong, without tabs.
func TestChartOfTestify(t *testing.T) {
	x := inventory()
	x.Log = []string{"\n\tError Trace:\t/d/f_test.go:23\n\tError:      \tNot equal: \n" +
		"\t            \texpected: 0\n\t            \tactual  : 1\n\tTest:       \tTestEq\n"}
	got := join(depict.Chart(x, nil, nil, places, false))
	if !strings.Contains(got, "log Not equal:") || strings.Contains(got, "\t") {
		t.Errorf("got\n%s", got)
	}
}

// allKinds has an event of every kind of operation.
func allKinds() *trace.Execution {
	r := newRun("TestAll", "worker", "worker", "closer")
	r.do(1, trace.Lock, 1, "a.go:1")
	r.do(2, trace.TryLock, 1, "a.go:2").OK = false
	r.do(1, trace.Unlock, 1, "a.go:3")
	r.do(1, trace.WLock, 2, "a.go:4").OK = true
	r.do(1, trace.WUnlock, 2, "a.go:5")
	r.do(2, trace.RLock, 2, "a.go:6")
	r.do(1, trace.WLock, 2, "a.go:7")
	r.do(2, trace.RUnlock, 2, "a.go:8")
	r.do(1, trace.WWait, 2, "a.go:9")
	r.do(2, trace.RTryLock, 2, "a.go:10")
	r.do(2, trace.WTryLock, 2, "a.go:11")
	r.do(0, trace.WgAdd, 3, "a.go:12").Op.N = 2
	r.do(1, trace.WgAdd, 3, "a.go:13").Op.N = -1
	r.do(1, trace.Once, 4, "a.go:14").OK = true
	r.do(1, trace.OnceDone, 4, "a.go:14")
	r.do(2, trace.Once, 4, "a.go:14")
	r.do(2, trace.Yield, -1, "a.go:15")
	r.buffered(1, trace.Send, 5, 0, "a.go:16")
	r.do(3, trace.Len, 5, "a.go:17")
	r.buffered(3, trace.Recv, 5, 0, "a.go:18")
	r.buffered(3, trace.Send, 5, 1, "a.go:18")
	r.buffered(3, trace.Recv, 5, 1, "a.go:18")
	r.do(3, trace.Select, -1, "a.go:19").Kind = trace.Default
	r.do(3, trace.Close, 5, "a.go:20")
	r.do(1, trace.Recv, 5, "a.go:21").Closed = true
	r.do(0, trace.Join, 6, "a.go:22")
	r.do(2, trace.End, 6, "")
	r.do(2, trace.Send, 5, "a.go:23").Closed = true
	r.End = trace.Crashed
	r.Crash = &trace.Crash{Proc: 2, Text: "send on closed channel", Stack: []byte(panicStack)}
	return &r.Execution
}

const panicStack = `goroutine 7 [running]:
runtime/debug.Stack()
	/go/src/runtime/debug/stack.go:26 +0x5e
rehearse/runtime/sched.(*Sched).runBody.func1()
	/go/src/rehearse/runtime/sched/proc.go:9 +0x5e
panic({0x1, 0x2})
	/go/src/runtime/panic.go:792 +0x132
rehearse/runtime/hook.Send[...](0xc000, 0x1)
	/go/src/rehearse/runtime/hook/hook.go:30 +0x1d
example.org/lib.(*Queue).Put(...)
	/lib/queue.go:5
example.org/p.worker.func1({0x1, 0x2})
	/src/p/a.go:23 +0x1d
rehearse/runtime/sched.(*Sched).runBody(0x1)
	/go/src/rehearse/runtime/sched/proc.go:9 +0x5e
created by example.org/p.F in goroutine 1
	/src/p/a.go:4 +0x1d
`

func TestChartOfAllKinds(t *testing.T) {
	golden(t, "kinds.txt", join(depict.Chart(allKinds(), nil, nil, places, false)))
}

// blocked has a process blocked in every way.
func blocked() *trace.Execution {
	r := newRun("TestBlocked", "sender", "receiver", "selector", "locker", "writer", "reader",
		"never")
	r.Objects = []string{"log", "chan int made at /src/p/b.go:5",
		"sync.Mutex first used at /src/p/b.go:6", "sync.RWMutex first used at /lib/x.go:6"}
	r.do(3, trace.Lock, 2, "b.go:9")
	r.do(6, trace.RLock, 3, "b.go:10")
	r.do(5, trace.WLock, 3, "b.go:11")
	r.do(0, trace.WgAdd, 4, "b.go:12").Op.N = 3
	r.block(0, trace.Op{Kind: trace.WgWait, Obj: 4}, "b.go:20")
	r.block(1, trace.Op{Kind: trace.Send, Obj: 1}, "b.go:21")
	r.block(2, trace.Op{Kind: trace.Recv, Obj: -1}, "b.go:22")
	r.block(3, trace.Op{Kind: trace.Select, Obj: -1,
		Cases: []trace.Case{{Kind: trace.Recv, Obj: 1}, {Kind: trace.Send, Obj: -1}}}, "b.go:23")
	r.block(4, trace.Op{Kind: trace.Lock, Obj: 2}, "b.go:24")
	r.block(5, trace.Op{Kind: trace.WWait, Obj: 3}, "b.go:25")
	r.block(6, trace.Op{Kind: trace.RLock, Obj: 3}, "b.go:26")
	r.block(7, trace.Op{Kind: trace.Select, Obj: -1}, "b.go:27")
	return &r.Execution
}

// TestChartOfHiddenChoices: a passing execution chose something else at the same step, or did
// something else before.
func TestChartOfHiddenChoices(t *testing.T) {
	r := newRun("TestDice", "walker")
	r.do(0, trace.Draw, -1, "a.go:1").Case = 5
	r.do(1, trace.Pick, -1, "a.go:2")
	r.do(0, trace.Draw, -1, "a.go:3").Case = 2
	r.Values = []string{"drew 5", `key "b"`}
	x := &r.Execution
	other := depict.Parting{Step: 1, Instead: trace.ChoiceOf(&x.Events[1], x.Procs),
		Site: "/src/p/a.go:2", Value: `key "a"`}
	early := depict.Parting{Step: 0, Instead: trace.Choice{Proc: "0.0", Kind: trace.Pick, Case: 1},
		Site: "/src/p/a.go:2", Value: `key "c"`}
	got := join(depict.Chart(x, []depict.Parting{other}, nil, places, false)) +
		join(depict.Chart(x, []depict.Parting{early}, nil, places, false)) +
		join(depict.Trace(x, nil, places))
	golden(t, "hidden.txt", got)
}

func TestText(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places})
	report := func(kind explore.FindingKind, message string, x *trace.Execution) {
		f := depict.NewFinding(kind, message, x, places)
		f.Chart, f.Away, f.Schedule = depict.Chart(x,
			[]depict.Parting{{Step: 0, Instead: trace.Choice{Proc: "0.0", Kind: trace.Close}}}, nil,
			places,
			false), 1, "testdata/rehearse/TestX/3f2a9c41.sched"
		r := &Test{Name: "Test" + string(kind), Verdict: Fail, Findings: []*depict.Finding{f}}
		r.Executions, r.Complete = 7, true
		r.Outcomes = []explore.Outcome{{Verdict: "pass", Log: "ok", Count: 6},
			{Verdict: "fail", Kind: kind, Log: "a\nb", Count: 1}}
		text.Result(r)
	}
	report(explore.Fail, "first read 0, second read 1", inventory())
	report(explore.Panic, "send on closed channel", allKinds())
	report(explore.Deadlock, "8 processes are blocked for ever", blocked())
	text.Result(&Test{Name: "TestPass", Verdict: Pass, Result: explore.Result{Complete: true}})
	text.Result(&Test{Name: "TestCut", Verdict: Pass,
		Result: explore.Result{Executions: 1, Reason: "interrupted"},
		Notes:  []string{"x.sched: no longer applies"}})
	text.Package(&Package{Path: "example.org/p", Verdict: Fail, Tests: 5, Incomplete: 1})
	text.Package(&Package{Path: "example.org/p", Verdict: Fail, Tests: 5, Incomplete: 3,
		Unbegun: 2})
	golden(t, "text.txt", b.String())
}

func TestLongTextsAreClipped(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places, Verbose: true})
	long := strings.Repeat(strings.Repeat("x", 5000)+"\n", 3000)
	f := &depict.Finding{Kind: explore.Panic, Message: long,
		Log: []depict.Line{{Pos: "a.go:1", Text: long}, {Pos: "a.go:2", Text: long}}}
	r := &Test{Name: "TestLong", Verdict: Fail, Findings: []*depict.Finding{f}}
	r.Outcomes = []explore.Outcome{{Verdict: "fail", Kind: explore.Panic, Log: long}}
	text.Result(r)
	if n := b.Len(); n > 64<<10 {
		t.Errorf("%d bytes", n)
	}
	if !strings.Contains(b.String(), "... and 2981 more lines") {
		t.Errorf("got %.500s", b.String())
	}
}

// TestNotesOfQuietTests: tests that have no line of their own share one for each note.
func TestNotesOfQuietTests(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places})
	for _, name := range []string{"TestA", "TestB", "TestC"} {
		notes := []string{"timers"}
		if name == "TestB" {
			notes = append(notes, "saved")
		}
		text.Result(&Test{Name: name, Verdict: Pass, Result: explore.Result{Complete: true},
			Notes: notes})
	}
	text.Package(&Package{Path: "example.org/p", Verdict: Pass, Tests: 3})
	want := "    note  TestA and 2 more: timers\n    note  TestB: saved\nok  \texample.org/p\t0.000s\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestVerboseText(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places, Verbose: true})
	text.Run("TestPass")
	r := &Test{Name: "TestPass", Verdict: Pass,
		Result: explore.Result{Complete: true, Executions: 7,
			Blocked: 2}}
	r.Outcomes = []explore.Outcome{{Verdict: "pass", Log: "one", Count: 6},
		{Verdict: "pass", Log: "two\nlines", Count: 1}}
	text.Result(r)
	text.Package(&Package{Path: "example.org/p", Verdict: Pass, Tests: 2, Incomplete: 1})
	golden(t, "verbose.txt", b.String())
}

func TestLongChartLosesItsMiddle(t *testing.T) {
	r := newRun("TestLong", "worker")
	for i := range 200 {
		r.do(int32(i%2), trace.Yield, -1, fmt.Sprintf("long.go:%d", i+1))
	}
	lines := depict.Chart(&r.Execution,
		[]depict.Parting{{Step: 100, Instead: trace.Choice{Proc: "0", Kind: trace.Close}}}, nil,
		places,
		false)
	golden(t, "long.txt", join(lines))
	if full := depict.Chart(&r.Execution, nil, nil, places, true); len(full) != 201 {
		t.Errorf("the full chart has %d lines, want 201", len(full))
	}
}

func TestLoopsAreFolded(t *testing.T) {
	r := newRun("TestLoop", "worker")
	r.do(0, trace.Yield, -1, "loop.go:1")
	for range 50 {
		r.do(0, trace.Lock, 1, "loop.go:2")
		r.do(1, trace.Len, 2, "loop.go:3")
		r.do(0, trace.Unlock, 1, "loop.go:4")
	}
	for range 20 {
		r.do(1, trace.Yield, -1, "loop.go:5")
	}
	golden(t, "loop.txt", join(depict.Chart(&r.Execution, nil, nil, places, false)))
}

func TestCallsOfLibrariesAreFolded(t *testing.T) {
	r := newRun("TestCalls", "closer")
	call := func(p int32, k trace.Kind, obj int32, called string) {
		r.do(p, k, obj, "calls.go:1")
		r.Calls = append(r.Calls, called)
	}
	call(0, trace.Now, -1, "context.WithTimeout")
	call(0, trace.Lock, 1, "context.WithTimeout")
	call(0, trace.Unlock, 1, "context.WithTimeout")
	call(1, trace.Lock, 1, "context.(*cancelCtx).cancel")
	call(0, trace.Lock, 1, "context.WithTimeout") // another one has moved in between
	call(1, trace.Close, 2, "context.(*cancelCtx).cancel")
	call(1, trace.Lock, 1, "go context.WithCancel.func1")
	call(1, trace.Unlock, 1, "go context.WithCancel.func1")
	call(1, trace.Lock, 1, "")
	call(1, trace.Unlock, 1, "")
	golden(t, "calls.txt", join(depict.Chart(&r.Execution, nil, nil, places, false)))
	if full := depict.Chart(&r.Execution, nil, nil, places, true); len(full) < len(r.Events) {
		t.Errorf("the full chart has %d lines for %d steps", len(full), len(r.Events))
	}
}

func TestManyProcessesBecomeAList(t *testing.T) {
	names := []string{"TestMany"}
	for range diagram.MaxColumns {
		names = append(names, "worker")
	}
	r := newRun(names...)
	for i := range diagram.MaxColumns {
		r.meet(int32(i+1), 0, 1, "many.go:5", "many.go:9")
	}
	r.block(3, trace.Op{Kind: trace.Recv, Obj: 1}, "many.go:7")
	golden(t, "list.txt",
		join(depict.Chart(&r.Execution,
			[]depict.Parting{{Step: 2, Instead: trace.Choice{Proc: "0", Kind: trace.Close}}}, nil,
			places,
			false)))
}

func TestEmptyExecution(t *testing.T) {
	golden(t, "empty.txt",
		join(depict.Chart(&newRun("TestEmpty").Execution, nil, nil, places, false)))
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	j := &JSON{Out: &b, Path: "example.org/p"}
	f := depict.NewFinding(explore.Deadlock, "a <- b", blocked(), places)
	f.Processes = f.Processes[:2]
	f.Schedule, f.Count = "testdata/rehearse/TestX/3f2a9c41.sched", 2
	j.Run("TestX")
	j.Progress("TestX", &explore.Progress{Result: explore.Result{Executions: 5}, Planned: -1})
	j.Found("TestX", f)
	j.Result(&Test{Name: "TestX", Verdict: Fail, Model: "go", Strategy: "optimal",
		Result: explore.Result{Executions: 3, Complete: true,
			Outcomes: []explore.Outcome{{Verdict: "pass", Log: "x", Count: 1}}},
		Findings: []*depict.Finding{f}})
	j.Result(&Test{Name: "TestY", Verdict: Pass})
	j.Package(&Package{Path: "example.org/p", Verdict: Fail, Tests: 3, Incomplete: 2, Unbegun: 1})
	golden(t, "json.txt", b.String())
}
