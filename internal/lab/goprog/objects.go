package goprog

import "fmt"

// declareObject declares a new object.
func (g *gen) declareObject(k kind) object {
	g.named++
	o := object{name: fmt.Sprintf("%s%d", prefixes[k], g.named)}
	switch k {
	case channel:
		g.declareChannel(&o)
	case mutex:
		g.declareMutex(&o)
	case rwmutex:
		o.with = o.name + "n"
		g.declare(false, fmt.Sprintf("var %s int", o.with), o.with)
		g.declare(false, fmt.Sprintf("var %s sync.RWMutex", o.name), o.name)
	case cond:
		o.with = o.name + "n"
		o.form = g.IntN(2)
		g.declare(false, fmt.Sprintf("var %s int", o.with), o.with)
		locker := []string{"new(sync.Mutex)", "new(sync.RWMutex)"}[o.form]
		g.declare(false, fmt.Sprintf("%s := sync.NewCond(%s)", o.name, locker), o.name)
	case group:
		o.uses = &uses{}
		g.declare(false, fmt.Sprintf("var %s sync.WaitGroup", o.name), o.name)
	case number:
		g.declareNumber(&o)
	case cancelable:
		g.declareContext(&o)
	case onceFunc:
		g.declareOnceFunc(&o)
	case timer, ticker:
		kinds := map[kind]string{timer: "NewTimer", ticker: "NewTicker"}
		g.declare(false, fmt.Sprintf("%s := time.%s(%s)", o.name, kinds[k], g.duration()), o.name)
	case funcTimer:
		body := g.foreign(1)
		g.declareNode(false,
			around(fmt.Sprintf("%s := time.AfterFunc(%s, func() {", o.name, g.duration()), body,
				"})"),
			o.name)
	case openFile:
		g.declareDir()
		g.declare(false, fmt.Sprintf("%s := opened(t, dir)", o.name), o.name)
	default:
		g.declare(false, fmt.Sprintf(simple[k], o.name), o.name)
	}
	return o
}

var prefixes = [kinds]string{
	channel: "c", channels: "cc", box: "box", queue: "q", mutex: "mu", rwmutex: "rw",
	unguarded: "any",
	cond:      "cond",
	group:     "wg", once: "once", onceFunc: "f", pool: "pool", syncMap: "m", number: "a",
	timer:     "tm",
	funcTimer: "af",
	ticker:    "tick", cancelable: "ctx", signalled: "own", slots: "s", counts: "n",
	openFile: "file",
}

// simple are the declarations of the kinds that have only one.
var simple = [kinds]string{
	channels: "%s := make(chan chan int, 1)", box: "%s := &box{}", queue: "%s := newQueue[int](1)",
	unguarded: "var %s sync.Mutex", once: "var %s sync.Once",
	pool: "%s := sync.Pool{New: func() any { return new(int) }}", syncMap: "var %s sync.Map",
	signalled: "%s := newSignalled()", slots: "%s := &slots{at: make([]slot, 2)}",
	counts: "%s := &counts{}",
}

func (g *gen) declareChannel(o *object) {
	n := []int{0, 0, 1, 1, 2}[g.IntN(5)]
	made := fmt.Sprintf("make(chan int, %d)", n)
	switch {
	case n == 0:
		made = "make(chan int)"
	case g.IntN(4) == 0:
		made = fmt.Sprintf("make(mailbox, %d)", n)
	}
	if g.IntN(8) == 0 && !g.p.Timed { // a bubble must make its channels itself
		g.global(o)
		g.declare(true, fmt.Sprintf("%s = %s", o.name, made), o.name)
		return
	}
	g.declare(false, fmt.Sprintf("%s := %s", o.name, made), o.name)
}

// global gives an object a name that no other program's has.
func (g *gen) global(o *object) { o.name = fmt.Sprintf("seed%dx%s", g.p.Seed, o.name) }

func (g *gen) declareMutex(o *object) {
	o.with = o.name + "n"
	switch g.IntN(5) {
	case 0:
		g.declare(false, fmt.Sprintf("var %ss [2]sync.Mutex", o.name), o.name+"s")
		o.name += fmt.Sprintf("s[%d]", g.IntN(2))
	case 1:
		g.declare(false, fmt.Sprintf("var %s sync.Locker = new(sync.Mutex)", o.name), o.name)
		o.form = 1
	case 2:
		g.global(o)
		o.with = o.name + "n"
		g.declare(true, o.name+" sync.Mutex", o.name)
		g.declare(true, o.with+" int", o.with)
		return
	default:
		g.declare(false, fmt.Sprintf("var %s sync.Mutex", o.name), o.name)
	}
	g.declare(false, fmt.Sprintf("var %s int", o.with), o.with)
}

func (g *gen) declareNumber(o *object) {
	if o.form = g.IntN(3); o.form == 0 {
		g.declare(false, fmt.Sprintf("var %s int32", o.name), o.name)
		return
	}
	if o.form == 1 && g.IntN(2) == 0 {
		g.global(o)
		g.declare(true, o.name+" atomic.Int32", o.name)
		return
	}
	g.declare(false, fmt.Sprintf("var %s atomic.Int32", o.name), o.name)
}

func (g *gen) declareContext(o *object) {
	o.with = "cancel" + o.name
	parent := "context.Background()"
	if old := g.objects[cancelable]; len(old) > 0 && !old[0].used && g.IntN(2) == 0 {
		old[0].used = true
		parent = old[0].name
	} else if g.IntN(5) == 0 {
		parent = g.pick(signalled).name
	}
	switch n := g.IntN(6); {
	case n == 0:
		parent = "context.WithoutCancel(" + parent + ")"
	case n == 1:
		parent = "context.WithValue(" + parent + ", 1, 2)"
	}
	text := fmt.Sprintf("%s, %s := context.WithCancel(%s)", o.name, o.with, parent)
	switch n := g.IntN(4); {
	case n == 0:
		text = fmt.Sprintf("%s, %s := context.WithCancelCause(%s)", o.name, o.with, parent)
		o.form = 1
	case n < 3 && g.p.Timed:
		text = fmt.Sprintf("%s, %s := context.WithTimeout(%s, %s)", o.name, o.with, parent,
			g.duration())
	}
	g.declare(false, text, o.name, o.with)
}

// childless returns a context that gets its only child now.
func (g *gen) childless() object {
	list := g.objects[cancelable]
	for i := range list {
		if !list[i].used {
			list[i].used = true
			return list[i]
		}
	}
	o := g.declareObject(cancelable)
	o.used = true
	g.objects[cancelable] = append(g.objects[cancelable], o)
	return o
}

// declareOnceFunc declares a function that does something once. Form 1 returns a value.
func (g *gen) declareOnceFunc(o *object) {
	o.form = g.IntN(3)
	body := g.once()
	head, end := "sync.OnceFunc(func() {", "})"
	switch {
	case o.form == 1:
		head, end = "sync.OnceValue(func() int {", fmt.Sprintf("return %d\n})", g.value())
	case o.form == 2:
		head, end = "sync.OnceValues(func() (int, error) {",
			fmt.Sprintf("return %d, nil\n})", g.value())
	case g.IntN(3) == 0:
		end = "panic(\"once\")\n})"
	}
	g.declareNode(false, around(o.name+" := "+head, body, end), o.name)
}

// duration is a number of milliseconds, as an expression.
func (g *gen) duration() string { return fmt.Sprintf("%d*ms", 1+g.IntN(3)) }
