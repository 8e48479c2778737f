package goprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// NewMonitors makes the program of a seed whose processes meet at variables under mutexes: numbers,
// maps by key and as a whole, a slice. Most critical sections have nothing else in them; some have
// an atomic operation, a channel operation, another section, a panic or a recovery, and some
// programs use TryLock, or have data races.
func NewMonitors(seed uint64) *Program {
	g := newMonitors(seed, 0x6d)
	g.rw, g.tries, g.races = g.IntN(3) == 0, g.IntN(8) == 0, g.IntN(8) == 0
	g.p.body = append(g.p.body, leaf(g.head()))
	n := 2 + g.IntN(3)
	for q := range n {
		g.self = q
		g.p.body = append(g.p.body, leaf("wg.Go(func() {\n"+g.process(4-n/2)+"\n})"))
	}
	if g.IntN(3) == 0 {
		g.p.body = append(g.p.body, leaf("mu.Lock()\nt.Log(a)\nmu.Unlock()"))
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("t.Log(got, a, b, m, s, n.Load(), len(c))"))
	return g.p
}

func newMonitors(seed, kind uint64) *monitors {
	r := rand.New(rand.NewPCG(seed, kind))
	return &monitors{gen: &gen{Rand: r, p: &Program{Seed: seed}}, palette: newPalette(r)}
}

// monitors makes one such program.
type monitors struct {
	*gen
	palette
	rw, tries, races bool
	self             int // the process
}

func (g *monitors) head() string {
	mutex := "sync.Mutex"
	if g.rw {
		mutex = "sync.RWMutex"
	}
	return "var mu " + mutex +
		"\nvar other sync.Mutex\nvar wg sync.WaitGroup\na, b := 0, 0\nm := map[string]int{}\nvar s []int\nvar n atomic.Int32\n" +
		"c := make(chan int, 1)\nvar got [4]string\n_, _, _, _ = &mu, &other, &a, &b"
}

func (g *monitors) process(most int) string {
	var list []string
	for range 1 + g.IntN(most) {
		list = append(list, g.statement())
	}
	return strings.Join(list, "\n")
}

func (g *monitors) statement() string {
	switch k := g.IntN(24); {
	case k < 17:
		return g.section()
	case k < 19:
		return g.outside()
	case k == 19:
		return "other.Lock()\n" + g.choose("other.Unlock()", "n.Add(1)\nother.Unlock()")
	case k == 20 && g.tries:
		return "if mu.TryLock() {\n" + g.inside(false) + "\nmu.Unlock()\n} else {\n" +
			g.saw(`"held"`) +
			"\n}"
	case k == 21 && g.races:
		return g.choose("a++", "b = 7", g.saw("a"))
	}
	return g.section()
}

// section is a critical section in one of the usual forms.
func (g *monitors) section() string {
	reads := g.rw && g.IntN(5) < 2
	lock, unlock := "mu.Lock()", "mu.Unlock()"
	if reads {
		lock, unlock = "mu.RLock()", "mu.RUnlock()"
	}
	body := g.inside(reads)
	switch g.IntN(10) {
	case 0, 1:
		return "func() {\n" + lock + "\ndefer " + unlock + "\n" + body + "\n}()"
	case 2:
		return "func() {\n" + lock + "\ndefer " + unlock + "\nif " + g.choose(`m["x"]`, "a") +
			" > 0 {\nreturn\n}\n" + body + "\n}()"
	case 3:
		return "func() {\n" + lock + "\ndefer func() {\n" + unlock + "\nrecover()\n}()\n" + body +
			"\npanic(0)\n}()"
	}
	return lock + "\n" + body + "\n" + unlock
}

// inside is what a section does.
func (g *monitors) inside(reads bool) string {
	list := []string{g.access(reads)}
	if g.IntN(4) == 0 {
		list = append(list, g.access(reads))
	}
	switch g.IntN(40) {
	case 0, 1:
		list = append(list, g.outside())
	case 2:
		list = append(list, "other.Lock()\n"+g.access(reads)+"\nother.Unlock()")
	case 3:
		list = append(list, "func() {\ndefer func() {\nrecover()\n}()\npanic(1)\n}()")
	case 4:
		list = append(list, g.saw("s"))
	case 5:
		list = append(list, "{\nh := 0\nwg.Go(func() {\nmu.Lock()\n"+g.access(false)+
			"\nmu.Unlock()\n_ = h\n})\nh = 1\n}", g.access(reads))
	case 6, 7: // what fmt writes is not announced, so a data race with it would not be seen
		if !reads && !g.races {
			list = append(list, fmt.Sprintf("fmt.Sscan(%q, &%s)", fmt.Sprint(g.self),
				g.choose("a", "b")))
		}
	}
	return strings.Join(list, "\n")
}

// access is an access to variables under the mutex.
func (g *monitors) access(reads bool) string {
	x, y, key := g.choose("a", "b"), g.choose("a", "b"),
		g.choose(`"x"`, `"y"`, `"z"`, fmt.Sprintf("fmt.Sprint(%d)", g.self%2))
	if reads || g.IntN(4) == 0 {
		return g.choose(g.saw(x), g.saw("m["+key+"]"), g.saw("len(m)"), g.saw("len(s)"),
			"{\nsum := 0\nfor _, v := range m {\nsum += v\n}\n"+g.saw("sum")+"\n}",
			"if "+x+" > 1 {\n"+g.saw(`"more"`)+"\n}")
	}
	return g.choose(x+"++", fmt.Sprintf("%s += %d", x, g.self+1), fmt.Sprintf("%s |= %d", x,
		1<<g.self), x+" |= 3", x+" ^= 5", x+" &= 2", fmt.Sprintf("%s = %d", x, g.self+1),
		x+" = "+y+" + 1",
		fmt.Sprintf("m[%s] = %d", key, g.self), "m["+key+"]++", "delete(m, "+key+")",
		fmt.Sprintf("s = append(s, %d)", g.self), "if "+x+" > 0 {\n"+y+"++\n}",
		fmt.Sprintf("if _, ok := m[%s]; !ok {\nm[%s] = %d\n%s\n}", key, key, g.self,
			g.saw(`"first"`)),
		"clear(m)", x+", "+y+" = "+y+", "+x)
}

// outside is an operation that needs no mutex.
func (g *monitors) outside() string {
	return g.choose(g.saw("n.Add(1)"), "n.Add(1)", g.saw("n.Load()"),
		fmt.Sprintf("n.Store(%d)", g.self),
		fmt.Sprintf("select {\ncase c <- %d:\ndefault:\n%s\n}", g.self, g.saw(`"full"`)),
		"select {\ncase v := <-c:\n"+g.saw("v")+"\ndefault:\n}")
}

// saw notes values that the process has seen.
func (g *monitors) saw(values string) string {
	return fmt.Sprintf("got[%d] += fmt.Sprint(%s)", g.self, values)
}

func (g *monitors) choose(list ...string) string { return g.palette.pick(g.Rand, list) }
