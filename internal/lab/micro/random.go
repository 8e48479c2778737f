package micro

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random returns the text of a small random program. It depends on the state of r only.
func Random(r *rand.Rand) string { return (&generator{r: r}).program() }

// RandomMail is Random with mailboxes among the channels: model is "bag" or "pairs".
func RandomMail(r *rand.Rand, model string) string {
	return (&generator{r: r, mail: model}).program()
}

// RandomRoomy is Random with larger channels, and with atomic variables.
func RandomRoomy(r *rand.Rand) string { return (&generator{r: r, roomy: true}).program() }

// RandomEqual returns the text of a small random program whose processes send few distinct values
// into channels that mostly have room for them, and receive several of them one after the other.
func RandomEqual(r *rand.Rand) string { return (&generator{r: r}).joint() }

// RandomSums is RandomEqual with many values, where most receives add up.
func RandomSums(r *rand.Rand) string { return (&generator{r: r, sums: true}).joint() }

// RandomMeetings is RandomEqual, or with sums RandomSums, with channels that have no room, or
// little.
func RandomMeetings(r *rand.Rand, sums bool) string {
	return (&generator{r: r, sums: sums, small: true}).joint()
}

func (g *generator) joint() string {
	r := g.r
	g.equal, g.roomy, g.chans = true, true, []string{"a", "a", "b"}
	rooms := [...]int{3 + r.IntN(4), 1 + r.IntN(4)}
	if g.small {
		rooms = [...]int{r.IntN(4) / 3, [...]int{0, 0, 1, 2, 4}[r.IntN(5)]}
	}
	fmt.Fprintf(&g.b, "chan a %d\nchan b %d\natomic u\natomic v\nmutex m\nwg w\n", rooms[0],
		rooms[1])
	other := []func() string{g.atomic, g.store}
	for _, f := range []func() string{g.choice, g.closing, g.length, g.log, g.branch, g.lock,
		g.counter} {
		if r.IntN(6) == 0 {
			other = append(other, f)
		}
	}
	g.quiet = r.IntN(2) == 0
	some := func() string { return other[r.IntN(len(other))]() }
	budget := 4 + r.IntN(3)
	for i := range 3 + r.IntN(2) {
		if i == 0 || r.IntN(5) == 0 {
			g.stmts = []func() string{g.receive, g.receive, g.receive, some}
			g.proc(i, 1+r.IntN(3))
			continue
		}
		g.stmts = []func() string{g.send, g.send, some}
		n := max(1, min(1+r.IntN(3), budget))
		g.proc(i, n)
		budget -= n
	}
	return g.b.String()
}

// RandomLazy returns the text of a small random program whose processes do little but send,
// receive, load and store, on few objects: the observers of these operations decide in which orders
// they are run.
func RandomLazy(r *rand.Rand) string {
	g := &generator{r: r, quiet: true, chans: []string{"a", "b"}[:1+r.IntN(2)]}
	g.b.WriteString("chan a 9\nchan b 9\natomic u\natomic v\nmutex m\n")
	g.stmts = []func() string{g.send, g.send, g.receive}
	for _, f := range []func() string{g.receive, g.store, g.store, g.atomic, g.choice, g.branch,
		g.length, g.lock} {
		if r.IntN(3) == 0 {
			g.stmts = append(g.stmts, f)
		}
	}
	budget := 4 + r.IntN(5)
	for i := 0; budget > 0; i++ {
		n := min(budget, 1+r.IntN(3))
		g.proc(i, n)
		budget -= n
	}
	return g.b.String()
}

// gate may lead to the one statement of a process that others wait for.
func (g *generator) gate() string {
	return g.pick("wait w", "add w 1", "add w -1", "trylock m; if 1 1; "+g.send())
}

func (g *generator) lock() string    { return "lock m; " + g.send() + "; unlock m" }
func (g *generator) counter() string { return g.pick("add w 1", "add w 1; add w -1", "wait w") }

