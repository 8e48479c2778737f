package goprog

import (
	"fmt"
	"strings"
)

// NewGroups makes the program of a seed whose processes add to WaitGroups and wait for them, update
// atomic variables, run a Once, use a sync.Map, and report by equal values. In most programs some
// processes are twins. Some Adds come late, some Dones have no Add, some updates look at what was
// there before, and some programs have data races. They are small: exhaustive search comes to the
// end of most.
func NewGroups(seed uint64) *Program {
	g := &groups{monitors: newMonitors(seed, 0x77)}
	g.races, g.late, g.free = g.IntN(5) == 0, g.IntN(4) == 0, g.IntN(4) == 0
	g.theme = g.IntN(8) % 6
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(g.head())
	n := 2 + g.IntN(3)/2
	first := n
	if g.late {
		first -= g.IntN(2)
	}
	if !g.free {
		add(fmt.Sprintf("wg.Add(%d)", first))
	}
	for q := 0; q < n; q++ {
		twins := 1
		if g.IntN(3) == 0 && q+1 < n {
			twins = 2
		}
		g.self = q
		text := "go func() {\n" + g.process(n) + "\n}()"
		if twins > 1 {
			text = fmt.Sprintf("for range %d {\n%s\n}", twins, text)
			if g.IntN(3) == 0 { // they are no twins
				i := fmt.Sprint(q)
				text = strings.ReplaceAll(strings.Replace(text, "for range", "for i := range", 1),
					"got["+i+"]",
					"got["+i+"+i]")
				text = strings.Replace(text, "go func() {\n", "go func() {\n_ = i\n", 1)
			}
		}
		add(text)
		q += twins - 1
	}
	g.self = 3
	if first < n && !g.free {
		add("wg.Add(1)")
	}
	if g.IntN(6) == 0 {
		add(g.step())
	}
	add(g.wait(n))
	if g.IntN(6) == 0 {
		add(g.step())
	}
	seen := "got[3]"
	if !g.late && !g.free {
		seen = "got, y, ran"
	}
	// Go may read variables after the calls that stand behind them
	add(
		"keys, v, w, k := 0, n.Load(), o.Load(), len(done)\nm.Range(func(_, v any) bool { keys += v.(int); return true })\nt.Log(" +
			seen + ", v, w, k, keys)")
	return g.p
}

// groups makes one such program.
type groups struct {
	*monitors
	late, free bool // Adds come late; there is no Add for all processes
	theme      int
}

// The subject of most steps of a program. Steps of other numbers are about WaitGroups.
const (
	updating = iota // of most: 0 and 6
	keying          // 1 and 7
	running
	reporting
)

func (g *groups) head() string {
	room := g.choose("", ", 1", ", 2", ", 8")
	return "var wg sync.WaitGroup\nvar n, o atomic.Int32\nvar once sync.Once\nvar m sync.Map\nvar mu sync.RWMutex\ny, ran := 0, 0\nvar got [4]string\n" +
		"done := make(chan int" + room +
		")\n_, _, _, _, _, _, _ = &wg, &n, &once, &m, &mu, done, &ran\n_, _, _ = &y, &o, &got"
}

// process is what one of n goroutines does.
func (g *groups) process(n int) string {
	var list []string
	for range 1 + g.IntN(2)*(3-n) {
		list = append(list, g.step())
	}
	switch {
	case g.theme == reporting:
		list = append(list, "done <- "+g.choose("7", "7", fmt.Sprint(g.self)))
	case g.free && g.IntN(2) == 0:
		return strings.Join(list, "\n")
	}
	at := len(list)
	if g.late && g.IntN(3) == 0 {
		at = g.IntN(len(list) + 1)
	}
	list = append(list[:at:at], append([]string{"wg.Done()"}, list[at:]...)...)
	if g.free {
		list = append([]string{"wg.Add(1)"}, list...)
	}
	return strings.Join(list, "\n")
}

// wait is how the test waits for n processes.
func (g *groups) wait(n int) string {
	if g.theme != reporting {
		return g.choose("wg.Wait()", "wg.Wait()", "wg.Wait()\nwg.Wait()",
			"go func() {\nwg.Wait()\n"+g.saw("n.Load()")+"\n}()\nwg.Wait()")
	}
	between := ""
	if g.IntN(3) == 0 {
		between = "\n" + g.step()
	}
	return fmt.Sprintf("for range %d {\n%s%s\n}", n,
		g.choose("<-done", "<-done", "<-done", "_ = <-done", g.saw("<-done")), between)
}

// step is one operation, or a few.
func (g *groups) step() string {
	if g.races && g.IntN(3) == 0 {
		return g.choose("y++", "y++\n"+g.atomic(), g.atomic()+"\n"+g.saw("y"), g.saw("y"),
			fmt.Sprintf("y = %d", g.self), "if n.Load() == 1 {\ny++\n}")
	}
	theme := g.theme
	if g.IntN(4) == 0 {
		theme = g.IntN(8) % 6
	}
	switch theme {
	case updating:
		return g.atomic()
	case keying:
		return g.entry()
	case running:
		return g.once()
	case reporting:
		return g.choose("done <- 7",
			"select {\ncase done <- 7:\ncase v := <-done:\n"+g.saw("v")+"\n}",
			"select {\ncase done <- 7:\ncase v := <-done:\n"+g.saw("v")+"\n}", g.saw("len(done)"),
			"mu.RLock()\n"+g.saw("ran")+"\nmu.RUnlock()", "mu.Lock()\nran++\nmu.Unlock()",
			g.atomic(),
			g.atomic())
	}
	return g.count()
}

