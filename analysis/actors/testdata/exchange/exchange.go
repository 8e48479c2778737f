// Package exchange is pattern P8: one channel for request and answer. The loop is an actor; the check of uniqueness
// reports the clients, which may take each other's messages.
package exchange

type Cron struct {
	entries  []int
	add      chan int
	snapshot chan []int
	stop     chan struct{}
}

func New() *Cron {
	c := &Cron{add: make(chan int), snapshot: make(chan []int), stop: make(chan struct{})}
	go c.run()
	return c
}

func (c *Cron) run() {
	for {
		select {
		case e := <-c.add:
			c.entries = append(c.entries, e)
		case <-c.snapshot:
			c.snapshot <- append([]int(nil), c.entries...)
		case <-c.stop:
			return
		}
	}
}

func (c *Cron) Entries() []int {
	c.snapshot <- nil
	return <-c.snapshot
}

// WANT:
// actor Cron.run select
// mailbox Cron.run Cron.snapshot data []int 0
// handler Cron.run Cron.snapshot sends:c.snapshot
// sent Cron.run Cron.snapshot in (*Cron).run by Cron.run/Cron.snapshot
// sent Cron.run Cron.snapshot in (*Cron).Entries by env
// ! rejected
