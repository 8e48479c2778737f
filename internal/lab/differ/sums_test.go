package differ

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

var sumPrograms = flag.Int("sums", 5, "compare `n` programs that add up what they receive")

// sendsOf is how many pairs of sends of each program are audited.
const sendsOf = 4

// TestSums explores random receivers with and without the facts about sums, and compares the
// results. Some receivers only add up what they take, others look as if they did. The facts are
// audited, too: an error of theirs makes a result incomplete.
func TestSums(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module prog\n\ngo 1.26\n")
	sources := map[string]string{}
	for i := range uint64(*sumPrograms) {
		name := fmt.Sprintf("TestS%d", *firstSeed+i)
		sources[name] = newReceiver(name, *firstSeed+i)
		writeFile(t, dir, fmt.Sprintf("s%d_test.go", i), sources[name])
	}
	writeFile(t, dir, "msg_test.go", receiverTypes)
	o := options.Default()
	o.Strategy, o.Independence, o.Audit = "optimal", "commute", sendsOf
	packages, err := exec.Build(dir, o, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	compareSums(t, sources, exploreSums(t, packages[0].Binary, "none", 0),
		exploreSums(t, packages[0].Binary, "commute", sendsOf))
}

// compareSums compares the outcomes of programs, and how many executions they need.
func compareSums(t *testing.T, sources map[string]string, without, with map[string]*explored) {
	t.Helper()
	var all, left, less int
	for name, source := range sources {
		x, y := without[name], with[name]
		switch {
		case x == nil || y == nil || !x.complete || !y.complete:
			t.Errorf("%s: there is no result, or it is incomplete\n%s", name, source)
			continue
		case y.executions > x.executions:
			t.Errorf("%s: %d executions with facts, %d without\n%s", name, y.executions,
				x.executions,
				source)
		}
		if fmt.Sprint(x.outcomes) != fmt.Sprint(y.outcomes) {
			t.Errorf("%s: outcomes %v with facts, %v without\n%s", name, y.outcomes, x.outcomes,
				source)
		}
		all, left = all+x.executions, left+y.executions
		if y.executions < x.executions {
			less++
		}
	}
	t.Logf("%d programs: %d executions, %d with facts; less in %d", len(sources), all, left, less)
	if less < len(sources)/10 {
		t.Error("too little was left out")
	}
}

// exploreSums explores all programs of a binary.
func exploreSums(t *testing.T, binary, independence string, audit int) map[string]*explored {
	t.Helper()
	var stdout, stderr bytes.Buffer
	flags := []string{"-strategy=optimal", "-independence=" + independence,
		fmt.Sprint("-audit=", audit), "-json", "-timeout=0"}
	if _, err := exec.Run(binary, flags, &stdout, &stderr); err != nil {
		t.Fatal(err, stderr.String())
	}
	out := map[string]*explored{}
	var all audited
	for line := range bytes.Lines(stdout.Bytes()) {
		var r struct {
			result
			Test    string
			Audited audited
		}
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			all.Pairs, all.States = all.Pairs+r.Audited.Pairs, all.States+r.Audited.States
			out[r.Test] = &explored{outcomes: map[outcome]bool{}, panics: map[string]bool{}}
			out[r.Test].read(&r.result)
		}
	}
	if audit > 0 {
		t.Logf("%d pairs of sends audited, %d of them with their states", all.Pairs, all.States)
	}
	if audit > 0 && all.States < len(out)/10 {
		t.Error("too little was audited")
	}
	return out
}

// receiverTypes is what all receivers have in common: the messages, and how they are sent.
const receiverTypes = `package prog

type msg struct {
	a, b int
	ok   bool
	s    string
}

var msgs = []msg{{1, 5, true, "a"}, {4, 2, false, "b"}, {7, 0, true, "c"}, {2, 3, false, "b"}}

type tally struct{ n, k int }

func start(n int) <-chan msg {
	c := make(chan msg, n)
	for i := range n {
		go func() { c <- msgs[i] }()
	}
	return c
}

// meet is start through a channel that has no room.
func meet(n int) <-chan msg {
	c := make(chan msg)
	for i := range n {
		go func() { c <- msgs[i%len(msgs)] }()
	}
	return c
}

// surplus has a sender more than n.
func surplus(n int) <-chan msg { return meet(n + 1) }

// twice has senders that send two messages each.
func twice(n int) <-chan msg {
	c := make(chan msg)
	for i := range (n + 1) / 2 {
		go func() {
			c <- msgs[i]
			c <- msgs[i+1]
		}()
	}
	return c
}

// late has senders that touch, when they have sent, what others touch before.
func late(n int) <-chan msg {
	c, last := make(chan msg), 0
	for i := range n {
		go func() {
			if i == 0 {
				last = 1
			}
			c <- msgs[i]
			if i == 1 {
				last++
			}
		}()
	}
	return c
}
`

// senders are the functions that start them.
var senders = [...]string{"start", "meet", "start", "meet", "surplus", "twice", "start", "meet",
	"late"}

