package strategy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// nsenders is the program with n senders of one value each and a receiver of all.
func nsenders(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "chan c %d\nmain: %s\n", n, strings.Repeat("<-c; ", n))
	for i := range n {
		fmt.Fprintf(&b, "S%d: c<-%d\n", i, i)
	}
	return b.String()
}

// recording plays back what a strategy was shown in a whole exploration, so that nothing but the
// strategy costs time.
type recording struct {
	states     [][]trace.State // of each execution
	executions []trace.Execution
}

// record explores a program and keeps everything.
func record(p string) *recording {
	r := &recording{}
	m := micro.New(micro.Parse(p))
	s := dpor.New(true)
	for s.Begin() {
		var states []trace.State
		x := m.Execute(recorder{s, &states}, false)
		s.End(x)
		y := *x
		y.Events = append([]trace.Event(nil), x.Events...)
		y.Procs = append([]trace.Proc(nil), x.Procs...)
		for i := range states {
			states[i].Events = y.Events[:i]
		}
		r.states, r.executions = append(r.states, states), append(r.executions, y)
	}
	return r
}

type recorder struct {
	trace.Chooser
	states *[]trace.State
}

func (r recorder) Choose(s *trace.State) int {
	t := *s
	t.Alts = append([]trace.Alt(nil), s.Alts...)
	t.Procs = nil
	for _, op := range s.Procs {
		if op != nil {
			c := *op
			op = &c
		}
		t.Procs = append(t.Procs, op)
	}
	*r.states = append(*r.states, t)
	return r.Chooser.Choose(s)
}

// play shows a strategy the whole recording.
func (r *recording) play(s explore.Strategy) (events int) {
	for i := range r.executions {
		if !s.Begin() {
			panic("the strategy ended early")
		}
		for j := range r.states[i] {
			s.Choose(&r.states[i][j])
		}
		s.End(&r.executions[i])
		events += len(r.executions[i].Events)
	}
	return events
}

// BenchmarkDPOR measures the strategy and the trace hash alone.
func BenchmarkDPOR(b *testing.B) {
	for _, n := range []int{5, 7} {
		b.Run(fmt.Sprintf("nsenders%d", n), func(b *testing.B) {
			r := record(nsenders(n))
			executions, events := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				events += r.play(dpor.New(true))
				executions += len(r.executions)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions), "ns/execution")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}

// BenchmarkRun measures the whole loop over the machine.
func BenchmarkRun(b *testing.B) {
	m := micro.New(micro.Parse(nsenders(7)))
	executions := 0
	b.ReportAllocs()
	for b.Loop() {
		executions += explore.Run(m, dpor.New(true), explore.Limits{}, nil).Executions
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions), "ns/execution")
}

// BenchmarkReal measures everything together. Executions that are cut off count.
func BenchmarkReal(b *testing.B) {
	for _, p := range []struct {
		name     string
		body     func(gate.TB)
		strategy func() explore.Strategy
	}{
		{"dpor/nsenders6", senders(6), func() explore.Strategy { return dpor.New(true) }},
		{"dpor/philosophers3", philosophers(3, true),
			func() explore.Strategy { return dpor.New(true) }},
		{"exhaustive/nsenders4", senders(4), func() explore.Strategy { return exhaustive.New() }},
		{"random/nsenders6", senders(6), func() explore.Strategy { return sample.NewRandom(1) }},
		{"pct/nsenders6", senders(6), func() explore.Strategy { return sample.NewPCT(1) }},
		{"pos/nsenders6", senders(6), func() explore.Strategy { return sample.NewPOS(1) }},
		{"surw/nsenders6", senders(6), func() explore.Strategy { return sample.NewSURW(1) }},
	} {
		b.Run(p.name, func(b *testing.B) {
			ex := executor.New(gate.Test{Name: "Test", Run: p.body}, world.Config{})
			executions, steps := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				r := explore.Run(ex, p.strategy(), explore.Limits{MaxExecutions: 1000}, nil)
				executions += r.Executions + r.Blocked
				steps += r.Transitions
			}
			b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions), "ns/execution")
		})
	}
}

// BenchmarkStrategies compares the whole cost of dpor and optimal: short executions, and long ones.
func BenchmarkStrategies(b *testing.B) {
	for _, p := range []struct {
		name string
		body func(gate.TB)
		most int // executions
	}{{"nsenders8", senders(8), 4000}, {"philok5", philosophers(5, true), 4000},
		{"bbuf6", buffer(6), 4000}, {"nsenders500", senders(500), 20}, {"sieve60", sieve(60), 20}} {
		for _, name := range []string{"dpor", "optimal"} {
			b.Run(p.name+"/"+name, func(b *testing.B) {
				ex := executor.New(gate.Test{Name: "Test", Run: p.body}, world.Config{})
				executions := 0
				for b.Loop() {
					s, err := strategy.New(strategy.Plan{Name: name, Sleep: name == "dpor"})
					if err != nil {
						b.Fatal(err)
					}
					r := explore.Run(ex, s, explore.Limits{MaxExecutions: p.most}, nil)
					executions += r.Executions + r.Blocked
				}
				b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
			})
		}
	}
}
