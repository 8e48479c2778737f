package fleet

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

var (
	programs = flag.Int("programs", 300, "random programs")
	senders  = flag.Int("senders", 6, "senders of the large search, which has their orders")
	workers  = flag.String("workers", "10", "numbers of workers, with commas between them")
	easy     = flag.Bool("easy", false, "the large search without deaths and slow workers only")
)

// senderText is a program with n! traces.
func senderText(n int) string {
	text := fmt.Sprintf("chan a %d\nmain: <-a", n)
	for range n - 1 {
		text += "; <-a"
	}
	for i := range n {
		text += fmt.Sprintf("\nS%d: a<-%d", i, i)
	}
	return text
}

// counts are what must be the same, whoever dies.
func counts(r explore.Result) (s string) {
	r.Sort()
	s = fmt.Sprintf("%d executions, complete %v; ", r.Executions, r.Complete)
	for _, o := range r.Outcomes {
		s += fmt.Sprintf("%s%q %d; ", o.Kind, o.Log, o.Count)
	}
	for _, f := range r.Findings {
		s += fmt.Sprintf("%s %d; ", f.Identity, f.Count)
	}
	return s
}

// crashes reports whether executions can crash: of those, more or fewer may be run.
func crashes(r *explore.Result) bool {
	return slices.ContainsFunc(r.Findings, func(f explore.Finding) bool {
		return f.Kind != explore.Deadlock
	})
}

// machine returns what makes a machine that runs a program.
func machine(text string) func() explore.Executor {
	return func() explore.Executor { return micro.New(micro.Parse(text)) }
}

// run runs a fleet in a bubble.
func run(t *testing.T, c Config) (r *Result) {
	synctest.Test(t, func(*testing.T) { r = Run(c) })
	return r
}

// TestKeptResults attacks Lemma D1: with workers and keepers that die at any time, answers that
// come late, twice, or to another keeper, the counts are those of one process.
func TestKeptResults(t *testing.T) {
	deaths, keepers, orders, alone, compared := 0, 0, 0, 0, 0
	for n := range *programs {
		text := micro.Random(rand.New(rand.NewPCG(uint64(n), 177)))
		const most = 3000
		want := explore.Run(micro.New(micro.Parse(text)), optimal.New(),
			explore.Limits{MaxExecutions: most}, nil)
		if !want.Complete || want.Executions < 8 || crashes(&want) {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(n), 178))
		total := time.Duration(want.Executions) * 100 * time.Millisecond
		got := run(t, Config{Executor: machine(text), Workers: 1 + r.IntN(6),
			Cost: 100 * time.Millisecond, Slow: 0.2, Latency: 3 * time.Second,
			Life: 10 * time.Second, Keepers: max(2*time.Second, total/8), Journals: t.TempDir(),
			Doubled: 0.3, Seed: uint64(n)})
		compared++
		if counts(got.Result) != counts(want) {
			t.Fatalf("program %d: %d keepers, %d deaths:\n%s, want\n%s\n%s", n, got.Keepers,
				got.Deaths, counts(got.Result), counts(want), text)
		}
		deaths, keepers, orders, alone = deaths+got.Deaths, keepers+got.Keepers,
			orders+got.Orders, alone+got.Alone
	}
	t.Logf("%d programs, %d orders, %d deaths of workers, %d keepers, %d tasks done by these",
		compared, orders, deaths, keepers, alone)
	if compared*30 < *programs || keepers < 2*compared || deaths == 0 {
		t.Error("too little has happened")
	}
}

// TestFleet prints how well many workers are used when each execution takes a second. With -workers
// 1000 -senders 9, a worker has 363 executions.
func TestFleet(t *testing.T) {
	var sizes []int
	for number := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("-workers: %v", err)
		}
		sizes = append(sizes, n)
	}
	text := senderText(*senders)
	want := explore.Run(micro.New(micro.Parse(text)), optimal.New(), explore.Limits{}, nil)
	for _, workers := range sizes {
		for _, hard := range []bool{false, true} {
			if hard && *easy {
				continue
			}
			c := Config{Executor: machine(text), Workers: workers, Cost: time.Second,
				Latency: 20 * time.Millisecond}
			if hard {
				c.Life, c.Slow, c.Doubled = 5*time.Minute, 0.05, 0.05
			}
			r := run(t, c)
			// a slow worker is a tenth of one
			power := float64(workers) * (1 - c.Slow + c.Slow/10)
			ideal := time.Duration(want.Executions) * c.Cost
			t.Logf("%d workers, hard %v: %.1f %% efficient, %v for %v of work, %d orders, "+
				"%d deaths, at most %d queued, %.1f kB each", workers, hard,
				100*ideal.Seconds()/(power*r.Elapsed.Seconds()),
				r.Elapsed.Round(time.Second), ideal, r.Orders, r.Deaths,
				r.MostQueued, float64(r.Bytes)/1000/float64(r.Orders))
			if counts(r.Result) != counts(want) {
				t.Errorf("%s, want %s", counts(r.Result), counts(want))
			}
		}
	}
}
