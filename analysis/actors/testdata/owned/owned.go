// Package owned is pattern P24: where the state of an actor is. In locals, in fields, in captured and package
// variables, in objects that only methods below the loop touch, and in what functions do that are sent as messages.
package owned

type registry struct {
	topics map[string]int
	count  counter
}

type counter struct{ n int }

func (r *registry) add(topic string) {
	r.topics[topic]++
	r.count.up()
}

func (r *registry) has(topic string) bool { return r.topics[topic] > 0 }

func (c *counter) up() { c.n++ }

type Server struct {
	in    chan string
	reg   *registry
	ask   *registry
	log   *[]string
	names map[string]*counter
}

func New() *Server {
	s := &Server{in: make(chan string), reg: &registry{topics: map[string]int{}}, ask: &registry{}}
	go s.run()
	return s
}

func (s *Server) run() {
	for m := range s.in {
		s.handle(m)
	}
}

func (s *Server) handle(m string) {
	if s.ask.has(m) {
		return
	}
	s.reg.add(m)
	*s.log = append(*s.log, m)
	s.names[m].n = 1
}

var total int

func Captured(in chan int) *int {
	sum, own := 0, registry{topics: map[string]int{}}
	go func() {
		last := 0
		loc := &registry{topics: map[string]int{}}
		for n := range in {
			sum += n - last
			last = n
			total = sum
			own.add("x")
			loc.add("y")
		}
	}()
	return &sum
}

type Funcs struct {
	in    chan func()
	users map[string]int
}

func Start() *Funcs {
	f := &Funcs{in: make(chan func()), users: map[string]int{}}
	go f.loop()
	return f
}

func (f *Funcs) loop() {
	for g := range f.in {
		g()
	}
}

func (f *Funcs) Join(name string) { f.in <- func() { f.users[name]++ } }

// Limits reads package variables: base and the elements of rates are set before main begins, by init,
// and factor by a method of that name, whenever anybody calls it.
type Limits struct {
	in  chan int
	sum int
}

var (
	base   int
	rates  = map[int]int{}
	factor int
)

func init() {
	base, rates[1] = 10, 2
}

func (l *Limits) init() { factor = 3 }

func (l *Limits) Loop() {
	for n := range l.in {
		l.sum += base + factor*rates[n]
	}
}

func (l *Limits) Start() {
	go l.Loop()
	l.init()
	l.in <- 1
}

// WANT:
// state Server.run Server.reg field rw
// state Server.run Server.ask field r
// state Server.run Server.log field rw
// state Server.run Server.names field rw
// state Captured.func1 sum captured rw
// state Captured.func1 last local rw
// state Captured.func1 own captured rw
// state Captured.func1 loc local rw
// state Captured.func1 owned.total global w
// state Funcs.loop Funcs.users field rw
// state Limits.Loop Limits.sum field rw
// state Limits.Loop owned.factor global r
// ! state Limits.Loop owned.base
// ! state Limits.Loop owned.rates
// ! rejected
