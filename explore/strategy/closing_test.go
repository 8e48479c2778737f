package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// The programs of one channel that is closed. A send that finds it closed panics, and commutes with
// nearly everything from then on: what it would have done before the close must not be forgotten.
//
// A script is what one goroutine does: sends (s), receives (r), and at most a close (c), which
// comes last. A program is a multiset of 2 or 3 scripts of 1 to 3 operations, at most 6 in all,
// with one close and at least one send, over a channel of capacity 0, 1 or 2. The scripts with a
// close and n operations are 1, 2 and 4 for n = 1, 2, 3; those without are 2, 4 and 8. So there are
//   - of 2 scripts 7 * 14 = 98, of which 9 have no send: 3 (c, rc, rrc) times 3 (r, rr, rrr);
//   - of 3 scripts, where the other two have at most 5, 4 or 3 operations: 1 * 69 + 2 * 37 + 4 * 11
//     = 187, of which 5 + 4 + 2 = 11 have no send.
//
// 89 + 176 = 265 programs, each with three capacities: 795.

// scripts lists the scripts of up to longest operations.
func scripts(longest int) (list []string) {
	var extend func(s string)
	extend = func(s string) {
		if s != "" {
			list = append(list, s)
		}
		if len(s) == longest || strings.HasSuffix(s, "c") {
			return
		}
		for _, op := range []string{"s", "r", "c"} {
			extend(s + op)
		}
	}
	extend("")
	return list
}

// closings yields the scripts of each program.
func closings() func(func([]string) bool) {
	all := scripts(3)
	var extend func(from int, chosen []string, yield func([]string) bool) bool
	extend = func(from int, chosen []string, yield func([]string) bool) bool {
		ops := strings.Join(chosen, "")
		fits := len(ops) <= 6 && strings.Count(ops, "c") == 1 && strings.Contains(ops, "s")
		if len(chosen) >= 2 && fits && !yield(chosen) {
			return false
		}
		for i := from; i < len(all) && len(chosen) < 3; i++ {
			if !extend(i, append(chosen[:len(chosen):len(chosen)], all[i]), yield) {
				return false
			}
		}
		return true
	}
	return func(yield func([]string) bool) { extend(0, nil, yield) }
}

// orders calls f for each order of list.
func orders(list []string, f func(list []string)) {
	if len(list) == 0 {
		f(nil)
		return
	}
	for i, first := range list {
		rest := append(append([]string(nil), list[:i]...), list[i+1:]...)
		orders(rest, func(rest []string) { f(append([]string{first}, rest...)) })
	}
}

// code returns the statements of a script. Each send has a value of its own.
func code(script string, value *int) (stmts []string) {
	for _, op := range script {
		switch op {
		case 's':
			*value++
			stmts = append(stmts, fmt.Sprintf("c<-%d", *value))
		case 'r':
			stmts = append(stmts, "<-c")
		default:
			stmts = append(stmts, "close c")
		}
	}
	return stmts
}

// bare is the program of scripts that all begin at once.
func bare(scripts []string, room int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "chan c %d\n", room)
	value := 0
	for i, s := range scripts {
		fmt.Fprintf(&b, "T%d: %s\n", i, strings.Join(code(s, &value), "; "))
	}
	return b.String()
}

// awaited is the program as Go has it: main starts all, and each defers its Done.
func awaited(scripts []string, room int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "chan c %d\nwg w\nmain: add w %d", room, len(scripts))
	for i := range scripts {
		fmt.Fprintf(&b, "; go T%d", i)
	}
	b.WriteString("; wait w; log done\n")
	value := 0
	for i, s := range scripts {
		fmt.Fprintf(&b, "*T%d: %s; defer; add w -1\n", i, strings.Join(code(s, &value), "; "))
	}
	return b.String()
}

// TestClosings compares all strategies with exhaustive search, on all programs of one channel that
// is closed. Those that promise to run no more executions than optimal keep that.
func TestClosings(t *testing.T) {
	c := newContest(t)
	programs := 0
	for scripts := range closings() {
		for room := range 3 {
			programs++
			c.compare(bare(scripts, room), 100000, bounded...)
			c.compare(awaited(scripts, room), 100000, bounded...)
		}
	}
	if programs != 795 {
		t.Errorf("%d programs, want 795", programs)
	}
	c.report()
}

// bounded are the searches that run no more executions than optimal.
var bounded = []string{"auto", "pop", "observed", "equal", "observed, symmetry"}

