package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// real runs a micro program as Go code under the controlled runtime.
type real struct {
	p     *micro.Program
	chans []chan int
	locks []*[8]uint64 // addresses to know the synchronisation objects by
	seen  [][]int
	ended []bool
	tb    gate.TB
	model int32 // of the mailboxes
	// with many processes that do nothing, so that the scheduler lists alternatives in the other
	// way
	crowd bool
}

func (r *real) body(tb gate.TB) {
	n := len(r.p.Procs)
	*r = real{p: r.p, model: r.model, crowd: r.crowd, tb: tb, seen: make([][]int, n),
		ended: make([]bool, n)}
	for _, o := range r.p.Objects {
		var ch chan int
		switch o.Type {
		case "chan":
			ch = hook.Made(make(chan int, o.Cap))
		case "bag", "pairs":
			ch = hook.Mailbox(make(chan int))
		}
		r.chans, r.locks = append(r.chans, ch), append(r.locks, new([8]uint64))
	}
	for range 100 {
		if r.crowd {
			hook.Go("nobody", func() {})
		}
	}
	for i := range n {
		if i > 0 && !r.p.Procs[i].Spawned {
			hook.Go(r.p.Procs[i].Name, func() { r.proc(i) })
		}
	}
	r.proc(0)
	hook.Recv[int](nil) // a machine has no test that ends
}

func (r *real) proc(i int) {
	code := r.p.Procs[i].Code
	for pc := 0; pc < len(code); pc++ {
		if s := &code[pc]; s.Word == "if" {
			if len(r.seen[i]) == 0 || r.last(i) != s.N {
				pc += s.Skip
			}
		} else {
			r.do(i, s)
		}
	}
	r.ended[i] = true
}

func (r *real) last(i int) int { return r.seen[i][len(r.seen[i])-1] }

func (r *real) see(i int, v ...int) { r.seen[i] = append(r.seen[i], v...) }

func (r *real) value(i int, s *micro.Stmt) int {
	if s.Last && len(r.seen[i]) > 0 {
		return r.last(i)
	}
	return s.N
}

func (r *real) channel(s *micro.Stmt) chan int {
	if s.Obj < 0 {
		return nil
	}
	return r.chans[s.Obj]
}

func (r *real) do(i int, s *micro.Stmt) {
	switch s.Kind {
	case trace.Send:
		hook.Send(r.channel(s)).V(r.value(i, s))
	case trace.Recv:
		r.see(i, received(hook.Recv2(r.channel(s))))
	case trace.Select:
		r.choice(i, s)
	case trace.Close:
		hook.Close(r.channel(s))
	case trace.Len:
		r.see(i, hook.Len(r.channel(s)))
	case trace.Yield:
		hook.Gosched()
	case trace.Log:
		if s.Word == "fail" {
			r.tb.Fail()
		} else {
			r.tb.Log(s.Text)
		}
	default:
		r.lock(i, s, unsafe.Pointer(r.locks[s.Obj]))
	}
}

func received(v int, ok bool) int {
	if !ok {
		return -1
	}
	return v
}

func (r *real) choice(i int, s *micro.Stmt) {
	var cases []hook.Case
	for j := range s.Cases {
		c := &s.Cases[j]
		if c.Kind == trace.Send {
			cases = append(cases, hook.S(r.channel(c)).Case(r.value(i, c)))
		} else {
			cases = append(cases, hook.R(r.channel(c)))
		}
	}
	k := hook.Select(s.Default, cases...)
	r.see(i, 100+k)
	if k >= 0 {
		if c, ok := cases[k].(*hook.RecvCase[int]); ok {
			r.see(i, received(c.V, c.OK))
		}
	}
}

