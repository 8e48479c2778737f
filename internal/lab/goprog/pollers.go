package goprog

import (
	"fmt"
	"strings"
)

// NewPollers makes the program of a seed whose test polls what other processes set: by loops that
// only look, in loops that count and in others that do not, in functions that call themselves, and
// behind a goto. The others are goroutines, timers and contexts. Some of the looks are under a
// mutex, which others may try to lock. A few of the looks are by a method that counts, or at a
// context of the program's own that does. The test logs what has been set
// when it gives up. So an outcome is lost if a search takes another loop for one that only looks.
func NewPollers(seed uint64) *Program {
	g := &pollers{monitors: newMonitors(seed, 0x70)}
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	g.declare()
	add(g.choose("go l.close()", "go l.close()", "go l.try(free)",
		"time.AfterFunc(time.Millisecond, l.close)"))
	add(g.choose("go func() { x.Store(true); y.Store(true); end(); c <- 1 }()",
		"go func() { c <- 1; y.Store(true) }()\ngo func() { x.Store(true); end() }()",
		"go func() { y.Store(true); m.Bool.Store(true); x.Store(true); c <- 1; end() }()",
		"time.AfterFunc(2*time.Millisecond, func() { end(); x.Store(true); c <- 1; "+
			"y.Store(true) })",
		"go func() { y.Store(true); time.Sleep(2 * time.Millisecond); x.Store(true); c <- 1; "+
			"end() }()",
		"time.AfterFunc(2*time.Millisecond, end)\ngo func() { time.Sleep(3 * time.Millisecond); "+
			"c <- 1; x.Store(true); y.Store(true) }()"))
	for range 1 + g.IntN(2) {
		add(g.statement(2))
	}
	add("t.Log(x.Load(), y.Load(), ctx.Err(), free.Load(), n)")
	return g.p
}

// NewLoners makes the program of a seed with a loop that looks at what nobody else sets. The loop
// gives up by itself after some rounds; or it waits for a process that tries to lock a mutex, which
// the loop locks in each round. A search that takes the loop for one that only looks says that it
// has no end.
func NewLoners(seed uint64) *Program {
	g := &pollers{monitors: newMonitors(seed, 0x61)}
	g.p.Ends = true
	g.declare()
	loops := [][]string{
		{"for range 15 {\nfor never.Load() {\n}\n}", "visit(15, never)"}, // the runs end it
		{"for !m.Load() {\n}", "for {\nif m.Load() {\nbreak\n}\n}", "for inside.Err() == nil {\n}"},
		{"for !l.asks() {\n}", "for {\nif v := l.asks(); v {\nbreak\n}\n}"},
		{"for {\nif never.Load() || n > 12 {\nbreak\n}\nn++\n}",
			"for !never.Load() && n < 15 {\nn += 1\n}"},
		{"for {\nif !never.Load() {\nif n++; n > 12 {\nbreak\n}\n}\n}",
			"for {\nselect {\ncase <-none:\nreturn\ndefault:\n}\n" +
				"switch {\ncase !never.Load():\nn++\n}\nif n > 12 {\nbreak\n}\n}"},
		{"go func() {\nfor !l.TryLock() {\n}\nl.set = true\nl.Unlock()\n}()\n" +
			"for {\nl.Lock()\nv := l.set\nl.Unlock()\nif v {\nbreak\n}\n}"},
	}
	loop := loops[seed%uint64(len(loops))]
	other := g.choose("", "go x.Store(true)", "go never.Load()")
	if len(loop) == 1 {
		other = "" // there is another process already
	}
	for _, text := range []string{other, g.choose(loop...), "t.Log(x.Load(), n)"} {
		g.p.body = append(g.p.body, leaf(text))
	}
	return g.p
}

