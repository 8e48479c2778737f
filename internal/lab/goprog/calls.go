package goprog

import (
	"fmt"
	"strings"
)

// NewCalls makes the program of a seed whose processes call the library, methods and generic
// functions under a mutex, or in a slot of a semaphore: streams, of which two may have one below
// them, hashes, sorts, slices that share their elements, JSON, structs and arrays that are copied
// as a whole. Calls are deferred, before the lock is taken or after, sections end early, by a panic
// that is recovered, or by Goexit, and some are within others. Some programs use TryLock.
func NewCalls(seed uint64) *Program {
	g := &calls{monitors: newMonitors(seed, 0x63)}
	g.slots, g.tries, g.rw = g.IntN(4) == 0, g.IntN(10) == 0, g.IntN(5) == 0
	g.races = g.slots && g.IntN(3) == 0
	small, form := seed%8 == 7, seed/8%4
	g.p.Unheard, g.theme = g.races || small && form == inSlots, g.IntN(kindsOfCalls)
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(g.head())
	count := 2 + g.IntN(3)/2
	if small && form == inSlots {
		count = 3 // more than there are slots
	}
	for q := range count {
		g.self = q
		text := g.process(4 - count)
		if small {
			text = g.one(form)
		}
		add("wg.Go(func() {\n" + text + "\n})")
	}
	add("wg.Wait()")
	if !small || form != inSlots { // where somebody asks for the length, sem is no semaphore
		add("t.Log(len(sem))")
	}
	add("t.Log(got, n.Load(), list, base[:4], words, string(raw), m, mm, arr)\n" +
		"t.Log(led.n, led.list, led.m, led.both, led.text.String(), sum.Sum32(), buf.String())\n" +
		"for _, o := range own {\nt.Log(o.n, o.list, o.m, o.text.String())\n}")
	return g.p
}

// calls makes one such program.
type calls struct {
	*monitors
	slots bool // who calls has a slot of a semaphore
	theme int  // of most calls
}

func (g *calls) head() string {
	mutex := "sync.Mutex"
	if g.rw {
		mutex = "sync.RWMutex"
	}
	return "var mu " + mutex + "\nvar wg sync.WaitGroup\nvar n atomic.Int32\nvar got [4]string\n" +
		"sem := make(chan struct{}, 2)\nled, own := newLedger(), [3]*ledger{}\n" +
		"for i := range own {\nown[i] = newLedger()\n}\n" +
		"var buf bytes.Buffer\nsum := fnv.New32()\nsrc := strings.NewReader(\"abcdefgh\")\n" +
		"out := [2]*bufio.Writer{bufio.NewWriter(&buf), bufio.NewWriter(&buf)}\n" +
		"in := [2]*bufio.Reader{bufio.NewReaderSize(src, 16), bufio.NewReaderSize(src, 16)}\n" +
		"list, base, words, raw := []int{3, 1, 2}, make([]int, 1, 4), []string{\"b\", \"a\"}, " +
		"[]byte(\"xyzw\")\nm, mm, arr := map[string]int{}, map[string][]int{}, [3]int{}\n" +
		"part, store := raw[1:3], bytes.NewBuffer(raw[:1])\n" +
		"_, _, _, _, _, _ = &mu, out, in, sum, part, store"
}

// inSlots is a form of one.
const inSlots = 3

// one is one call of a form, on what all processes have: of a method that changes more than its
// receiver, of a function value, of what is deferred, or in a slot.
func (g *calls) one(form uint64) string {
	k := fmt.Sprint(g.self)
	switch form {
	case 0:
		return "mu.Lock()\nout[" + k + "%2].WriteString(\"" + k + "\")\nout[" + k +
			"%2].Flush()\nmu.Unlock()"
	case 1:
		put := g.choose("put := buf.WriteString\nput(\""+k+"\")",
			"put := sum.Write\nput([]byte{"+k+"})")
		return "mu.Lock()\n" + put + "\nmu.Unlock()"
	case 2:
		return "func() {\ndefer mu.Unlock()\n" + g.later() + "\nmu.Lock()\n}()"
	}
	return "sem <- struct{}{}\nsum.Write([]byte{" + k + "})\n<-sem" // inSlots
}

func (g *calls) process(most int) string {
	var parts []string
	for range 1 + g.IntN(most) {
		switch k := g.IntN(12); {
		case k == 0:
			parts = append(parts, g.choose("n.Add(1)", g.saw("n.Load()"), g.saw("n.Add(1)")))
		case k == 1 && g.tries:
			parts = append(parts, "if mu.TryLock() {\n"+g.call()+"\nmu.Unlock()\n} else {\n"+
				g.saw(`"held"`)+"\n}")
		}
		parts = append(parts, g.region())
	}
	return strings.Join(parts, "\n")
}