// receiver writes a test that receives and adds up.
type receiver struct{ r *rand.Rand }

func newReceiver(name string, seed uint64) string {
	g := receiver{rand.New(rand.NewPCG(seed, 31))}
	n := 3 + g.r.IntN(2)
	return fmt.Sprintf(`package prog

import "testing"

func %s(t *testing.T) {
	var (
		x, y, z int = 1, 2, 0
		f       bool
		s       string
		st      tally
		c       = %s(%d)
	)
	%s
	t.Log(x, y, z, f, s, st)
}
`, name, senders[seed%uint64(len(senders))], n, g.called(g.loop(n)))
}

// called puts code into a function literal, which captures the variables, or takes the address of
// one, or does neither.
func (g receiver) called(code string) string {
	switch g.r.IntN(4) {
	case 0:
		return "func() {\n" + code + "\n}()"
	case 1:
		return "p := &st\n" + strings.ReplaceAll(code, "st.n", g.pick("p.n", "st.n")) + "\n_ = p"
	}
	return code
}

func (g receiver) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// loop receives n messages.
func (g receiver) loop(n int) string {
	switch g.r.IntN(6) {
	case 0:
		return fmt.Sprintf("for i := range %d {\n_ = i\nm := <-c\n_ = m\n%s}", n, g.body())
	case 1:
		return fmt.Sprintf("i := %d\nfor {\nm := <-c\n_ = m\n%sif i--; i == 0 {\nbreak\n}\n%s}", n,
			g.body(), g.pick("", "", g.statement(1)))
	case 2:
		return fmt.Sprintf("for i := range 2 {\n%s\nfor range %d {\nm := <-c\n_ = m\n%s}\n%s\n}",
			g.between(), n/2, g.body(), g.between())
	case 3:
		return g.line()
	}
	return fmt.Sprintf("for i := 0; i < %d; i++ {\nm := <-c\n_ = m\n%s}", n, g.body())
}

// between is what is done between two loops.
func (g receiver) between() string {
	return g.pick("_ = i", "x += i", "y = 0; _ = i", "z = x + i", "st = tally{}; _ = i",
		"{ d := make(chan int, 1); d <- i }", "f = false; _ = i")
}

// line is receives in a line.
func (g receiver) line() string {
	e := func(v string) string { return g.pick(v+".a", v+".a", v+".a*2", v+".b") }
	if g.r.IntN(2) == 0 {
		part := g.pick(".a", ".b")
		e = func(v string) string { return v + part }
	}
	op := func() string { return g.pick(" + ", " + ", " - ", " * ") }
	if g.r.IntN(2) == 0 {
		same := op()
		op = func() string { return same }
	}
	return "x = (<-c)" + e("") + "\ny = (<-c)" + e("") + "\nv := (<-c)" + e("") + "\nz = x" + op() +
		"y" + op() + "v\nx, y = 0, " + g.pick("0", "0", "0", "x", "y")
}

func (g receiver) body() string {
	var b strings.Builder
	for range 1 + g.r.IntN(3) {
		b.WriteString(g.statement(0) + "\n")
	}
	return b.String()
}

func (g receiver) statement(depth int) string {
	if depth < 2 && g.r.IntN(3) == 0 {
		switch then := g.statement(depth + 1); g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("if %s {\n%s\n} else {\n%s\n}", g.condition(), then,
				g.statement(depth+1))
		case 1:
			return fmt.Sprintf("if %s {\n%s\ncontinue\n}", g.condition(), then)
		default:
			return fmt.Sprintf("if %s {\n%s\n}", g.condition(), then)
		}
	}
	if g.r.IntN(6) == 0 {
		return g.pick("x = m.a", "y = x", "x += y", "s += m.s", "if x > 6 { y++ }", "x = m.a - x",
			"x += m.a * i", "x, y = y, x", "st = tally{}", "st.n = m.a",
			"y += i", "z = x", "if m.a == 4 { break }", "x += m.a / (i + 1)", "f = !f",
			"st.k += st.n",
			"x *= m.a", "st.n = 3")
	}
	return g.pick("x += m.a", "x += m.b", "x -= m.b", "x = m.a + x", "x ^= m.a * 3", "y *= m.a",
		"z |= m.b", "z = max(z, m.a)", "st.n += m.a", "st.k++", "st.n -= 2",
		"f = true", "s = min(s, m.s)", "{ w := m.a; if m.ok { w = 2 }; y += w }",
		"y += len(m.s) + m.b%3",
		"f = f || m.ok", "x++")
}

func (g receiver) condition() string {
	if g.r.IntN(5) == 0 {
		return g.pick("x > 3", "i%2 == 0", "f", "m.ok || f", "st.n > 4", "y == 2")
	}
	return g.pick("m.ok", "m.a > 2", `m.s == "b"`, "m.ok && m.b < 2", "m.ok || m.a == 2", "!m.ok",
		"m.b == 0 || m.b == 5")
}