// NewTallies makes the program of a seed with a loop that finds a channel closed, or a variable as
// it was, and counts how often. The count ends the loop, or shows in the log. A search that takes
// the count for one that nobody reads says that the loop has no end, or that all is explored.
func NewTallies(seed uint64) *Program {
	g := &pollers{monitors: newMonitors(seed, 0x63)}
	g.p.Ends = true
	g.declare()
	until := "close(c)\nfor {\nselect {\ncase <-c:\nn++\ncase <-none:\nreturn\ndefault:\n}\n" +
		"if END {\nbreak\n}\n}"
	loop := g.choose("close(c)\nfor n < 15 {\nselect {\ncase <-c:\nn++\ncase <-none:\nreturn\n}\n}",
		"more := func() bool { return n < 15 }\n"+strings.Replace(until, "END", "!more()", 1),
		strings.Replace(until, "END", "v := n; v > 14", 1),
		"p := &n\nfor *p < 15 {\nif !never.Load() {\nn++\n}\n}",
		"v := 0\nfor v < 15 {\nif !never.Load() {\nn++\nv = n\n}\n}",
		"for n < 15 {\nl:\nfor {\nselect {\ncase <-none:\ndefault:\nn++\nbreak l\n}\n}\n}",
		"go x.Store(true)\nfor !x.Load() {\nn++\n}", "go close(none)\nclose(c)\n"+
			"l:\nfor {\nselect {\ncase <-c:\nn++\ncase <-none:\nbreak l\n}\n}")
	most := 3
	if g.IntN(4) == 0 { // time passes when the loop has gone round many times
		g.p.Timed, most = true, 25
		loop = g.choose("time.AfterFunc(ms, func() { x.Store(true) })",
			"go func() {\ntime.Sleep(ms)\nx.Store(true)\n}()") +
			"\n" + g.choose("for !x.Load() {\nn++\n}", "for {\nif x.Load() {\nbreak\n}\nn++\n}")
	}
	if seed%5 == 4 { // each round makes a timer or a channel
		g.p.Timed = true
		loop = fresh[seed/5%uint64(len(fresh))]
	}
	for _, text := range []string{loop, fmt.Sprintf("t.Log(min(n, %d))", most)} {
		g.p.body = append(g.p.body, leaf(text))
	}
	return g.p
}

// fresh has loops whose rounds make timers that only they have, or channels.
var fresh = []string{
	"close(c)\nfor n < 15 {\nselect {\ncase <-c:\nn++\n" +
		"case <-time.After(time.Second):\nreturn\n}\n}",
	"close(c)\nup := time.After(time.Second)\n" +
		"for n < 2 {\nselect {\ncase <-c:\ncase <-up:\nn = 2\n" +
		"case <-time.After(time.Minute):\n}\n}",
	"close(c)\ntime.AfterFunc(time.Second, func() { close(none) })\n" +
		"for n < 2 {\nselect {\ncase <-c:\ncase <-none:\nn = 2\n" +
		"case <-time.After(time.Minute):\n}\n}",
	"close(c)\ngo func() {\ntime.Sleep(ms)\nx.Store(true)\n}()\n" +
		"for !x.Load() {\nselect {\ncase <-c:\ncase <-time.After(time.Minute):\nn++\n}\n}",
	"close(c)\ngo func() {\nselect {\ncase <-none:\ncase <-time.After(time.Second):\n" +
		"x.Store(true)\n}\n}()\nfor !x.Load() {\n<-c\n}",
	"go x.Store(true)\nfor !x.Load() {\nselect {\ncase <-make(chan int):\ndefault:\nn++\n}\n}",
	"close(c)\ngo y.Store(true)\nfor n < 2 {\nselect {\ncase <-c:\nif y.Load() {\nn = 1\n}\n" +
		"case <-time.After(time.Second):\nn = 3\n}\nif n == 1 {\nbreak\n}\n}",
}

// NewPickers makes the program of a seed with a loop that waits for an order of a map, or for what
// is in it in any order. Each loop ends.
func NewPickers(seed uint64) *Program {
	g := &pollers{monitors: newMonitors(seed, 0x62)}
	g.p.Ends = true
	loop := g.choose("for k.first() != 2 {\n}", "for k.last() != 1 {\n}",
		"for {\nif v := k.first(); v == 3 {\nbreak\n}\nn++\n}", "for k.last() == k.first() {\n}",
		"go k.add(4)\nfor k.sum() < 10 {\n}", "go k.add(4)\nfor k.last() != 4 {\n}")
	other := g.choose("", "go x.Store(true)", "go k.add(5)", "go k.sum()")
	for _, text := range []string{"x, n := new(atomic.Bool), 0",
		"k := &keys{m: map[int]int{1: 1, 2: 2, 3: 3}}", other, loop, "t.Log(x.Load(), n > 0)"} {
		g.p.body = append(g.p.body, leaf(text))
	}
	return g.p
}

