// Package requests is patterns P6 and P7: requests that carry a reply channel, and a channel of channels. The clients,
// which loop over answers, are not actors. The server's state is in locals (P24).
package requests

type readOp struct {
	key  int
	resp chan int
}

type writeOp struct {
	key, val int
	resp     chan bool
}

func Stateful() {
	reads := make(chan readOp)
	writes := make(chan writeOp)
	go func() {
		state := make(map[int]int)
		for {
			select {
			case read := <-reads:
				read.resp <- state[read.key]
			case write := <-writes:
				state[write.key] = write.val
				write.resp <- true
			}
		}
	}()
	for r := 0; r < 3; r++ {
		go func() {
			for {
				read := readOp{key: r, resp: make(chan int)}
				reads <- read
				<-read.resp
			}
		}()
	}
	write := writeOp{resp: make(chan bool)}
	writes <- write
	<-write.resp
}

type Cron struct {
	entries  []string
	snapshot chan chan []string
	closing  chan chan error
}

func (c *Cron) run() {
	for {
		select {
		case reply := <-c.snapshot:
			reply <- append([]string(nil), c.entries...)
		case errc := <-c.closing:
			errc <- nil
			return
		}
	}
}

func Start() *Cron {
	c := &Cron{snapshot: make(chan chan []string), closing: make(chan chan error)}
	go c.run()
	return c
}

func (c *Cron) Entries() []string {
	reply := make(chan []string, 1)
	c.snapshot <- reply
	return <-reply
}

// WANT:
// actor Stateful.func1 select
// mailbox Stateful.func1 reads data readOp 0
// mailbox Stateful.func1 writes data writeOp 0
// handler Stateful.func1 reads reply:read.resp sends:read.resp
// handler Stateful.func1 writes reply:write.resp sends:write.resp
// state Stateful.func1 state local rw
// rejected Stateful.func2 receives only the answers to its own requests
// actor Cron.run select
// handler Cron.run Cron.snapshot reply:reply sends:reply
// handler Cron.run Cron.closing reply:errc sends:errc stops
// mailbox Cron.run Cron.closing data chan error 0
// state Cron.run Cron.entries field r
// ! actor Stateful.func2