// TestClosingsOrders: nor is anything lost if the goroutines go on in another order.
func TestClosingsOrders(t *testing.T) {
	c := newContest(t)
	n := 0
	for scripts := range closings() {
		orders(scripts, func(scripts []string) {
			if n++; *whole || n%7 == 0 {
				c.compare(bare(scripts, n%3), 100000, bounded...)
			}
		})
	}
	c.report()
}

// TestCrashes does it with random programs that close channels, panic and recover.
func TestCrashes(t *testing.T) {
	c := newContest(t)
	for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
		c.compare(micro.RandomCrashes(rand.New(rand.NewPCG(n, 41))), *largest/4, bounded...)
	}
	c.report()
}

// TestClosingTraps has programs in which an outcome is lost where one thing is forgotten.
func TestClosingTraps(t *testing.T) {
	c := newContest(t)
	for _, text := range []string{
		// the receive makes room for a send that has found the channel closed
		"chan c 1\nA: c<-1\nB: <-c\nC: c<-2; close c",
		// likewise, what len sees
		"chan a 2\nA: a<-2\nB: a<-1; len a\nC: <-a; close a",
		// the second close makes no receive possible
		"chan a 1\nA: close a\nB: log r; close a\nC: <-a; a<-3",
		// a send that panics is no end
		"chan a 1\nchan b 1\nA: select b<-3 | a<-1 | <-b\nB: b<-2\nC: close a; <-b",
		// either may take too much
		"wg w\nA: add w 1; add w -1; log a\nB: add w -1; log b",
		// for pop: len has two places
		"chan a 2\nA: close a\nB: a<-2; <-a\nC: len a",
		"chan a 1\nchan b 1\nA: log 1; <-a\nB: log 2; close b; close b\nC: log 3; a<-1",
	} {
		c.compare(text, 100000)
	}
	c.report()
}

var contestants = flag.String("only", "",
	"compare this way of searching alone, such as \"dpor -sleep\"")

// contest compares searches with exhaustive search on many programs, and counts.
type contest struct {
	t                             *testing.T
	programs, skipped, exhaustive int
	scores                        map[string]*points
}

// points are what one search has done.
type points struct{ executions, blocked, partial, lost int }

func newContest(t *testing.T) *contest { return &contest{t: t, scores: map[string]*points{}} }

// compare searches one program in all ways. Those named run at most as many executions as optimal.
func (c *contest) compare(text string, limit int, frugal ...string) {
	m := micro.New(micro.Parse(text))
	want := exploredBy(m, exhaustive.New(), limit)
	if !want.complete {
		c.skipped++
		return
	}
	c.programs, c.exhaustive = c.programs+1, c.exhaustive+want.executions
	optimal := 0
	for i := range claimants {
		w := &claimants[i]
		if *contestants != "" && w.name != *contestants && w.name != "optimal" {
			continue
		}
		got := exploredBy(m, w.make(m), 20*limit)
		c.score(w.name, got)
		if w.name == "optimal" {
			optimal = got.executions
		}
		if why := w.lostBy(got, want); why != "" {
			c.lose(w.name, why, text)
		}
		for _, name := range frugal {
			if w.name == name && got.executions > optimal {
				c.lose(w.name, fmt.Sprintf("%s: %d executions, optimal has %d", name,
					got.executions, optimal),
					text)
			}
		}
	}
}

func (c *contest) score(name string, got *ends) {
	p := c.scores[name]
	if p == nil {
		p = &points{}
		c.scores[name] = p
	}
	p.executions, p.blocked = p.executions+got.executions, p.blocked+got.blocked
	if !got.complete {
		p.partial++
	}
}

// lose reports the first programs of which a search has not kept what it promises.
func (c *contest) lose(name, why, text string) {
	p := c.scores[name]
	if p.lost++; p.lost <= *keepGoing {
		c.t.Errorf("%s\n%s", why, text)
	}
}

func (c *contest) report() {
	c.t.Logf("%d programs, %d skipped; exhaustive: %d executions", c.programs, c.skipped,
		c.exhaustive)
	for i := range claimants {
		if p := c.scores[claimants[i].name]; p != nil {
			c.t.Logf(
				"%-30s %d executions, %d blocked; %d programs refused, or searched in part; %d at fault",
				claimants[i].name, p.executions, p.blocked, p.partial, p.lost)
		}
	}
}