// region is a section, or what is done in a slot.
func (g *calls) region() string {
	take, give, deferred := "mu.Lock()", "mu.Unlock()", "defer mu.Unlock()"
	body, later := g.call, g.later
	switch {
	case g.slots:
		take, give, deferred = "sem <- struct{}{}", "<-sem", "defer func() { <-sem }()"
		if body = g.inSlot; !g.races {
			later = g.laterOwn
		}
	case g.IntN(6) == 0:
		take, give, deferred = "led.Lock()", "led.Unlock()", "defer led.Unlock()"
		body, later = g.onLedger, func() string { return fmt.Sprintf("defer led.push(%d)", g.self) }
	case g.rw && g.IntN(3) == 0:
		take, give, deferred = "mu.RLock()", "mu.RUnlock()", "defer mu.RUnlock()"
		body, later = g.look, g.laterOwn
	}
	text := body()
	if g.IntN(4) == 0 {
		text += "\n" + body()
	}
	call := func(text string) string { return "func() {\n" + text + "\n}()" }
	switch g.IntN(14) {
	case 0, 1:
		return call(take + "\n" + deferred + "\n" + text)
	case 2:
		return call(take + "\n" + deferred + "\nif " + g.choose("n.Load() > 0", "1 > len(got)") +
			" {\nreturn\n}\n" + text)
	case 3:
		return call("defer func() { recover() }()\n" + take + "\n" + deferred + "\n" + text +
			"\npanic(0)")
	case 4, 5: // what is deferred is called under the lock
		return call(deferred + "\n" + later() + "\n" + take + "\n" + text)
	case 6:
		return call(take + "\n" + deferred + "\n" + later() + "\n" + text)
	case 7:
		return "wg.Go(func() {\n" + take + "\n" + deferred + "\n" + text + "\nruntime.Goexit()\n})"
	case 8:
		if take == "mu.Lock()" {
			return "locked(&mu, func() int {\n" + text + "\nreturn 1\n})"
		}
	case 9:
		if take == "mu.Lock()" {
			return take + "\n" + text + "\nled.add(" + fmt.Sprint(g.self) + ")\n" + give
		}
	}
	return take + "\n" + text + "\n" + give
}

// later defers a call of what announces nothing, of what does, or of a function value.
func (g *calls) later() string {
	return g.choose(fmt.Sprintf("defer sum.Write([]byte{%d})", g.self),
		fmt.Sprintf("put := sum.Write\ndefer put([]byte{%d})", g.self),
		fmt.Sprintf("defer fmt.Fprint(&buf, %d)", g.self),
		fmt.Sprintf("defer out[%d].Flush()", g.IntN(2)))
}

// laterOwn defers a call on what the process has for itself.
func (g *calls) laterOwn() string { return fmt.Sprintf("defer own[%d].add(1)", g.self) }

// inSlot is what is done in a slot: mostly with what the process has for itself.
func (g *calls) inSlot() string {
	if g.races && g.IntN(2) == 0 {
		return g.choose(fmt.Sprintf("sum.Write([]byte{%d})", g.self),
			fmt.Sprintf("fmt.Fprint(out[%d], %d)\nout[%[1]d].Flush()", g.self%2, g.self),
			fmt.Sprintf("for v := range seq(sum, %d) {\n_ = v\n}", g.self))
	}
	if g.IntN(8) == 0 {
		return "mu.Lock()\n" + g.call() + "\nmu.Unlock()"
	}
	o := fmt.Sprintf("own[%d]", g.self)
	return g.choose(o+".add(2)", o+".text.WriteString(\"o\")", "fmt.Fprint(&"+o+".text, 1)",
		"sort.Ints("+o+".list)", o+".list = append("+o+".list, 5)", o+".m[\"x\"]++",
		"json.Unmarshal([]byte(`{\"y\":1}`), &"+o+".m)", g.saw(o+".sum()"),
		g.saw("fmt.Sprintf(\"%v\", "+o+".list)"), o+".n = "+o+".both.total()")
}

// look is what is done under RLock.
func (g *calls) look() string {
	return g.choose(g.saw("list[0]"), g.saw("strings.Join(words, `+`)"), g.saw("string(part)"),
		g.saw("arr"), g.saw("len(mm)"), g.saw("slices.Max(list)"), g.saw("slices.Contains(list, 0)"))
}

