package executor

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var techniques = []string{"coroutine", "goroutine"}

type first struct{}

func (first) Choose(*trace.State) int { return 0 }

type random struct{ r *rand.Rand }

func (c random) Choose(s *trace.State) int { return c.r.IntN(len(s.Alts)) }

// program makes an executor of a test whose body gets its TB.
func program(technique string, body func(gate.TB)) *Executor {
	return configured(world.Config{Technique: technique, Seed: 1}, body)
}

func configured(c world.Config, body func(gate.TB)) *Executor {
	c.MaxSteps = 10000
	return New(gate.Test{Name: "TestProgram", Run: body}, c)
}

func nsenders(n int) func(gate.TB) {
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

// pingpong exchanges n messages over an unbuffered channel.
func pingpong(n int) func(gate.TB) {
	return func(gate.TB) {
		ping, pong := hook.Made(make(chan int)), hook.Made(make(chan int))
		hook.Go("player", func() {
			for {
				v, ok := hook.Recv2(ping)
				if !ok {
					hook.Close(pong)
					return
				}
				hook.Send(pong).V(v + 1)
			}
		})
		for i := range n {
			hook.Send(ping).V(i)
			if v := hook.Recv(pong); v != i+1 {
				panic(fmt.Sprint("got ", v))
			}
		}
		hook.Close(ping)
		hook.Recv(pong)
	}
}

func describe(x *trace.Execution) string {
	var b strings.Builder
	for _, e := range x.Events {
		fmt.Fprintf(&b, "%d:%v", e.Proc, e.Kind)
		if e.Partner >= 0 {
			fmt.Fprintf(&b, ">%d", e.Partner)
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "end %d done %v blocked %v log %q", x.End, x.MainDone, x.Blocked, x.Log)
	if x.Crash != nil {
		fmt.Fprintf(&b, " crash %q", x.Crash.Text)
	}
	return b.String()
}

// Each scenario is one execution under the chooser that always takes the first alternative.
var scenarios = []struct {
	name string
	body func(gate.TB)
	want string
}{
	{"buffered", nsenders(2),
		`1:send 0:recv 2:send 0:recv 0:end end 0 done true blocked [] log []`},
	{"rendezvous", pingpong(1),
		`0:send>1 1:send>0 0:close 1:recv 1:close 0:recv 0:end end 0 done true blocked [] log []`},
	{"nil channel", func(gate.TB) {
		var c chan int
		hook.Recv(c)
	}, `end 0 done false blocked [0] log []`},
	{"leak", func(gate.TB) {
		c := hook.Made(make(chan int))
		hook.Go("f", func() { hook.Recv(c) })
	}, `0:end end 0 done true blocked [1] log []`},
	{"send on closed", func(gate.TB) {
		c := hook.Made(make(chan int, 1))
		hook.Close(c)
		hook.Send(c).V(1)
	},
		`0:close 0:send 0:log 0:stop end 4 done false blocked [] log [] crash "send on closed channel"`},
	{"close of nil", func(gate.TB) { var c chan int; hook.Close(c) },
		`0:close 0:log 0:stop end 4 done false blocked [] log [] crash "close of nil channel"`},
	{"close twice", func(gate.TB) {
		c := hook.Made(make(chan int))
		hook.Close(c)
		hook.Close(c)
	},
		`0:close 0:close 0:log 0:stop end 4 done false blocked [] log [] crash "close of closed channel"`},
	{"recover", func(t gate.TB) {
		defer func() { t.Log(fmt.Sprint(recover())) }()
		c := hook.Made(make(chan int, 1))
		hook.Close(c)
		hook.Send(c).V(1)
	}, `0:close 0:send 0:log 0:end end 0 done true blocked [] log ["send on closed channel"]`},
	{"select default", func(t gate.TB) {
		r := hook.R(hook.Made(make(chan int)))
		t.Log(fmt.Sprint(hook.Select(true, r)))
	}, `0:default 0:log 0:end end 0 done true blocked [] log ["-1"]`},
	{"select send and receive", func(t gate.TB) {
		a, b := hook.Made(make(chan int)), hook.Made(make(chan int, 1))
		hook.Go("f", func() { hook.Select(false, hook.S(a).Case(7), hook.R(b)) })
		r := hook.R(a)
		t.Log(fmt.Sprint(hook.Select(false, r, hook.S((chan int)(nil)).Case(1)), r.V, r.OK))
	}, `1:send>0 0:log 0:end end 0 done true blocked [] log ["0 7 true"]`},
	{"fail now", func(t gate.TB) {
		t.Cleanup(func() { t.Log("cleaned") })
		t.Log("bad")
		t.FailNow()
	}, `0:log 0:log 0:log 0:log 0:end end 0 done true blocked [] log ["bad" "cleaned"]`},
	{"subtests", func(t gate.TB) {
		ok := t.Run("a b", func(t gate.TB) { t.Log(t.FullName()); t.FailNow() })
		t.Log(fmt.Sprint(ok, t.Failed()))
	},
		`1:log 1:log 1:log 1:end 0:join 0:log 0:log 0:end end 0 done true blocked [] log ["TestProgram/a_b" "false true"]`},
	{"parallel subtests", func(t gate.TB) {
		t.Cleanup(func() { t.Log("cleanup") })
		for _, n := range []string{"a", "b"} {
			t.Run(n, func(t gate.TB) { t.Parallel(); t.Log(n) })
		}
		t.Log("parent returns")
	},
		`0:log 1:end 0:join 2:end 0:join 0:log 0:end 1:join 1:log 1:end 0:join 2:join 2:log 2:end 0:join 0:log 0:end end 0 done true blocked [] log ["parent returns" "a" "b" "cleanup"]`},
	{"panic while unwinding", func(gate.TB) {
		c := hook.Made(make(chan int))
		hook.Go("f", func() {
			defer func() { panic("late") }()
			defer hook.Close(c)
			hook.Recv(c)
		})
	}, `0:end end 0 done true blocked [1] log []`},
	{"wait group", func(t gate.TB) {
		var wg [8]byte
		p := world.Pointer(&wg)
		gate.WaitGroupAdd(p, 1)
		hook.Go("f", func() { gate.WaitGroupAdd(p, -1) })
		gate.WaitGroupWait(p)
		gate.WaitGroupAdd(p, -1)
	},
		`0:wgadd 1:wgadd 0:wgwait 0:wgadd 0:log 0:stop end 4 done false blocked [] log [] crash "sync: negative WaitGroup counter"`},
	{"writer preference", func(t gate.TB) {
		var mu [8]byte
		p := world.Pointer(&mu)
		gate.RWMutexRLock(p)
		hook.Go("writer", func() { gate.RWMutexLock(p); gate.RWMutexUnlock(p) })
		hook.Gosched()
		gate.RWMutexRLock(p)
	}, `0:rlock 0:yield 0:rlock 0:end 1:wlock end 0 done true blocked [1] log []`},
	{"unlock of unlocked", func(t gate.TB) {
		defer func() { recover() }()
		gate.MutexUnlock(world.Pointer(new(int)))
	}, `0:unlock end 4 done false blocked [] log [] crash "sync: unlock of unlocked mutex"`},
}

func TestScenarios(t *testing.T) {
	for _, technique := range techniques {
		for _, sc := range scenarios {
			t.Run(technique+"/"+sc.name, func(t *testing.T) {
				e := program(technique, sc.body)
				for range 3 { // also after itself, to see that nothing is left over
					if got := describe(e.Execute(first{}, false)); got != sc.want {
						t.Errorf("got  %s\nwant %s", got, sc.want)
					}
				}
			})
		}
	}
}

// TestTechniquesAgree runs random schedules of every scenario with both techniques: the executions
// are the same.
func TestTechniquesAgree(t *testing.T) {
	for _, sc := range scenarios {
		var seen []string
		for _, technique := range techniques {
			e := program(technique, sc.body)
			for seed := range uint64(50) {
				got := describe(e.Execute(random{rand.New(rand.NewPCG(1, seed))}, seed%7 == 0))
				if technique == techniques[0] {
					seen = append(seen, got)
				} else if got != seen[seed] {
					t.Fatalf("%s, seed %d: %s\n%s\n%s\n%s", sc.name, seed, techniques[0],
						seen[seed], technique, got)
				}
			}
		}
	}
}

// TestNoGoroutineIsLeft: executions that abandon processes or call Goexit give all their goroutines
// back.
func TestNoGoroutineIsLeft(t *testing.T) {
	for _, technique := range techniques {
		e := program(technique, func(t gate.TB) {
			c := hook.Made(make(chan int))
			for range 3 {
				hook.Go("f", func() { defer hook.Recv(c); hook.Recv(c) })
			}
			t.FailNow()
		})
		for range 4000 {
			e.Execute(first{}, false)
		}
		if n := settled(20); n > 20 {
			t.Errorf("%s: %d goroutines are left", technique, n)
		}
	}
}

// settled waits for goroutines to end until there are at most most, or for some seconds, and
// returns their number: retired workers end beside the executions that follow.
func settled(most int) int {
	n := runtime.NumGoroutine()
	for i := 0; i < 1000 && n > most; i++ {
		time.Sleep(10 * time.Millisecond)
		n = runtime.NumGoroutine()
	}
	return n
}

type last struct{}

func (last) Choose(s *trace.State) int { return len(s.Alts) - 1 }

// TestWriterPreference: a reader that comes after a waiting writer waits, too, and here that is a
// deadlock.
func TestWriterPreference(t *testing.T) {
	for _, sc := range scenarios {
		if sc.name == "writer preference" {
			want := `0:rlock 1:wlock 0:yield end 0 done false blocked [0 1] log []`
			if got := describe(program("coroutine", sc.body).Execute(last{}, false)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}
