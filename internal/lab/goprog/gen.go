package goprog

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// kind is a kind of object.
type kind int

const (
	channel kind = iota
	channels
	box
	queue
	mutex
	rwmutex
	unguarded // a mutex that guards nothing, so that it may be unlocked by anyone
	cond
	group
	once
	onceFunc
	pool
	syncMap
	number // an atomic number
	timer
	funcTimer
	ticker
	cancelable // a context
	signalled  // a context that package context does not know
	slots      // what is assigned and copied
	counts     // numbers for atomic and plain accesses
	openFile   // a file that is open
	kinds
)

// object is what statements share.
type object struct {
	name string
	with string // a second name: the guarded variable, or the function that cancels
	form int    // which of the declarations of its kind
	used bool   // of a context: it has a child. The order in which several are canceled is open
	uses *uses  // of a WaitGroup
}

// uses are the processes that add to a WaitGroup, and those that wait for it, each with those that
// have started it.
type uses struct{ adds, waits []lineage }

// lineage is a process: its number, after those of the processes that started it, from the first
// on. Code that was generated for one of these runs before code that is generated for it.
type lineage []int

// after reports whether what is generated for l now comes after all that has been generated for
// others.
func (l lineage) after(others []lineage) bool {
	return !slices.ContainsFunc(others, func(o lineage) bool {
		return len(o) > len(l) || !slices.Equal(o, l[:len(o)])
	})
}

// gen makes one program.
type gen struct {
	*rand.Rand
	p         *Program
	objects   [kinds][]object
	proc      string // the variable in which the process notes; empty: it logs at once
	collects  bool   // processes note in variables
	self      lineage
	running   int  // processes
	repeated  bool // the statement is inside a loop, and its processes run side by side
	inTest    bool // the statement is run by a test's own process
	locked    bool // the statement is inside a critical section
	ids       int
	named     int // objects
	left      int // operations that may still be made
	depth     int
	liking    [themes]int
	preferred map[string]bool // constructs of mixed programs
	owed      []func() *node
	joins     bool    // the test waits for all processes
	assigns   bool    // sync objects are assigned and copied
	mixes     bool    // everything is used at once
	races     bool    // plain accesses are in data races
	quiet     []*node // what is noted when all processes have ended
	hasDir    bool
	counted   int // processes noted in variables
	collected []string
}

// New makes the program of a seed.
func New(seed uint64) *Program {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 0x60)), p: &Program{Seed: seed}}
	g.choose()
	g.p.body = g.main()
	return g.p
}

// NewAssigned makes the program of a seed that assigns and copies sync objects, too.
func NewAssigned(seed uint64) *Program {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 0x61)), p: &Program{Seed: seed}, assigns: true}
	g.choose()
	g.liking[locks] += 12
	g.p.body = g.main()
	return g.p
}

// choose decides on what the program is like.
func (g *gen) choose() {
	for t := range g.liking {
		g.liking[t] = 1
	}
	for range 2 { // themes from files on are for mixed programs
		g.liking[g.IntN(int(files))] += 12
	}
	g.p.Timed = g.liking[timing] > 1
	g.collects = g.IntN(2) == 0
	g.joins = g.collects || g.IntN(2) == 0
	g.left = 6 + g.IntN(5)
	if g.p.Timed {
		g.left = 4 + g.IntN(4)
	}
	g.inTest, g.self = true, lineage{0}
}

// main makes the test's own statements.
func (g *gen) main() []*node {
	var body []*node
	// in a bubble, time stands still when the test has ended; so it ends when all is quiet
	if g.p.Timed {
		body = append(body, &node{text: []string{"defer time.Sleep(20 * ms)"}, tied: true})
	}
	if g.collects {
		g.proc = g.variable()
	}
	for range 1 + g.IntN(2) {
		body = append(body, g.spawn())
	}
	for g.left > 0 {
		body = append(body, g.statement())
	}
	for _, pay := range g.owed {
		if g.IntN(3) > 0 {
			body = append(body, pay())
		}
	}
	if g.joins {
		g.declareAll()
		body = append(body, leaf("all.Wait()"))
		body = append(body, g.quiet...)
	}
	for _, name := range g.collected {
		body = append(body, leaf(fmt.Sprintf("t.Log(%q, %s)", name, name)))
	}
	return body
}

// variable declares a variable in which a process notes.
func (g *gen) variable() string {
	g.counted++
	name := fmt.Sprintf("noted%d", g.counted)
	g.declare(false, "var "+name+" []any", name)
	g.collected = append(g.collected, name)
	return name
}

func (g *gen) declare(global bool, text string, names ...string) {
	g.declareNode(global, leaf(text), names...)
}

// declareOnce declares what a program has one of.
func (g *gen) declareOnce(text, name string) {
	if !slices.ContainsFunc(g.p.decls, func(d *decl) bool { return d.names[0] == name }) {
		g.declare(false, text, name)
	}
}