func (g *generator) program() string {
	r := g.r
	g.declare()
	procs := 2 + r.IntN(3)
	budget := 5 + r.IntN(4)
	for i := range procs {
		n := 1 + r.IntN(3)
		if i == procs-1 || n > budget {
			n = max(1, min(4, budget))
		}
		budget -= n
		g.proc(i, n)
	}
	return g.b.String()
}

// generator writes a program of one flavour: a few objects, and statements that use them.
type generator struct {
	r     *rand.Rand
	b     strings.Builder
	chans []string
	stmts []func() string
	mail  string // what mailboxes are; empty: there are none
	quiet bool   // no statement that may panic
	roomy bool   // see RandomRoomy
	equal bool   // see RandomEqual
	sums  bool   // see RandomSums
	small bool   // see RandomMeetings
}

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *generator) channel() string { return g.pick(g.chans...) }

func (g *generator) declare() {
	for i := range 1 + g.r.IntN(3) {
		name := string(rune('a' + i))
		g.chans = append(g.chans, name)
		if g.mail != "" && g.r.IntN(3) > 0 {
			fmt.Fprintf(&g.b, "%s %s\n", g.mail, name)
			continue
		}
		if g.roomy && g.r.IntN(4) > 0 {
			fmt.Fprintf(&g.b, "chan %s %d\n", name, 2+g.r.IntN(4))
			continue
		}
		fmt.Fprintf(&g.b, "chan %s %d\n", name, g.r.IntN(3))
	}
	g.b.WriteString("mutex m\nrw r\nwg w\nonce o\n")
	g.quiet = g.r.IntN(4) > 0
	for range 3 {
		g.stmts = append(g.stmts, g.send, g.receive)
	}
	if g.roomy {
		g.b.WriteString("atomic u\natomic v\n")
		for range g.r.IntN(4) {
			g.stmts = append(g.stmts, g.store, g.atomic)
		}
	}
	for _, f := range []func() string{g.choice, g.choice, g.closing, g.mutex, g.rwmutex, g.group,
		g.once, g.log, g.branch, g.length} {
		if g.r.IntN(3) == 0 {
			g.stmts = append(g.stmts, f, f)
		}
	}
}

func (g *generator) proc(i, n int) {
	fmt.Fprintf(&g.b, "T%d: ", i)
	for j := range n {
		if j > 0 {
			g.b.WriteString("; ")
		}
		g.b.WriteString(g.stmts[g.r.IntN(len(g.stmts))]())
	}
	g.b.WriteByte('\n')
}

func (g *generator) send() string {
	if g.r.IntN(8) == 0 {
		return g.channel() + "<-$"
	}
	if g.equal && !g.sums {
		return fmt.Sprintf("%s<-%d", g.channel(), g.r.IntN(5)/4)
	}
	return fmt.Sprintf("%s<-%d", g.channel(), g.r.IntN(4))
}

func (g *generator) store() string {
	return fmt.Sprintf("store %s %d", g.pick("u", "v", "v"), g.r.IntN(4))
}

func (g *generator) atomic() string {
	v := g.pick("u", "v", "v")
	return g.pick("load "+v, "load "+v, fmt.Sprintf("swap %s %d", v, g.r.IntN(4)),
		fmt.Sprintf("load %s; if %d 1; %s", v, g.r.IntN(3), g.send()))
}

func (g *generator) receive() string {
	one := "<-" + g.channel()
	if g.sums && g.r.IntN(4) > 0 {
		one = "+" + one
	}
	if g.equal {
		return g.pick(one, one+"; "+one, one+"; "+one, one+"; "+one+"; "+one)
	}
	return one
}
func (g *generator) length() string { return "len " + g.channel() }
func (g *generator) once() string   { return "once o" }
func (g *generator) log() string    { return fmt.Sprintf("log %d", g.r.IntN(3)) }

func (g *generator) closing() string {
	if g.quiet {
		return "yield"
	}
	return "close " + g.channel()
}

func (g *generator) choice() string {
	var cases []string
	for range 1 + g.r.IntN(3) {
		if g.r.IntN(2) == 0 {
			cases = append(cases, g.send())
		} else {
			cases = append(cases, "<-"+g.channel())
		}
	}
	if g.r.IntN(2) == 0 {
		cases = append(cases, "default")
	}
	return "select " + strings.Join(cases, " | ")
}

