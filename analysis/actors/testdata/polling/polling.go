// Package polling is patterns P14 and P15: loops that poll with a default case, and several selects in one loop: one
// after the other for priority, one in a case of another. A goroutine that polls its mailbox is an actor.
package polling

type Conn struct {
	urgent, normal chan string
	done           chan struct{}
	sent           int
}

func Start() *Conn {
	c := &Conn{make(chan string, 1), make(chan string, 8), make(chan struct{}), 0}
	go c.loop()
	return c
}

// Priority: the first select polls the urgent mailbox only.
func (c *Conn) loop() {
	for {
		select {
		case m := <-c.urgent:
			c.write(m)
			continue
		default:
		}
		select {
		case m := <-c.urgent:
			c.write(m)
		case m := <-c.normal:
			c.write(m)
		case <-c.done:
			return
		}
	}
}

func (c *Conn) write(m string) { c.sent += len(m) }

// A select in a case: the subscriber's answer, or the order to stop.

type Hub struct {
	in   chan int
	out  chan int
	more chan int
	quit chan struct{}
}

func StartHub() *Hub {
	h := &Hub{make(chan int), make(chan int), make(chan int), make(chan struct{})}
	go h.loop()
	return h
}

func (h *Hub) loop() {
	for {
		select {
		case n := <-h.in:
			select {
			case h.out <- n:
			case m := <-h.more:
				n += m
			case <-h.quit:
				return
			}
		case <-h.quit:
			return
		}
	}
}

// Drain, then work.

type Batch struct{ in chan int }

func (b *Batch) run(work func([]int)) {
	for {
		list := []int{<-b.in}
	more:
		for {
			select {
			case n := <-b.in:
				list = append(list, n)
			default:
				break more
			}
		}
		work(list)
	}
}

func StartBatch(work func([]int)) { go (&Batch{make(chan int)}).run(work) }

// What is left when the work is over: no loop that serves.

func Finish(left chan int, work func(), drop func(int)) {
	go func() {
		work()
		for {
			select {
			case n := <-left:
				drop(n)
			default:
				return
			}
		}
	}()
}

// WANT:
// rejected Finish.func1 receives a bounded number of messages
// actor Conn.loop select
// mailbox Conn.loop Conn.urgent data string 1
// mailbox Conn.loop Conn.normal data string 8
// mailbox Conn.loop Conn.done control struct{} 0
// task Conn.loop Conn.normal write
// task Conn.loop Conn.urgent write
// state Conn.loop Conn.sent field rw
// actor Hub.loop select
// mailbox Hub.loop Hub.in data int 0
// mailbox Hub.loop Hub.more data int 0
// mailbox Hub.loop Hub.quit control struct{} 0
// actor Batch.run receive
// mailbox Batch.run Batch.in data int 0
// ! mailbox Hub.loop Hub.out
// ! mailbox Batch.run Batch.in#2
// ! rejected Conn
// ! rejected Hub
// ! rejected Batch