func (r *real) lock(i int, s *micro.Stmt, m unsafe.Pointer) {
	switch s.Kind {
	case trace.Lock:
		gate.MutexLock(m)
	case trace.TryLock:
		r.see(i, truth(gate.MutexTryLock(m)))
	case trace.Unlock:
		gate.MutexUnlock(m)
	case trace.WLock:
		gate.RWMutexLock(m)
	case trace.WTryLock:
		r.see(i, truth(gate.RWMutexTryLock(m)))
	case trace.WUnlock:
		gate.RWMutexUnlock(m)
	case trace.RLock:
		gate.RWMutexRLock(m)
	case trace.RTryLock:
		r.see(i, truth(gate.RWMutexTryRLock(m)))
	case trace.RUnlock:
		gate.RWMutexRUnlock(m)
	case trace.WgAdd:
		gate.WaitGroupAdd(m, s.N)
	case trace.WgWait:
		gate.WaitGroupWait(m)
	case trace.Once:
		pc, _, _, _ := runtime.Caller(0)
		at := len(r.seen[i])
		gate.OnceDo(m, func() { r.see(i, 1) }, pc)
		if len(r.seen[i]) == at {
			r.see(i, 0)
		}
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// observed has the form of micro.Machine.Observed.
func (r *real) observed(x *trace.Execution) string {
	var b strings.Builder
	for i, seen := range r.seen {
		fmt.Fprintf(&b, "%d%v", i, seen)
		if !r.ended[i] {
			b.WriteString("!")
		}
		b.WriteString(" ")
	}
	fmt.Fprint(&b, x.Log, x.ExitCode)
	return b.String()
}

// TestReal compares dpor over the controlled runtime with exhaustive search over the machine.
func TestReal(t *testing.T) {
	const programs = 150
	compared := 0
	for n := range uint64(programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 2)))
		p := micro.Parse(text)
		want := run(micro.New(p), exhaustive.New(), 5000)
		if !want.complete || want.crashes > 0 {
			// the texts of panics differ, and what a crash hides depends on who starts first
			continue
		}
		compared++
		r := &real{p: p, crowd: n%2 == 1}
		compareReal(t, r, dpor.New(true), want, fmt.Sprintf("program %d, dpor:\n%s", n, text))
		executions := compareReal(t, r, optimal.New(), want,
			fmt.Sprintf("program %d, optimal:\n%s", n, text))
		if executions != len(want.traces) {
			t.Fatalf("program %d: %d executions, cut off or not, of %d traces\n%s", n, executions,
				len(want.traces), text)
		}
	}
	t.Logf("%d programs", compared)
}

// compareReal runs s over the controlled runtime and returns how many executions it made.
func compareReal(t *testing.T, r *real, s explore.Strategy, want *seen,
	what string) (executions int) {
	// the machine keeps the order of groups, too, for those that are declared as wg
	c := world.Config{Groups: true, Model: r.model}
	ex := executor.New(gate.Test{Name: "Test", Run: r.body}, c)
	outcomes, traces := map[string]bool{}, map[uint64]bool{}
	var o depend.Order
	for s.Begin() {
		x := ex.Execute(s, false)
		s.End(x)
		executions++
		if x.End == trace.Quiet {
			outcomes[r.observed(x)] = true
			o.Rewind(0)
			for range x.Events {
				o.Add(x)
			}
			traces[o.Hash()] = true
		}
	}
	if len(missing(want.outcomes, outcomes)) > 0 || len(missing(outcomes, want.outcomes)) > 0 {
		t.Fatalf("outcomes %v, want %v: %s", keys(outcomes), keys(want.outcomes), what)
	}
	if len(traces) != len(want.traces) {
		t.Fatalf("%d traces, want %d: %s", len(traces), len(want.traces), what)
	}
	return executions
}

// explored explores a test function to the end.
func explored(t *testing.T, body func(gate.TB)) explore.Result {
	ex := executor.New(gate.Test{Name: "Test", Run: body}, world.Config{})
	r := explore.Run(ex, dpor.New(true), explore.Limits{MaxExecutions: 200000}, nil)
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Reason)
	}
	return r
}