// declare declares what programs that poll look at.
func (g *pollers) declare() {
	g.p.body = append(g.p.body, leaf("x, y, never, m := new(atomic.Bool), new(atomic.Bool), "+
		"new(atomic.Bool), new(counted)\n_, _, _, _ = x, y, never, m\n"+
		"l, free := new(latch), new(atomic.Bool)\n_, _ = l, free\n"+
		"c, none, n := make(chan int, 1), make(chan int), 0\n_, _, _ = c, none, n\n"+
		"ctx, end := context.WithCancel(context.Background())\n"+
		"ask := &asked{Context: ctx}\nvar inside context.Context = ask\ndefer end()\n_ = inside"))
}

// pollers makes one such program.
type pollers struct {
	*monitors
	labels int
}

// still is a loop that looks. It ends when something has been set, or at once.
func (g *pollers) still() string {
	look := g.choose("x.Load()", "y.Load()", "len(c) > 0", "x.Load() || y.Load()",
		"x.Load() && y.Load()", "m.Load()", "!never.Load()", "!never.Load()", "ctx.Err() != nil",
		"ctx.Err() != nil && y.Load()", "inside.Err() != nil", "l.isSet()", "l.isSet()",
		"l.isSet() && x.Load()", "l.asks()")
	form := g.choose("for !(LOOK) {\n}", "for {\nif LOOK {\nbreak\n}\n}",
		"LABEL:\nfor {\nswitch {\ncase LOOK:\nbreak LABEL\ndefault:\n}\n}",
		"LABEL:\nfor {\nselect {\ncase <-none:\nn += 100\nbreak LABEL\n"+
			"default:\nif LOOK {\nbreak LABEL\n}\ncontinue LABEL\n}\n}",
		"LABEL:\nfor {\nselect {\ncase <-ctx.Done():\nn += 1000\nbreak LABEL\n"+
			"default:\nif LOOK {\nbreak LABEL\n}\n}\n}",
		"for i := 0; !(LOOK); i++ {\nif i == 14 {\nn++\nbreak\n}\n}",
		"for {\nl.Lock()\nv := l.set\nl.Unlock()\nif v && LOOK {\nbreak\n}\n}",
		"for {\nif LOOK {\nbreak\n}\nif y.Load() {\nif n++; n > 12 {\nbreak\n}\n}\n}",
		"LABEL:\nfor {\nselect {\ncase v := <-c:\nn += v\nc <- 1\nif n > 12 {\nbreak LABEL\n}\n"+
			"default:\nif LOOK {\nbreak LABEL\n}\n}\n}",
		"for {\nif v := LOOK; v {\nn++\nbreak\n} else {\ncontinue\n}\n}")
	return strings.NewReplacer("LOOK", look, "LABEL", g.label()).Replace(form)
}

func (g *pollers) label() string {
	g.labels++
	return fmt.Sprintf("l%d", g.labels)
}

// statement is such a loop, or something that comes to it several times.
func (g *pollers) statement(depth int) string {
	if depth == 0 || g.IntN(20) < 9 {
		return g.still()
	}
	body := g.statement(depth - 1)
	if g.IntN(3) == 0 {
		body += "\n" + g.statement(depth-1)
	}
	turns := []int{2, 3, 15}[g.IntN(3)]
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("for range %d {\n%s\n}", turns, body)
	case 1:
		return fmt.Sprintf("for i := 0; i < %d; i++ {\n%s\nn++\n}", turns, body)
	case 2:
		return fmt.Sprintf("for j := 0; j < %d && !x.Load(); {\n%s\nj++\nn++\n}", turns, body)
	case 3:
		return "func() {\n" + body + "\n}()"
	case 4:
		return fmt.Sprintf("{\nk := 0\n%s:\nnever.Load()\n%s\nif k++; k < %d {\ngoto %[1]s\n}\n}",
			g.label(), body, turns)
	}
	return fmt.Sprintf("visit(%d, never)", turns)
}