func (g *generator) mutex() string {
	if g.quiet || g.r.IntN(3) > 0 {
		return g.pick("lock m; unlock m", "lock m; "+g.send()+"; unlock m",
			"lock m; "+g.receive()+"; unlock m", "lock m", "trylock m; if 1 1; unlock m",
			"trylock m")
	}
	return "unlock m"
}

func (g *generator) rwmutex() string {
	return g.pick("rlock r; runlock r", "rlock r", "rlock r; "+g.send()+"; runlock r",
		"wlock r; wunlock r", "wlock r",
		"wlock r; "+g.receive()+"; wunlock r", "rtrylock r; if 1 1; runlock r",
		"wtrylock r; if 1 1; wunlock r", "wtrylock r", "rtrylock r")
}

func (g *generator) group() string {
	if g.quiet {
		return g.pick("add w 1", "wait w", "add w 1; "+g.send()+"; add w -1", "add w 1; add w -1")
	}
	return g.pick("add w 1", "add w -1", "wait w")
}

func (g *generator) branch() string {
	return g.receive() + fmt.Sprintf("; if %d 1; ", g.r.IntN(4)) +
		g.pick(g.send(), g.receive(), "yield")
}

// RandomActors returns the text of a small random program of actors, each with a mailbox or two of
// its own, that do nothing but send and receive: model is "bag" or "pairs", size 1 or more.
func RandomActors(r *rand.Rand, model string, size int) string {
	g := &generator{r: r, mail: model}
	actors := 1 + size + r.IntN(2)
	boxes := make([][]string, actors)
	for i := range actors {
		for j := range 1 + r.IntN(5)/4 {
			name := fmt.Sprintf("%c%d", 'a'+i, j)
			boxes[i], g.chans = append(boxes[i], name), append(g.chans, name)
			fmt.Fprintf(&g.b, "%s %s\n", model, name)
		}
	}
	g.stmts = []func() string{g.send}
	g.proc(0, 1+size+r.IntN(2))
	for i, own := range boxes {
		g.stmts = []func() string{g.send, func() string { return g.accept(own) },
			func() string { return g.accept(own) }}
		if r.IntN(2) == 0 {
			g.stmts = append(g.stmts, func() string {
				return g.accept(own) + fmt.Sprintf("; if %d 1; ", r.IntN(4)) + g.send()
			})
		}
		g.proc(i+1, size+r.IntN(3))
	}
	return g.b.String()
}

// accept is a receive from one of the actor's own mailboxes, or a select among them.
func (g *generator) accept(own []string) string {
	if len(own) > 1 && g.r.IntN(2) == 0 {
		return "select <-" + strings.Join(own, " | <-")
	}
	return "<-" + g.pick(own...)
}

// RandomOwned returns the text of a small random program in which each channel has one receiver,
// most of the time, and mostly room for all that is sent. size is the number of statements of a
// process, at most.
func RandomOwned(r *rand.Rand, size int) string {
	g := &generator{r: r}
	own := g.owned(3 + r.IntN(2))
	var more []func() string // beside sends and receives
	for _, f := range []func() string{
		g.log, func() string { return "yield" }, func() string { return "go W" }, func() string {
			return "close " + g.channel()
		},
	} {
		if r.IntN(6) == 0 {
			more = append(more, f)
		}
	}
	for i := range own {
		g.owner(i, 1+r.IntN(size), own[i], more)
	}
	g.stmts = []func() string{g.send}
	g.b.WriteString("*")
	fmt.Fprintf(&g.b, "W: %s; %s\n", g.send(), g.pick(g.send(), "yield"))
	return g.b.String()
}

// owned declares the channels of each of n processes.
func (g *generator) owned(n int) [][]string {
	own, room := make([][]string, n), 9
	if g.r.IntN(4) == 0 {
		room = 1 + g.r.IntN(3)
	}
	for i := range own {
		for j := range [...]int{0, 1, 1, 1, 2}[g.r.IntN(5)] {
			name := fmt.Sprintf("%c%d", 'a'+i, j)
			own[i], g.chans = append(own[i], name), append(g.chans, name)
			fmt.Fprintf(&g.b, "chan %s %d\n", name, room)
		}
	}
	if len(g.chans) == 0 {
		own[0], g.chans = []string{"a0"}, []string{"a0"}
		g.b.WriteString("chan a0 9\n")
	}
	return own
}

