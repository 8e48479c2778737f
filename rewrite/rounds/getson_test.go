package rounds_test

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse/rewrite/rounds"
	known "github.com/rehearse-go/rehearse/runtime/rounds"
)

type Step = known.Step

// knows tells package runtime/rounds of the loops in this file.
var knows = sync.OnceFunc(func() {
	_, file, _, _ := runtime.Caller(0)
	known.Know(map[string]string{file: rounds.Table(load(file))})
})

// here is a step of the test: the calls that led to it.
func here(receives bool) Step {
	var pcs [32]uintptr
	return Step{PCs: pcs[:runtime.Callers(2, pcs[:])], Receives: receives}
}

// line returns where it is called, some lines up.
func line(up int) int {
	_, _, n, _ := runtime.Caller(1)
	return n - up
}

func helper() []Step {
	return []Step{here(false),
		here(false)}
}

// TestGetsOn: each case makes steps in loops of its own.
func TestGetsOn(t *testing.T) {
	knows()
	type got struct {
		steps []Step
		want  int // line of the loop that counts
	}
	cases := map[string]func() (g got){
		"counted": func() (g got) {
			for range 2 {
				g.want = line(1)
				g.steps = append(g.steps, here(false))
			}
			return g
		},
		"around a call with several steps": func() (g got) {
			for range 2 {
				g.want = line(1)
				g.steps = append(g.steps, helper()...)
			}
			return g
		},
		"two statements": func() (g got) {
			for g.want = line(0); len(g.steps) < 4; {
				g.steps = append(g.steps, here(false))
				g.steps = append(g.steps, here(true))
			}
			return g
		},
		"endless": func() (g got) {
			for {
				g.steps = append(g.steps, here(false))
				if len(g.steps) == 2 {
					return g
				}
			}
		},
		"counts, and asks others whether to end": func() (g got) {
			var stop atomic.Bool
			for i, end := 0, &stop; !stop.Load(); i++ {
				g.steps = append(g.steps, here(false))
				end.Store(i == 3)
			}
			return g
		},
		"gives up by its count": func() (g got) {
			var stop atomic.Bool
			for i := 0; !stop.Load(); i++ {
				g.want = line(1)
				if g.steps = append(g.steps, here(false)); i == 3 {
					break
				}
			}
			return g
		},
		"ends itself": func() (g got) {
			var stop atomic.Int64
			for i := 0; stop.Load() != 3; i++ {
				g.want = line(1)
				g.steps = append(g.steps, here(false))
				stop.Add(1)
			}
			return g
		},
		"asks others about its count": func() (g got) {
			var stop atomic.Int64
			for i := int64(0); stop.Load() != 3+i-i; i++ {
				g.want = line(1)
				g.steps = append(g.steps, here(false))
				stop.Store(i)
			}
			return g
		},
		"leaves by an order": func() (g got) {
			for {
				g.want = line(1)
				if g.steps = append(g.steps, here(false)); len(g.steps) > 2 {
					return g
				}
			}
		},
		"counted in an endless one": func() (g got) {
		out:
			for {
				for range 2 {
					if g.steps = append(g.steps, here(false)); len(g.steps) == 4 {
						break out
					}
				}
			}
			return g
		},
		"a channel": func() (g got) {
			c := make(chan int, 2)
			c <- 1
			c <- 2
			close(c)
			for range func() chan int { g.steps = append(g.steps, here(true)); return c }() {
				g.steps = append(g.steps, here(false))
			}
			return g
		},
		"no loop": func() (g got) {
			g.steps = helper()
			return g
		},
		"a loop beside": func() (g got) {
			for range 2 {
			}
			g.steps = helper()
			return g
		},
		"the loop of a literal's maker": func() (g got) {
			for range 1 {
				g.want = line(1) // the literal is called in it
				func() {
					g.steps = append(g.steps, here(false))
				}()
			}
			return g
		},
	}
	for name, run := range cases {
		t.Run(name, func(t *testing.T) {
			g := run()
			skip := func(f *runtime.Frame) bool {
				return !strings.Contains(f.Function, "TestGetsOn.") &&
					!strings.HasSuffix(f.Function, ".helper")
			}
			want := ""
			if g.want > 0 {
				_, file, _, _ := runtime.Caller(0)
				want = filepath.Base(file) + ":" + strconv.Itoa(g.want)
			}
			if place := filepath.Base(known.GetsOn(g.steps, false, skip)); place != want &&
				!(want == "" && place == ".") {
				t.Errorf("%s, want %q", place, want)
			}
		})
	}
}

// TestPolls: who only polls gets on if the nearest loop counts each round.
func TestPolls(t *testing.T) {
	knows()
	var in, sometimes, each []Step
	for range 2 {
		for n := 0; n != 1; {
			in = append(in, here(false))
			n = 1
		}
	}
	for n := 0; n < 2; {
		sometimes = append(sometimes, here(false))
		if len(sometimes) > 1 {
			n++
		}
	}
	for range 2 {
		each = append(each, here(false))
	}
	skip := func(f *runtime.Frame) bool { return !strings.HasSuffix(f.Function, ".TestPolls") }
	for _, c := range []struct {
		steps        []Step
		polls, works bool
	}{{in, false, true}, {sometimes, false, true}, {each, true, true}} {
		if got := known.GetsOn(c.steps, true, skip) != ""; got != c.polls {
			t.Errorf("%v: who polls gets on: %v, want %v", c.steps, got, c.polls)
		}
		if got := known.GetsOn(c.steps, false, skip) != ""; got != c.works {
			t.Errorf("%v: who works gets on: %v, want %v", c.steps, got, c.works)
		}
	}
}

func deepCall(n int) Step {
	if n == 0 {
		return here(false)
	}
	return deepCall(n - 1)
}

// TestRecursion: a deep recursion gets on, a shallow one without a loop does not.
func TestRecursion(t *testing.T) {
	knows()
	skip := func(f *runtime.Frame) bool { return !strings.Contains(f.Function, "deepCall") }
	if known.GetsOn([]Step{deepCall(30)}, false, skip) == "" {
		t.Error("a deep recursion does not get on")
	}
	if place := known.GetsOn([]Step{deepCall(3)}, false, skip); place != "" {
		t.Errorf("a shallow recursion gets on: %s", place)
	}
}