func (g *groups) atomic() string {
	x := g.choose("n", "n", "o")
	k := fmt.Sprint(1 + g.IntN(2))
	return g.choose(x+".Add("+k+")", x+".Add("+k+")", x+".Or("+k+")", x+".Or(1)",
		x+".And(^int32("+k+"))", g.saw(x+".Add(1)"), g.saw(x+".Load()"), g.saw(x+".Load()"),
		x+".Store(5)", x+".Store(5)", x+".Store("+k+")", g.saw(x+".Swap(3)"),
		g.saw(x+".CompareAndSwap(0, "+k+")"), x+".CompareAndSwap(5, 1)", "defer "+x+".Add(1)",
		"if "+x+".Load() > 1 {\n"+g.saw(`"more"`)+"\n}")
}

func (g *groups) entry() string {
	key := g.choose(`"x"`, `"x"`, `"y"`, "1", fmt.Sprint(g.self))
	k := fmt.Sprint(1 + g.IntN(2))
	return g.choose("m.Store("+key+", "+k+")", "m.Store("+key+", "+k+")", g.saw("m.Load("+key+")"),
		g.saw("m.LoadOrStore("+key+", "+k+")"), "m.LoadOrStore("+key+", "+k+")",
		g.saw("m.LoadAndDelete("+key+")"), "m.Delete("+key+")",
		g.saw("m.CompareAndSwap("+key+", 1, 2)"),
		g.saw("m.Swap("+key+", "+k+")"), "m.CompareAndDelete("+key+", 1)",
		"{\nsum := 0\nm.Range(func(_, v any) bool { sum += v.(int); return true })\n"+g.saw("sum")+
			"\n}",
		"m.Clear()")
}

func (g *groups) once() string {
	f := g.choose(fmt.Sprintf("ran = %d", g.self), "ran++", "n.Add(1)", g.saw(`"once"`),
		fmt.Sprintf("ran = %d\nn.Add(1)", g.self), "m.Store(1, 1)")
	return "once.Do(func() {\n" + f + "\n})" + g.choose("", "", "\n"+g.saw("ran"), "\nn.Add(1)")
}

// count is an operation on the group.
func (g *groups) count() string {
	if !g.late && g.IntN(3) > 0 {
		return g.choose("wg.Add(1)\ngo func() {\ndefer wg.Done()\n"+g.atomic()+"\n}()",
			"wg.Add(2)\nwg.Add(-2)", "wg.Go(func() {\n"+g.atomic()+"\n})", g.atomic())
	}
	return g.choose("wg.Add(1)", "wg.Done()", "wg.Add(2)\nwg.Done()\nwg.Done()",
		"wg.Add(1)\nwg.Done()", "wg.Wait()", "wg.Wait()\n"+g.saw("n.Load()"),
		"func() {\ndefer func() {\nrecover()\n"+g.saw(`"r"`)+"\n}()\nwg.Done()\n}()")
}

// NewTwins makes the program of a seed whose twins begin with steps that are mostly alike, loads
// and sections that commute, and then compete. Another process changes what they look at.
func NewTwins(seed uint64) *Program {
	g := newMonitors(seed, 0x74)
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add("var u, v atomic.Int32\nvar mu, last sync.Mutex\nvar wg sync.WaitGroup\nx, y := 0, 0\n" +
		"seen, known := map[int]int{}, 0\n_, _, _, _, _ = &mu, &x, &y, &u, &v")
	process := func(looks, acts int) string {
		text := "n := 1\n"
		for range looks {
			text += g.look() + "\n"
		}
		if g.IntN(6) == 0 { // what it starts can be told by what it has started before
			text += "wg.Go(func() {\nn := 7\n" + g.compete() +
				"\nlast.Lock()\nseen[n]++\nlast.Unlock()\n})\n" + g.look() + "\n"
		}
		for range acts {
			text += g.compete() + "\n"
		}
		return "wg.Go(func() {\n" + text + "last.Lock()\nseen[n]++\nlast.Unlock()\n})"
	}
	other := process(g.IntN(2), 1+g.IntN(2))
	if g.IntN(2) == 0 {
		add(other)
		other = ""
	}
	between := ""
	if g.IntN(4) == 0 { // the second twin's start comes after what the first one has done
		between = g.choose("known += int(v.Load())", "known += int(u.Load())", "known += int(u.Add(2))",
			"mu.Lock()\nknown += x\nmu.Unlock()") + "\n"
	}
	add("for range 2 {\n" + between + process(1+g.IntN(2), g.IntN(3)) + "\n}")
	if other != "" {
		add(other)
	}
	add("wg.Wait()")
	add("t.Log(seen, known, u.Load(), v.Load(), x, y)")
	return g.p
}

// look is a step of a twin that mostly commutes with its like.
func (g *monitors) look() string {
	return g.choose("n = n*10 + int(u.Load())", "n = n*10 + int(v.Load())", "u.Add(2)", "u.Store(3)",
		"mu.Lock()\nn = n*10 + x\nmu.Unlock()", "mu.Lock()\ny++\nmu.Unlock()",
		"mu.Lock()\nif x == 0 {\nx = 1\nn++\n}\nmu.Unlock()")
}

// compete is a step that tells who came first, or changes what others look at.
func (g *monitors) compete() string {
	return g.choose("n = n*10 + int(v.Add(1))", "if v.CompareAndSwap(0, 1) {\nn += 5\n}",
		"n = n*10 + int(u.Swap(4))", "u.Store(int32(n))", "mu.Lock()\nx++\nn = n*10 + x\nmu.Unlock()",
		"mu.Lock()\ny--\nn = n*10 + y\nmu.Unlock()", "mu.Lock()\nx = n\nmu.Unlock()")
}