// onLedger is what is done under the mutex of a ledger.
func (g *calls) onLedger() string {
	k := fmt.Sprint(g.self)
	return g.choose("led.n += "+k, g.saw("led.sum()"), "led.text.WriteString(\""+k+"\")",
		"led.both = both{"+k+", 1}", "led.both.a = 7", g.saw("led.both.total()"),
		"{\ncopied := led.both\n"+g.saw("copied")+"\n}", "set(led.m, \"k\", "+k+")",
		"led.list = ordered(led.list)",
		"led.list = append(led.list, "+k+")", "json.Unmarshal([]byte(`[`+\""+k+"\"+`]`), &led.list)",
		"led.push("+k+")", "fmt.Fprintf(&led.text, \"%d\", "+k+")", g.saw("led.text.Len()"))
}

// call is what is done under the mutex, in most programs to one kind of things.
func (g *calls) call() string {
	theme := g.theme
	switch g.IntN(8) {
	case 0:
		return g.look()
	case 1:
		theme = g.IntN(kindsOfCalls)
	}
	return g.choose(g.callsOf(theme)...)
}

// kindsOfCalls is the number of kinds of things of the library.
const kindsOfCalls = 6

func (g *calls) callsOf(theme int) []string {
	k, i := fmt.Sprint(g.self), fmt.Sprint(g.IntN(2))
	switch theme {
	case 0:
		return []string{"out[" + i + "].WriteString(\"" + k + "\")\nout[" + i + "].Flush()",
			"out[" + i + "].WriteByte('a' + " + k + ")", "buf.WriteString(\"" + k + "\")",
			"{\nput := buf.WriteString\nput(\"" + k + "\")\n}",
			g.saw("buf.Len()"), "fmt.Fprint(&buf, " + k + ")"}
	case 1:
		return []string{"{\nc, _ := in[" + i + "].ReadByte()\n" + g.saw("c") + "\n}",
			"{\nc, _ := in[" + i + "].ReadByte()\n" + g.saw("c") + "\n}",
			"{\nc, _ := src.ReadByte()\n" + g.saw("c") + "\n}", "sum.Write([]byte{" + k + "})",
			"{\nput := sum.Write\nput([]byte{" + k + "})\n}",
			"for v := range seq(sum, " + k + ") {\n" + g.saw("v") + "\n}"}
	case 2:
		return []string{"sort.Ints(list)", "slices.Reverse(list)",
			"sort.Slice(list, func(i, j int) bool { return list[i] > list[j] })",
			"list = append(list, " + k + ")", "list[0] = " + k, "copy(list[1:], list)",
			"clear(list)", "list = list[1:]",
			"{\nput := func(v int) { list = append(list, v) }\nput(" + k + ")\n}",
			"{\nmore := append(base, " + k + ")\n" +
				g.saw("more[1]") + "\n}", g.saw("base[:2][1]"), "fmt.Fprint(&buf, list)"}
	case 3:
		return []string{"raw[" + i + "] = '" + k + "'", "store.WriteByte('" + k + "')",
			"{\nput := store.WriteByte\nput('" + k + "')\n}",
			"part[0] = 'p'", "raw = strconv.AppendInt(raw[:0], " + k + ", 10)",
			"utf8.EncodeRune(part, 'e')", g.saw("string(raw)"), g.saw("part[0]")}
	case 4:
		return []string{"mm[\"x\"] = append(mm[\"x\"], " + k + ")", "m[\"k\"]++",
			"maps.Copy(m, map[string]int{\"c\": " + k + "})", "set(m, \"k\", " + k + ")",
			"json.Unmarshal([]byte(`{\"k\":`+\"" + k + "\"+`}`), &m)",
			"maps.DeleteFunc(m, func(_ string, v int) bool { return v > 0 })",
			"{\ntext, _ := json.Marshal(m)\n" + g.saw("string(text)") + "\n}",
			"{\ntotal := 0\nfor v := range maps.Values(m) {\ntotal += v\n}\n" +
				g.saw("total") + "\n}"}
	}
	return []string{"arr[" + i + "]++", "arr = [3]int{" + k + ", 1}",
		"{\nold := arr\n" + g.saw("old[1]") + "\n}", "fmt.Sscan(\"" + k + "\", &arr[0])",
		"swap(&arr[0], &arr[1])", "words = append(words, \"" + k + "\")",
		"words = strings.Fields(words[0] + ` " + k + "`)",
		"for _, w := range words {\n" + g.saw("w") + "\n}"}
}
