package drive

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The components of this file are written as the rewriter leaves them: this package's tests are not
// rewritten.

// cell is an actor that serves requests.
type cell struct{ requests chan func(*int) }

func newCell() *cell {
	c := &cell{hook.Made(make(chan func(*int)))}
	hook.Go("cell", func() {
		v := 0
		for {
			hook.Recv(c.requests)(&v)
		}
	})
	return c
}

func (c *cell) Set(v int) {
	done := hook.Made(make(chan bool, 1))
	hook.Send(c.requests).V(func(at *int) { *at = v; hook.Send(done).V(true) })
	hook.Recv(done)
}

func (c *cell) Get() int {
	got := hook.Made(make(chan int, 1))
	hook.Send(c.requests).V(func(at *int) { hook.Send(got).V(*at) })
	return hook.Recv(got)
}

// forward sends what it receives to out, with a mailbox of some length in between.
func forward(out chan<- string, room int) chan<- string {
	in := hook.Made(make(chan string, room))
	hook.Go("forward", func() {
		for {
			hook.Send(out).V(hook.Recv(in))
		}
	})
	return in
}

// merge sends what it receives from two channels into one, which a third process tells out.
func merge(out chan<- string) (a, b chan<- string) {
	x, y, both := hook.Made(make(chan string)), hook.Made(make(chan string)),
		hook.Made(make(chan string, 2))
	for _, c := range []chan string{x, y} {
		hook.Go("one", func() {
			for {
				hook.Send(both).V(hook.Recv(c))
			}
		})
	}
	hook.Go("out", func() {
		for {
			hook.Send(out).V(hook.Recv(both))
		}
	})
	return x, y
}

// loader calls back, and answers with what that returns.
type loader struct{ load func(string) string }

func (l *loader) Load(key string) string { return l.load(key) + "!" }

// echo is a handle.
type echo struct{ in, out chan string }

func (e *echo) Say(s string) string {
	hook.Send(e.in).V(s)
	return hook.Recv(e.out)
}

type room struct{}

func (room) Open() *echo {
	e := &echo{hook.Made(make(chan string)), hook.Made(make(chan string))}
	hook.Go("echo", func() {
		for {
			hook.Send(e.out).V(hook.Recv(e.in))
		}
	})
	return e
}

// ticker sends numbers for ever.
func ticker() <-chan int {
	c := hook.Made(make(chan int))
	hook.Go("ticker", func() {
		for i := 0; ; i++ {
			hook.Send(c).V(i)
		}
	})
	return c
}

// crasher panics at the second send.
func crasher(out chan<- string) chan<- string {
	in := hook.Made(make(chan string))
	hook.Go("crasher", func() {
		hook.Send(out).V(hook.Recv(in))
		panic("closed " + hook.Recv(in))
	})
	return in
}

// quitter ends the program at the second send.
func quitter(out chan<- string) chan<- string {
	in := hook.Made(make(chan string))
	hook.Go("quitter", func() {
		hook.Send(out).V(hook.Recv(in))
		hook.Recv(in)
		hook.Exit(7)
	})
	return in
}

var (
	set1 = refine.Op{On: "result1", Name: ".Set", Kind: refine.Call, Label: "Set",
		Args: []string{"0"}}
	set2 = refine.Op{On: "result1", Name: ".Set", Kind: refine.Call, Label: "Set",
		Args: []string{"1"}}
	get  = refine.Op{On: "result1", Name: ".Get", Kind: refine.Call, Label: "Get"}
	load = refine.Op{On: "result1", Name: ".Load", Kind: refine.Call, Label: "Load",
		Args: []string{"0"}}
	open = refine.Op{On: "result1", Name: ".Open", Kind: refine.Call, Label: "Open"}
	say  = refine.Op{On: "r1#0/0", Name: ".Say", Kind: refine.Call, Label: "Say",
		Args: []string{"0"}}
	sendTo = func(on string, v string) refine.Op {
		return refine.Op{On: on, Kind: refine.Send, Label: on, Args: []string{v}}
	}
)

// claims are the components for which the claim is checked, each with scripts.
var claims = []struct {
	name    string
	harness any
	params  []string
	results []string
	ops     []refine.Op
	answers []refine.Answers
	k       int
}{
	{"cell", newCell, nil, []string{""}, []refine.Op{set1, get}, nil, 1},
	{"cell of three", newCell, nil, []string{""}, []refine.Op{set1, set2, get}, nil, 1},
	{"forward", func(out chan<- string) chan<- string { return forward(out, 0) }, []string{"out"},
		[]string{"in"}, []refine.Op{sendTo("in", "0"), sendTo("in", "1")}, nil, 1},
	{"forward with room", func(out chan<- string) chan<- string { return forward(out, 1) },
		[]string{"out"}, []string{"in"}, []refine.Op{sendTo("in", "0"), sendTo("in", "1")}, nil, 1},
	{"merge", merge, []string{"out"}, []string{"x", "y"},
		[]refine.Op{sendTo("x", "0"), sendTo("y", "1")}, nil, 1},
	{"callback", func(load func(string) string) *loader { return &loader{load} }, []string{"load"},
		[]string{""}, []refine.Op{load}, []refine.Answers{{Port: "load", Args: [][]string{{"0"}}}},
		1},
	{"callbacks", func(load func(string) string) *loader { return &loader{load} }, []string{"load"},
		[]string{""}, []refine.Op{load, load},
		[]refine.Answers{{Port: "load", Args: [][]string{{"0"}, {"1"}}}}, 2},
	{"handle", func() room { return room{} }, nil, []string{""}, []refine.Op{open, say}, nil, 1},
	{"never stops", ticker, nil, []string{"c"}, nil, nil, 2},
	{"exit", quitter, []string{"out"}, []string{"in"},
		[]refine.Op{sendTo("in", "0"), sendTo("in", "1")}, nil, 1},
	{"panic", crasher, []string{"out"}, []string{"in"},
		[]refine.Op{sendTo("in", "0"), sendTo("in", "1")}, nil, 1},
}