// first sends into the first channel.
func (g *generator) first() string { return fmt.Sprintf("%s<-%d", g.chans[0], g.r.IntN(4)) }

// owner writes process i, of n statements, which receives from its own channels.
func (g *generator) owner(i, n int, own []string, more []func() string) {
	g.stmts = append([]func() string{g.send, g.first, g.first}, more...)
	if len(own) > 0 {
		take := func() string { return g.accept(own) }
		g.stmts = append(g.stmts, take, take, take, func() string {
			return take() + fmt.Sprintf("; if %d 1; ", g.r.IntN(4)) + g.pick(g.send(), take())
		})
	}
	g.proc(i, n)
}

// RandomCrashes returns the text of a small random program of one or two channels, which are
// closed, and of processes that panic, some of which recover, beside logs, a mutex, a counter and
// an atomic variable.
func RandomCrashes(r *rand.Rand) string {
	g := &generator{r: r, chans: []string{"a", "b"}[:1+r.IntN(2)], stmts: []func() string{}}
	fmt.Fprintf(&g.b, "chan a %d\nchan b %d\nmutex m\nwg w\natomic u\natomic v\n", r.IntN(3),
		r.IntN(3))
	closing := func() string { return "close " + g.channel() }
	g.stmts = append(g.stmts, g.send, g.send, g.receive, g.receive, closing)
	other := []func() string{
		g.choice, g.choice, closing, g.length, g.log, g.log, g.lock, g.branch, g.store, g.atomic,
		func() string { return g.pick("add w 1", "add w -1", "add w -1", "wait w") },
		func() string {
			return g.pick("panic x", "panic y", "yield", "unlock m",
				"select nil<-1 | <-"+g.channel())
		},
		func() string {
			return g.pick("defer", "defer; recover", "defer; recover; log r", "defer; "+g.send())
		},
	}
	for _, f := range other {
		if r.IntN(4) == 0 {
			g.stmts = append(g.stmts, f)
		}
	}
	budget := 4 + r.IntN(5)
	for i := 0; budget > 0 || i < 2; i++ {
		n := max(1, min(budget, 1+r.IntN(3)))
		g.proc(i, n)
		budget -= n
	}
	return g.b.String()
}

// RandomKeyed returns the text of a small random program about one map and one flag: which two
// operations depend on each other is a matter of keys and values. Without offers, what an operation
// does is known before it is done.
func RandomKeyed(r *rand.Rand, offers bool) string {
	g := &generator{r: r, quiet: true, chans: []string{"a"}}
	g.b.WriteString("chan a 2\nmap m\nflag u\n")
	key := func() int { return 1 + r.IntN(2) }
	put := func() string { return fmt.Sprintf("put m %d %d", key(), 1+r.IntN(2)) }
	get := func() string { return fmt.Sprintf("get m %d", key()) }
	store := func() string { return fmt.Sprintf("store u %d", r.IntN(2)) }
	load := func() string { return "load u" }
	g.stmts = []func() string{put, put, get, store, store, load}
	more := []func() string{
		func() string { return "all m" }, func() string { return "clear m" },
		func() string { return "swap u 1" },
		func() string { return "sum u 1" }, g.send, g.receive,
		func() string {
			return get() + "; if 1 1; " + put()
		}, func() string { return load() + "; if 1 1; " + store() },
	}
	if offers {
		more = append(more, func() string {
			return fmt.Sprintf("offer m %d %d", key(), 1+r.IntN(2))
		})
	}
	for _, f := range more {
		if r.IntN(3) == 0 {
			g.stmts = append(g.stmts, f, f)
		}
	}
	budget := 5 + r.IntN(4)
	for i := 0; budget > 0; i++ {
		n := min(budget, 1+r.IntN(3))
		g.proc(i, n)
		budget -= n
	}
	return g.b.String()
}