// philosophers is phil(n), with forks that are actors; with swap, the last philosopher takes the
// right fork first.
func philosophers(n int, swap bool) func(gate.TB) {
	type request struct {
		who  int
		done chan int
	}
	return func(gate.TB) {
		take, put := make([]chan request, n), make([]chan int, n)
		for i := range n {
			take[i], put[i] = hook.Made(make(chan request, 2)), hook.Made(make(chan int, 2))
			hook.Go("fork", func() {
				for range 2 {
					r := hook.Recv(take[i])
					hook.Send(r.done).V(1)
					hook.Recv(put[i])
				}
			})
		}
		done := hook.Made(make(chan int, n))
		for i := range n {
			a, b := i, (i+1)%n
			if swap && i == n-1 {
				a, b = b, a
			}
			hook.Go("philosopher", func() {
				for _, f := range [2]int{a, b} {
					got := hook.Made(make(chan int, 1))
					hook.Send(take[f]).V(request{i, got})
					hook.Recv(got)
				}
				hook.Send(put[a]).V(1)
				hook.Send(put[b]).V(1)
				hook.Send(done).V(i)
			})
		}
		for range n {
			hook.Recv(done)
		}
	}
}

func TestPhilosophers(t *testing.T) {
	r := explored(t, philosophers(3, false)) // 3!·(2^3 - 2), and the deadlock
	if r.Executions != 37 || r.Traces != 37 || len(r.Findings) != 1 ||
		r.Findings[0].Kind != explore.Deadlock {
		t.Errorf("phil(3): %+v", r)
	}
	r = explored(t, philosophers(3, true))
	if r.Executions != 36 || r.Traces != 36 || len(r.Findings) != 0 {
		t.Errorf("philok(3): %+v", r)
	}
}

// buffer is bbuf(p): an actor of capacity 1 with put and get requests in one mailbox, p producers,
// and a consumer.
func buffer(p int) func(gate.TB) {
	type request struct{ get chan int }
	return func(gate.TB) {
		box := hook.Made(make(chan request, 2*p))
		hook.Go("buffer", func() {
			items, gets := 0, []chan int(nil)
			for range 2 * p {
				if r := hook.Recv(box); r.get == nil {
					items++
				} else {
					gets = append(gets, r.get)
				}
				for items > 0 && len(gets) > 0 {
					hook.Send(gets[0]).V(1)
					items, gets = items-1, gets[1:]
				}
			}
		})
		for range p {
			hook.Go("producer", func() { hook.Send(box).V(request{}) })
		}
		for range p {
			reply := hook.Made(make(chan int, 1))
			hook.Send(box).V(request{reply})
			hook.Recv(reply)
		}
	}
}

func TestBuffer(t *testing.T) {
	for p, want := range map[int]int{2: 10, 3: 84, 4: 1008} {
		if r := explored(t, buffer(p)); r.Executions != want || r.Traces != want {
			t.Errorf("bbuf(%d): %d executions of %d traces, %d blocked, want %d", p, r.Executions,
				r.Traces,
				r.Blocked, want)
		}
	}
}

// senders is nsenders(n).
func senders(n int) func(gate.TB) {
	return func(gate.TB) {
		ch := hook.Made(make(chan int, n))
		for i := range n {
			hook.Go("sender", func() { hook.Send(ch).V(i) })
		}
		for range n {
			hook.Recv(ch)
		}
	}
}

// sieve is the pipeline of filters that finds the first n primes. All its channels have one sender
// and one receiver.
func sieve(n int) func(gate.TB) {
	filter := func(p int, in, out chan int) {
		for {
			if v := hook.Recv(in); v%p != 0 {
				hook.Send(out).V(v)
			}
		}
	}
	return func(gate.TB) {
		ch := hook.Made(make(chan int))
		from := ch
		hook.Go("numbers", func() {
			for i := 2; ; i++ {
				hook.Send(from).V(i)
			}
		})
		for range n {
			p, in, out := hook.Recv(ch), ch, hook.Made(make(chan int))
			hook.Go("filter", func() { filter(p, in, out) })
			ch = out
		}
	}
}

// TestLarge has thousands of steps and hundreds of processes.
func TestLarge(t *testing.T) {
	if r := explored(t, sieve(60)); r.Executions != 1 || r.MaxDepth < 4000 {
		t.Errorf("sieve: %d executions, %d steps", r.Executions, r.MaxDepth)
	}
	ex := executor.New(gate.Test{Name: "Test", Run: senders(500)}, world.Config{})
	r := explore.Run(ex, dpor.New(true), explore.Limits{MaxExecutions: 20}, nil)
	if r.Traces != 20 || r.Blocked != 0 {
		t.Errorf("nsenders(500): %d traces, %d blocked", r.Traces, r.Blocked)
	}
}
