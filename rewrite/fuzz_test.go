package rewrite_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// FuzzRewrite rewrites random programs, drawn from a grammar by the fuzzer's bytes: the result must
// type-check, and nothing may have left its line.
func FuzzRewrite(f *testing.F) {
	for seed := range int64(30) {
		choices := make([]byte, 400)
		rand.New(rand.NewSource(seed)).Read(choices)
		f.Add(choices, seed%3 == 0)
	}
	w, err := std()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, choices []byte, perLoop bool) {
		version := "go1.26"
		if perLoop {
			version = "go1.21"
		}
		text := program(choices)
		in, err := w.check("p", version, []string{"/p/p.go"},
			map[string][]byte{"/p/p.go": []byte(text)})
		if err != nil {
			t.Fatalf("the grammar makes programs that do not type-check: %v\n%s", err, text)
		}
		result, err := w.rewritten(in)
		if err != nil {
			t.Fatalf("%v\n%s\nfrom\n%s", err, result["/p/p.go"], text)
		}
		sameLines(t, in, result)
		if t.Failed() {
			t.Logf("%s\nfrom\n%s", result["/p/p.go"], text)
		}
	})
}

const prelude = `package p

import ("os"; "runtime")

type named chan int

type flag bool

type S struct { c chan int; n int; f func(int); b flag }

func (s S) value(x ...int) {}

func (s *S) pointer(x int) int { return x }

func two() (int, flag) { return 1, true }

func take(x int, f flag) {}

func generic[T any](x T, y ...T) T { return x }

func program[C ~chan int](c, d chan int, e named, t C, cc chan chan int, a chan any, s *S, m map[int]int, k map[int]flag, x int, b flag) int {
`

const epilogue = `	runtime.GC()
	_ = os.Args
	return x
}
`

// grammar makes a program out of choices. When they run out, it takes the first production, which
// is a leaf.
type grammar struct {
	choices []byte
	depth   int
	names   int
	loops   []string // labels of the loops around the statement that is being made
}

func program(choices []byte) string {
	g := &grammar{choices: choices}
	var body strings.Builder
	for len(g.choices) > 0 {
		body.WriteString(g.statement())
	}
	return prelude + body.String() + epilogue
}

// pick returns a number below n.
func (g *grammar) pick(n int) int {
	if len(g.choices) == 0 || g.depth > 6 {
		return 0
	}
	c := g.choices[0]
	g.choices = g.choices[1:]
	return int(c) % n
}

// one returns the result of one production.
func (g *grammar) one(productions ...func() string) string {
	g.depth++
	defer func() { g.depth-- }()
	return productions[g.pick(len(productions))]()
}

// text is a production whose verbs are filled in by others.
func (g *grammar) text(format string, parts ...func() string) func() string {
	return func() string {
		made := make([]any, len(parts))
		for i, p := range parts {
			made[i] = p()
		}
		return fmt.Sprintf(format, made...)
	}
}

// word is a production that picks a word.
func (g *grammar) word(words ...string) func() string {
	return func() string { return words[g.pick(len(words))] }
}

// space is white space or a comment that may stand behind an operator.
func (g *grammar) space() string {
	return g.word(" ", "", " ", "\n", " /* c */ ", " // c\n", " /* c\n */ ")()
}

// name returns a new name.
func (g *grammar) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *grammar) integer() string {
	return g.one(
		g.word("x", "1", "len(c)", "s.n"),
		g.text("<-%s%s", g.space, g.channel),
		g.text("m[%s]", g.integer),
		g.text("%s +%s%s", g.integer, g.space, g.integer),
		g.text("len(%s)", g.channel),
		g.text("generic(%s,%s%s)", g.integer, g.space, g.integer),
		g.text("-(<-%s)", g.channel),
		g.text("s.pointer(%s%s)", g.space, g.integer),
		g.text("<-<-%s", g.channels),
		g.text("func() int { %sreturn <-%s }()", g.block, g.channel),
	)
}

func (g *grammar) channel() string {
	return g.one(
		g.word("c", "d", "e", "t", "s.c"),
		g.text("<-%s", g.channels),
		g.text("make(chan int)"),
		g.text("make(named,%s%s)", g.space, g.integer),
		g.text("generic(%s)", g.channel),
		g.text("func() chan int {\n%sreturn nil\n}()", g.block),
	)
}

func (g *grammar) channels() string {
	return g.one(g.word("cc"), g.text("make(chan chan int, %s)", g.integer))
}

// truth is an expression that converts to any boolean type.
func (g *grammar) truth() string {
	return g.one(
		g.word("true", "1 == 2"),
		g.text("%s < %s%s", g.integer, g.space, g.integer),
		g.text("!(%s) ||%s%s", g.truth, g.space, g.truth),
	)
}

// lvalue is an integer variable.
func (g *grammar) lvalue() string {
	return g.one(g.word("x", "_", "s.n"), g.text("m[%s]", g.integer), g.text("(&S{}).n"))
}

// okay is a boolean variable of a named type.
func (g *grammar) okay() string {
	return g.one(g.word("b", "_", "s.b"), g.text("k[%s]", g.integer))
}

// block is what stands between braces.
func (g *grammar) block() string {
	outer := g.loops
	g.loops = nil
	defer func() { g.loops = outer }()
	return g.body()
}