func (g *gen) declareNode(global bool, n *node, names ...string) {
	g.p.decls = append(g.p.decls, &decl{names: names, node: n, global: global})
}

// statement makes one statement.
func (g *gen) statement() *node {
	if n := len(g.owed); n > 0 && g.IntN(3) == 0 {
		pay := g.owed[n-1]
		g.owed = g.owed[:n-1]
		return pay()
	}
	var able []construct
	total := 0
	for _, c := range constructs {
		if g.may(c) {
			able = append(able, c)
			total += g.weight(c)
		}
	}
	n := g.IntN(total)
	for _, c := range able {
		if n -= g.weight(c); n < 0 {
			g.left--
			return c.make(g)
		}
	}
	panic("goprog: no construct")
}

// weight says how likely a construct is.
func (g *gen) weight(c construct) int {
	if g.preferred[c.name] {
		return 160 / len(g.preferred)
	}
	return c.weight * g.liking[c.theme]
}

// may reports whether a construct can be used here.
func (g *gen) may(c construct) bool {
	switch {
	case c.needs&inTestOnly != 0 && (!g.inTest || g.p.Timed):
		return false
	case c.needs&ownTest != 0 && !g.inTest:
		return false
	case c.needs&timed != 0 && !g.p.Timed:
		return false
	case c.needs&assigning != 0 && !g.assigns, c.needs&mixing != 0 && !g.mixes:
		return false
	case c.theme == files && !g.joins:
		// the directory would be removed beside them, which is not one step
		return false
	case c.needs&waits != 0 && g.locked && g.p.Timed:
		return false
	case c.needs&nests != 0 && g.depth > 1:
		return false
	}
	return true
}

// block makes the statements of a nested block.
func (g *gen) block(most int) []*node {
	g.depth++
	defer func() { g.depth-- }()
	var body []*node
	for range 1 + g.IntN(most) {
		body = append(body, g.statement())
		if g.left <= 0 {
			break
		}
	}
	return body
}

// critical makes a block inside a critical section.
func (g *gen) critical(most int) []*node {
	outer := g.locked
	g.locked = true
	defer func() { g.locked = outer }()
	return g.block(most)
}

// foreign makes a block that any process may run.
func (g *gen) foreign(most int) []*node {
	proc, inTest, depth := g.proc, g.inTest, g.depth
	defer func() { g.proc, g.inTest, g.depth = proc, inTest, depth }()
	g.proc, g.inTest, g.depth = "", false, 2
	return g.beside(nil, most)
}

// beside makes a block of a new process that the last one of a lineage starts, if any: else it may
// run at any time.
func (g *gen) beside(starter lineage, most int) []*node {
	self := g.self
	defer func() { g.self = self }()
	g.running++
	g.self = append(slices.Clone(starter), g.running)
	return g.block(most)
}

// process makes the block of a new process.
func (g *gen) process(most int) []*node {
	proc, inTest, locked, depth := g.proc, g.inTest, g.locked, g.depth
	defer func() { g.proc, g.inTest, g.locked, g.depth = proc, inTest, locked, depth }()
	g.inTest, g.locked = false, false
	if g.collects {
		g.proc = g.variable()
	}
	return g.beside(g.self, most)
}

// note makes values part of the outcome.
func (g *gen) note(args string) string {
	g.ids++
	if g.proc != "" {
		return fmt.Sprintf("%s = append(%s, %s)", g.proc, g.proc, args)
	}
	return fmt.Sprintf("t.Log(%d, %s)", g.ids, args)
}

func (g *gen) noted(format string, args ...any) *node {
	return leaf(g.note(fmt.Sprintf(format, args...)))
}

// owes remembers a counterpart, mostly.
func (g *gen) owes(pay func() *node) {
	if len(g.owed) < 3 && g.IntN(4) > 0 {
		g.owed = append(g.owed, pay)
	}
}

// pick returns an object of a kind, an old one if there is one, mostly.
func (g *gen) pick(k kind) object {
	if old := g.objects[k]; len(old) > 0 && (g.IntN(4) > 0 || g.mixes && g.IntN(3) > 0) {
		return old[g.IntN(len(old))]
	}
	o := g.declareObject(k)
	g.objects[k] = append(g.objects[k], o)
	return o
}

// word picks a word.
func (g *gen) word(words ...string) string { return words[g.IntN(len(words))] }

// value is a small number that is used once.
func (g *gen) value() int {
	g.ids++
	return g.ids
}

// guarded are the statements that may be made of a variable under its lock.
func (g *gen) guarded(name string) *node {
	if g.IntN(2) == 0 {
		return leaf(name + "++")
	}
	return leaf(name + "++\n" + g.note(name))
}
