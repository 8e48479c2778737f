// Package kinds sends messages that nobody takes, and has handlers that nobody calls.
package kinds

func use(...any) {}

type (
	start struct{}
	stop  struct{ reason string }
	pause struct{}
	spare struct{ n int }
)

type Server struct{ in chan any }

func New() *Server {
	s := &Server{make(chan any)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for m := range s.in {
		switch m := m.(type) {
		case start:
			use("start")
		case *spare: // want `no message of kind \*spare, declared at kinds.go:10, is ever sent: nobody calls this handler`
			use(m.n)
		case stop:
			return
		}
	}
}

func (s *Server) Start() { s.in <- start{} }
func (s *Server) Stop()  { s.in <- stop{"asked"} }
func (s *Server) Pause() {
	s.in <- pause{} // want `Server.Pause sends a pause here, for which the type switch of Server.loop, at kinds.go:23, has no case: it is dropped`
}

// From here on everything is fine.

type event interface{ isEvent() }

type (
	opened struct{}
	closed struct{ event }
	odd    struct{}
	Public struct{}
)

func (opened) isEvent() {}

type Fine struct{ in chan any }

func NewFine() *Fine {
	f := &Fine{make(chan any)}
	go f.loop()
	return f
}

func (f *Fine) loop() {
	for m := range f.in {
		switch m := m.(type) {
		case event:
			m.isEvent()
		case Public:
			use(m)
		}
	}
}

func (f *Fine) All() {
	f.in <- opened{}
	f.in <- closed{}
	f.in <- 1
}

// A default, and a message that is handed on.

type Rest struct{ in, out chan any }

func NewRest() *Rest {
	r := &Rest{make(chan any), make(chan any)}
	go func() {
		for m := range r.in {
			switch m.(type) {
			case start:
			default:
				use("other")
			}
		}
	}()
	go func() {
		for m := range r.out {
			switch m.(type) {
			case stop:
				return
			}
			use(m)
		}
	}()
	return r
}

func (r *Rest) Odd() {
	r.in <- odd{}
	r.out <- odd{}
}

// All messages are counted, whatever they are.

type Counting struct {
	in chan any
	n  int
}

func NewCounting() *Counting {
	c := &Counting{in: make(chan any)}
	go c.loop()
	return c
}

func (c *Counting) loop() {
	for m := range c.in {
		switch m.(type) {
		case stop:
			return
		}
		c.n++
	}
}

func (c *Counting) Odd() { c.in <- odd{} }

// Two receivers, and anybody.

type Two struct {
	in  chan any
	Out chan any
}

func (t *Two) a() {
	switch (<-t.in).(type) {
	case start:
	}
}

func (t *Two) b() {
	switch (<-t.in).(type) {
	case odd:
	}
	switch (<-t.Out).(type) {
	case stop:
	}
}

func (t *Two) Put() {
	t.in <- odd{}
	t.Out <- odd{}
}

// A generic function makes the message.

type made struct{}

func put[T any](to chan any, m T) { to <- m }

func generic() {
	ch := make(chan any)
	go func() {
		for m := range ch {
			switch m.(type) {
			case made:
				use("made")
			}
		}
	}()
	put(ch, made{})
}

// What a message asks for is a constant in a field.

const (
	opGet = iota
	opPut
	opDel
	opOld
)

type cmd struct {
	op int
	v  int
}

type Codes struct {
	in chan cmd
	n  int
}

func NewCodes() *Codes {
	c := &Codes{in: make(chan cmd)}
	go c.loop()
	return c
}

func (c *Codes) loop() {
	for m := range c.in {
		switch m.op {
		case opGet:
			use(c.n)
		case opPut:
			c.n = m.v
		case opOld: // want `no message with op opOld, declared at kinds.go:187, is ever sent: nobody calls this handler`
			c.n = 0
		}
	}
}

func (c *Codes) do(op, v int) { c.in <- cmd{op: op, v: v} }
func (c *Codes) Get()         { c.in <- cmd{op: opGet} }
func (c *Codes) Put(v int)    { c.do(opPut, v) }
func (c *Codes) Del()         { c.do(opDel, 0) } // want `op opDel is sent here, for which the switch of Codes.loop, at kinds.go:208, has no case: it is dropped`

// A word, behind a pointer, in a method that handles the message.

type verb string

const (
	open verb = "open"
	shut verb = "shut"
	lock verb = "lock"
)

type ask struct{ verb verb }

type Door struct {
	in   chan *ask
	quit chan bool
}

func NewDoor() *Door {
	d := &Door{make(chan *ask), make(chan bool)}
	go func() {
		for {
			select {
			case a := <-d.in:
				d.handle(a)
			case <-d.quit:
				return
			}
		}
	}()
	return d
}

func (d *Door) handle(a *ask) {
	switch a.verb {
	case open:
		use("opens")
	case lock: // want `no message with verb lock`
		use("locks")
	}
}

func (d *Door) Open() { d.in <- &ask{open} }
func (d *Door) Shut() { d.in <- &ask{verb: shut} } // want `verb shut is sent here, for which the switch of Door.handle`

// A default, something for all behind the switch, somebody else who looks, other values, the zero value.

type (
	dcmd struct{ op int }
	bcmd struct{ op int }
	lcmd struct{ op int }
	ocmd struct{ op int }
	zcmd struct{ op int }
	Ecmd struct{ Op int }
)

type Quiet struct {
	d chan dcmd
	b chan bcmd
	l chan lcmd
	o chan ocmd
	z chan zcmd
	e chan Ecmd
	n int
}

func NewQuiet() *Quiet {
	q := &Quiet{make(chan dcmd), make(chan bcmd), make(chan lcmd), make(chan ocmd), make(chan zcmd), make(chan Ecmd), 0}
	go q.loop()
	return q
}

func (q *Quiet) loop() {
	for {
		select {
		case m := <-q.d:
			switch m.op {
			case opGet:
			default:
				use("others")
			}
		case m := <-q.b:
			switch m.op {
			case opGet:
				return
			}
			q.n++
		case m := <-q.l:
			if m.op == opOld {
				return
			}
			switch m.op {
			case opGet:
				use("get")
			}
		case m := <-q.o:
			switch m.op {
			case opDel:
				use("del")
			}
		case m := <-q.z:
			switch m.op {
			case opGet:
				use("zero")
			case opPut:
				use("put")
			}
		case m := <-q.e:
			switch m.Op {
			case opDel:
				use("del")
			}
		}
	}
}

func (q *Quiet) D()       { q.d <- dcmd{opPut}; q.d <- dcmd{opGet} }
func (q *Quiet) B()       { q.b <- bcmd{opPut}; q.b <- bcmd{opGet} }
func (q *Quiet) L()       { q.l <- lcmd{opPut}; q.l <- lcmd{opGet}; q.l <- lcmd{opOld} }
func (q *Quiet) O(op int) { q.o <- ocmd{op}; q.o <- ocmd{opPut} }
func (q *Quiet) Z()       { q.z <- zcmd{}; q.z <- zcmd{op: opPut} }
func (q *Quiet) E()       { q.e <- Ecmd{opPut} }

// The message is nothing but a constant.

type signal int

const (
	tick signal = iota
	flush
	halt
	wake
	reload
	ghost
)

type Plain struct{ in chan signal }

func NewPlain() *Plain {
	p := &Plain{make(chan signal, 1)}
	go p.loop()
	return p
}

func (p *Plain) loop() {
	for {
		switch <-p.in {
		case flush:
			use("flush")
		case reload: // want `no message reload, declared at kinds.go:\d+, is ever sent: nobody calls this handler`
			use("reload")
		case tick: // want `no message tick, declared at`
			use("tick")
		case halt:
			return
		}
	}
}

func (p *Plain) Flush()        { p.tell(flush) }
func (p *Plain) Stop()         { p.in <- halt }
func (p *Plain) tell(m signal) { p.in <- m }
func (p *Plain) Wake() {
	p.tell(wake) // want `wake is sent here, for which the switch of Plain.loop, at kinds.go:\d+, has no case: it is dropped`
}

// Words, that a helper takes.

const (
	begin = "begin"
	end   = "end"
)

func words() {
	in := make(chan string)
	go func() {
		for m := range in {
			word(m)
		}
	}()
	in <- begin
	in <- end // want `end is sent here, for which the switch of word`
	close(in)
}

func word(m string) {
	switch m {
	case begin:
		use("begins")
	}
}

// Fine: the zero value of a closed channel; a message that counts for whoever waits for it, wakes him, or is answered; one that
// a default is for, or somebody else looks at; other messages than constants.

func zero() {
	in := make(chan signal)
	go func() {
		in <- flush
		close(in)
	}()
	for {
		switch <-in {
		case tick:
			return
		case flush:
			use("flush")
		}
	}
}

func counts(n int) bool {
	results := make(chan signal, n)
	for range n {
		go func() { results <- flush }()
	}
	go func() { results <- halt }()
	for i := 0; i < n; i++ {
		switch <-results {
		case halt:
			return false
		}
	}
	return true
}

type waker struct {
	in   chan signal
	done bool
}

func (w *waker) run() {
	for !w.done {
		switch <-w.in {
		case halt:
			return
		}
	}
}

func startWaker() *waker {
	w := &waker{in: make(chan signal)}
	go w.run()
	return w
}

func (w *waker) end() {
	w.done = true
	w.in <- wake
}

func (w *waker) halt() { w.in <- halt }

type thankful struct{ in, thanks chan signal }

func startThankful() *thankful {
	t := &thankful{make(chan signal), make(chan signal)}
	go func() {
		for m := range t.in {
			t.handle(m)
			t.thanks <- m
		}
	}()
	return t
}

func (t *thankful) handle(m signal) {
	switch m {
	case flush:
		use("flush")
	}
}

func (t *thankful) put() {
	t.in <- wake
	t.in <- flush
	<-t.thanks
}

func more(s signal) {
	skipped, others, looked := make(chan signal), make(chan signal), make(chan signal)
	go func() {
		for m := range skipped {
			switch m {
			case flush:
				use("flush")
			default: // the others are for nobody
			}
		}
	}()
	go func() {
		for m := range others {
			switch m {
			case flush, ghost:
				use("flush")
			}
		}
	}()
	go func() {
		<-looked
		for m := range looked {
			switch m {
			case flush:
				use("flush")
			}
		}
	}()
	skipped <- wake
	skipped <- flush
	others <- s
	looked <- wake
	looked <- flush
}

// Who calls the handler is not known, nor what is done after it.

type hcmd struct{ op int }

func hooked(handle func(m hcmd)) {
	in := make(chan hcmd)
	if handle == nil {
		handle = onCmd
	}
	go func() {
		for m := range in {
			handle(m)
			use("handled")
		}
	}()
	in <- hcmd{opPut}
	in <- hcmd{opDel}
}

func onCmd(m hcmd) {
	switch m.op {
	case opPut:
		use("put")
	}
}
