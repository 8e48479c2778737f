package goprog

import (
	"fmt"
	"strings"
)

// NewTickets makes the program of a seed whose processes take the numbers of their jobs from a
// counter. In most of them each job accesses variables of its own. In the others a job does more, a
// worker remembers what it has done, leaves early or comes again, the workers differ in a type,
// somebody else looks at the counter or at what a job has written, or there are data races.
func NewTickets(seed uint64) *Program {
	g := &tickets{monitors: newMonitors(seed, 0x64)}
	g.races, g.odd = g.IntN(4) == 0, g.IntN(10)
	if g.odd == typed && seed%4 == 3 {
		g.odd = 0
	}
	add := func(text string) {
		if seed%4 == 3 {
			text = plainCounter.Replace(text)
		}
		g.p.body = append(g.p.body, leaf(text))
	}
	add("var next, other atomic.Int32\nvar mu sync.Mutex\nvar wg sync.WaitGroup\nvar n atomic.Int32\n" +
		"x, y := 0, 0\nvar slot [6]int\nvar got [4]string\nfirst := make(chan int, 4)\n" +
		"jobs := " + g.choose("2", "2", "3") + "\n_, _, _, _, _, _, _ = &mu, &n, &x, &y, &other, first, jobs")
	add("work := func(q int) {\n" + g.process() + "\n}")
	if g.odd == twice || g.IntN(12) == 0 {
		add(g.choose("next.Store(1)", "next.Add(1)", "slot[0] = 1", "x = 1"))
	}
	count := 2 + g.IntN(5)/4
	for q := range count {
		text := "work(" + fmt.Sprint(q) + ")"
		switch g.IntN(8) {
		case 0:
			text = "got[" + fmt.Sprint(q) + "] += fmt.Sprint(q)\n" + text
			text = strings.Replace(text, "fmt.Sprint(q)", fmt.Sprintf("%q", "b"), 1)
		case 1:
			text += fmt.Sprintf("\ngot[%d] += \"e\"", q)
		case 2:
			text = g.choose("n.Add(1)", "mu.Lock()\ny++\nmu.Unlock()") + "\n" + text
		}
		add("wg.Go(func() {\n" + text + "\n})")
		if g.races && g.IntN(4) == 0 {
			add(g.choose("x = 2", "slot[1] = 5", "got[3] = fmt.Sprint(slot[0])"))
		}
	}
	if g.odd == beside {
		add("wg.Go(func() {\n" + g.choose("got[3] = fmt.Sprint(next.Load())", "next.Add(1)",
			"next.Store(0)", "next.CompareAndSwap(1, 0)",
			"if n.Load() > 0 {\nnext.Store(2)\n}") + "\n})")
	}
	if g.odd == leaving {
		add("<-first\n" + g.choose("got[3] = fmt.Sprint(n.Load())", "n.Add(2)",
			"got[3] = fmt.Sprint(slot)", "slot[0] = 7"))
	}
	add("wg.Wait()")
	add("t.Log(got, slot, x, y, n.Load())")
	if g.IntN(6) == 0 {
		add("t.Log(next.Load())")
	}
	return g.p
}

// plainCounter makes the counter a plain variable, for functions of package sync/atomic.
var plainCounter = strings.NewReplacer("var next, other atomic.Int32",
	"var next int32\nvar other atomic.Int32", "next.Add(", "atomic.AddInt32(&next, ",
	"t.Log(next.Load())", "t.Log(next)", "next.Load()", "atomic.LoadInt32(&next)",
	"next.Store(2)", "atomic.StoreInt32(&next, 2)", "next.Store(1)", "next = 1",
	"next.Store(0)", "next = 0", "next.CompareAndSwap(", "atomic.CompareAndSwapInt32(&next, ")

// tickets makes one such program.
type tickets struct {
	*monitors
	odd int
}