// body is a list of statements inside the loops around it.
func (g *grammar) body() string {
	return g.one(g.word("\n"), g.text("\n%s", g.statement),
		g.text("%s%s", g.statement, g.statement))
}

func (g *grammar) statement() string {
	return g.one(
		g.text("<-%s\n", g.channel),
		g.text("%s <-%s%s\n", g.channel, g.space, g.integer),
		g.text("a <-%s%s\n", g.space, g.value),
		g.text("%s, %s = <-%s%s\n", g.lvalue, g.okay, g.space, g.channel),
		g.text("%s = %s\n", g.lvalue, g.integer),
		g.text("close(%s)\n", g.channel),
		g.text("defer close(%s%s)\n", g.space, g.channel),
		g.text("if v, ok := <-%s; ok { _ = v\n%s}\n", g.channel, g.body),
		g.text("if c <- 1; %s {%s} else {%s}\n", g.truth, g.body, g.body),
		g.text("switch <-%s { case <-c: %s }\n", g.channel, g.body),
		g.ranging, g.ranging, g.selecting, g.selecting, g.selecting, g.spawning, g.spawning,
		g.leave,
		g.text("runtime.Gosched()\n"),
		g.text("{%s}\n", g.body),
	)
}

// value is anything.
func (g *grammar) value() string {
	return g.one(g.word("nil", "1", "'x'", "S{}"), g.integer, g.channel, g.truth,
		g.text("func() {%s}", g.block))
}

// leave leaves a loop or starts its next iteration.
func (g *grammar) leave() string {
	if len(g.loops) == 0 {
		return "x++\n"
	}
	return fmt.Sprintf("if b { %s %s }\n", g.word("break", "continue")(),
		g.loops[g.pick(len(g.loops))])
}

// ranging is a range over a channel, or over something else.
func (g *grammar) ranging() string {
	label := "L" + g.name()
	g.loops = append(g.loops, label)
	defer func() { g.loops = g.loops[:len(g.loops)-1] }()
	head := g.one(g.word(""), g.text("v :="), g.text("_ ="), g.text("%s =", g.lvalue),
		g.text("v :=\n"))
	use := ""
	if strings.HasPrefix(head, "v") {
		use = g.word("_ = v\n", "v := v; _ = v\n", "a <- &v\n", "defer func() { <-a; v++ }()\n")()
	}
	over := g.one(g.channel, g.text("(%s)", g.channel))
	return fmt.Sprintf("%s:\nfor %s range %s {%s%s; if x > 3 { continue %s }\n}\n", label, head,
		over,
		use, g.body(), label)
}

// selecting is a select statement.
func (g *grammar) selecting() string {
	var b strings.Builder
	b.WriteString("select {" + g.word("\n", "", " // c\n")())
	for range g.pick(4) {
		b.WriteString("case " + g.communication() + ":" + g.use() + g.body())
	}
	if g.pick(2) == 1 {
		b.WriteString("default:" + g.body())
	}
	if g.pick(3) == 1 {
		b.WriteString("case v, ok := <-" + g.channel() + ": _, _ = v, ok\n" + g.body())
	}
	return b.String() + "}\n"
}

// use is the start of a select body.
func (g *grammar) use() string { return g.word("\n", " ", " // c\n", "\n\n", "if b { break }\n")() }

func (g *grammar) communication() string {
	return g.one(
		g.text("<-%s", g.channel),
		g.text("(<-%s%s)", g.space, g.channel),
		g.text("%s <-%s%s", g.channel, g.space, g.integer),
		g.text("a <- %s", g.value),
		g.text("%s = <-%s%s", g.lvalue, g.space, g.channel),
		g.text("%s,%s%s = <-%s", g.lvalue, g.space, g.okay, g.channel),
	)
}

// spawning is a go statement.
func (g *grammar) spawning() string {
	return g.one(
		g.text("go func() {%s}()\n", g.block),
		g.text("go take(%s,%s%s)\n", g.integer, g.space, g.truth),
		g.text("go take(two())\n"),
		g.text("go func(x, y int, f flag) {%s}(%s,%s%s,%s)\n", g.block, g.integer, g.space,
			g.integer,
			g.truth),
		g.text("go func(y int, c chan int) int {%sreturn 1\n}(\n%s,\n%s,\n)\n", g.block, g.integer,
			g.channel),
		g.text("go s.value(%s)\n", g.integer),
		g.text("go s.value(%s[]int{%s}...)\n", g.space, g.integer),
		g.text("go (*S).pointer(s, %s)\n", g.integer),
		g.text("go s.f(%s%s)\n", g.space, g.integer),
		g.text("go generic(%s, %s)\n", g.integer, g.integer),
		g.text("go generic[any](%s,%s%s)\n", g.value, g.space, g.value),
		g.text("go close(%s)\n", g.channel),
		g.text("go println(%s, %s, %s)\n", g.integer, g.truth, g.integer),
		g.text("go runtime.Gosched()\n"),
		g.text("go os.Exit(%s)\n", g.integer),
		g.text("go func(two func() (int, flag)) func(int, flag) { return take }(two)(%s, %s)\n",
			g.integer, g.truth),
	)
}