// TestClaim checks what everything rests on: the paths that pomsets stand for, one execution for
// each trace, are those that a log of all announcements in one order shows.
func TestClaim(t *testing.T) {
	for _, c := range claims {
		t.Run(c.name, func(t *testing.T) {
			h := &Harness{Name: c.name, Func: c.harness, Params: c.params, Results: c.results,
				Chans: []Chan{ChanOf[string](), ChanOf[int]()}}
			script := &refine.Script{Ops: c.ops, Answers: c.answers, K: c.k}
			v := &refine.View{}
			few := exploreAll(t, h, Settings{Script: script},
				func(_ *trace.Execution, s Shown) { v.Show(s.Inputs, s.Pomset) })
			logs := map[string]bool{}
			many := exploreAll(t, h, Settings{Script: script, Board: true},
				func(*trace.Execution, Shown) { latest.logged(logs) })
			paths := map[string]bool{}
			for _, p := range v.Pomsets {
				linear(v, p, paths)
			}
			compareSets(t, paths, logs)
			t.Logf("%d executions, %d pomsets; %d executions of the log, %d paths", few,
				len(v.Pomsets),
				many, len(logs))
		})
	}
}

func exploreAll(t *testing.T, h *Harness, with Settings, seen func(*trace.Execution, Shown)) int {
	t.Helper()
	Set(with)
	ex := executor.New(gate.Test{Name: "Test", Run: func(tb gate.TB) { Run(h, tb) }},
		world.Config{Technique: "coroutine", MaxSteps: 200})
	s, err := strategy.New(strategy.Plan{Name: "optimal", Spins: 10})
	if err != nil {
		t.Fatal(err)
	}
	r := explore.Run(watcher{ex, seen}, s, explore.Limits{}, nil)
	if !r.Complete {
		t.Fatalf("incomplete: %s", r.Reason)
	}
	return r.Executions
}

type watcher struct {
	explore.Executor
	seen func(*trace.Execution, Shown)
}

func (w watcher) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := w.Executor.Execute(c, sites)
	if x.End != trace.Cut {
		w.seen(x, Latest(x))
	}
	return x
}

// logged adds the announcements of the latest execution, and each beginning of them.
func (r *run) logged(set map[string]bool) {
	type line struct {
		event int32
		text  string
	}
	var lines []line
	for _, a := range r.begun {
		lines = append(lines, line{a.event, inText(a.in)})
	}
	for _, a := range r.shows {
		lines = append(lines, line{a.event, outText(a.out)})
	}
	slices.SortFunc(lines, func(a, b line) int { return int(a.event - b.event) })
	path := ""
	for _, l := range lines {
		if strings.Contains(l.text, "?-1") { // beyond the bound
			break
		}
		path += l.text + " "
		set[path] = true
	}
}

func inText(in refine.Input) string { return in.Key() }

func outText(o refine.Output) string {
	return fmt.Sprintf("%s!%d:%s", o.Port, o.Seq, o.Value.Shown())
}

// linear adds the paths that a pomset stands for. Beside what package refine asks for, a process
// that sends or receives begins again when it has ended: that is what the log has.
func linear(v *refine.View, p refine.Pomset, set map[string]bool) {
	var visit func(sent, shown uint64, path string)
	visit = func(sent, shown uint64, path string) {
		if path != "" {
			set[path] = true
		}
		done := func(port string, seq int) bool {
			return slices.ContainsFunc(p.Outputs, func(o refine.Output) bool {
				return o.Port == port && o.Seq == seq
			}) &&
				!slices.ContainsFunc(p.Outputs, func(o refine.Output) bool {
					return o.Port == port && o.Seq == seq &&
						shown>>slices.IndexFunc(p.Outputs, func(q refine.Output) bool {
							return q.Port == port && q.Seq == seq
						})&1 == 0
				})
		}
		crashed := done("!", 0)
		for i, in := range v.Inputs {
			if crashed || in.Seq < 0 || sent>>i&1 == 1 {
				continue
			}
			ok := !slices.ContainsFunc(in.After, func(o refine.Outcome) bool {
				return !done(o.Port, o.Seq)
			})
			for j, other := range v.Inputs {
				if other.Port != in.Port || other.Seq < 0 || other.Seq >= in.Seq {
					continue
				}
				ended := true
				switch in.Kind {
				case refine.Receive:
					ended = done(in.Port, other.Seq)
				case refine.Send:
					ended = done(fmt.Sprintf("r%d", other.Op), 0)
				}
				ok = ok && ended && sent>>j&1 == 1
			}
			if ok {
				visit(sent|1<<i, shown, path+inText(in)+" ")
			}
		}
		for i, o := range p.Outputs {
			if crashed || shown>>i&1 == 1 || o.Needs&^sent != 0 ||
				o.Seq > 0 && !done(o.Port, o.Seq-1) {
				continue
			}
			visit(sent, shown|1<<i, path+outText(o)+" ")
		}
	}
	visit(0, 0, "")
}

func compareSets(t *testing.T, paths, logs map[string]bool) {
	t.Helper()
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		if !logs[p] {
			t.Fatalf("a pomset stands for %q, and no log has it", p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(logs)) {
		if !paths[p] {
			t.Fatalf("a log has %q, and no pomset stands for it", p)
		}
	}
}