// These are oddities.
const (
	twice   = 1 + iota // the loop is entered again
	beside             // somebody else uses the counter
	leaving            // the first process that leaves its loop says so
	minding            // a process remembers what it has done
	doing              // a job does more than to access variables of its own
	typed              // the processes' code differs in a type
)

// process takes numbers in a loop, and does the jobs.
func (g *tickets) process() string {
	before, body, after := "", g.job(), ""
	end := "i >= jobs"
	switch g.odd {
	case minding:
		before = "mine := 0"
		body += "\n" + g.choose("mine++", "mine += i", "mine = i", "mine = 1")
		after = g.choose("got[q] += fmt.Sprint(mine)", "_ = mine", "n.Add(int32(mine))",
			"if mine > 1 {\ngot[q] += \"m\"\n}")
	case leaving:
		after = "first <- 1"
	case doing:
		body += "\n" + g.more()
	}
	if g.IntN(10) == 0 {
		end = g.choose("i >= jobs || i == 1", "i == jobs-1 || i >= jobs", "i%2 == 1", "x > 0 || i >= jobs",
			"i >= jobs || slot[i] > 0")
	}
	take, delta := "next.Add(1)", "1"
	if g.IntN(10) == 0 {
		delta = g.choose("2", "3")
		take = "next.Add(" + delta + ")"
	}
	take = "int(" + take + ") - 1"
	loop := ""
	switch g.IntN(4) {
	case 0:
		loop = "i := " + take + "\nfor ; !(" + end + "); i = " + take + " {\n" + body + "\n}"
	case 1:
		loop = "for i := " + take + "; !(" + end + "); i = " + take + " {\n" + body + "\n}"
	case 2:
		loop = "for {\ni := " + take + "\nif " + end + " {\nreturn\n}\n" + body + "\n}"
		if after != "" {
			before, after = before+"\ndefer func() {\n"+after+"\n}()", ""
		}
	default:
		loop = "for {\ni := " + take + "\nif " + end + " {\nbreak\n}\n" + body + "\n}"
	}
	text := before + "\n" + loop + "\n" + after
	if g.odd == typed {
		text = before + "\nif q%2 == 0 {\ntakes[int8](&next, jobs, &slot)\n} else {\n" +
			"takes[uint8](&next, jobs, &slot)\n}\n" + after
	}
	if g.odd == twice {
		text = "for range 2 {\n" + strings.Replace(text, "return", "break", 1) + "\n}"
	}
	return text
}

// job is what a process does with a number, i.
func (g *tickets) job() string {
	at := "slot[i%6]"
	if g.IntN(8) == 0 {
		at = g.choose("slot[i%2]", "slot[q]", "slot[0]", "x")
	}
	text := g.choose(at+" = i + 1", at+"++", at+" = x + i", at+" += i", at+" = len(got[q])",
		"if i > 0 {\n"+at+"++\n}", "func() {\n"+at+"++\n}()", "_ = slot[i%6]")
	if g.IntN(8) == 0 {
		text += "\n" + g.choose("x++", "x = 3", "y = slot[i%6]", "got[q] += fmt.Sprint(i)",
			"if x == 0 {\ny++\n}", "_ = slot[(i+1)%6]")
	}
	return text
}

// more is what makes a job no block.
func (g *tickets) more() string {
	return g.choose("mu.Lock()\nx++\nmu.Unlock()", "n.Add(1)", "got[q] += fmt.Sprint(n.Add(1))",
		"if i == 0 {\nfunc() {\ndefer func() {\nrecover()\n}()\npanic(1)\n}()\n}",
		"if i == 1 {\nruntime.Goexit()\n}", "if i == 1 {\nbreak\n}", "if i == 0 {\ncontinue\n}",
		"first <- i", "wg.Go(func() {\nslot[5] = i\n})", "got[q] += fmt.Sprint(other.Add(1))",
		"for {\nj := other.Add(1)\nif j > 1 {\nbreak\n}\nslot[5]++\n}", "t.Log(i)",
		"fmt.Sscan(\"4\", &slot[i%6])", "runtime.Gosched()")
}
