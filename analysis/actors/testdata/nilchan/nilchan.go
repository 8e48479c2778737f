// Package nilchan is patterns P9 and P10: cases switched on and off by a channel variable that may be nil or by a
// function that may return nil, and a send case beside them.
package nilchan

type Dedup struct {
	in, out chan string
	closing chan chan error
	full    bool
	extra   chan string
}

func Start() *Dedup {
	d := &Dedup{in: make(chan string), out: make(chan string), closing: make(chan chan error), extra: make(chan string, 2)}
	go d.loop()
	return d
}

func (d *Dedup) acceptCh() chan string {
	if d.full {
		return nil
	}
	return d.extra
}

func (d *Dedup) loop() {
	in := d.in
	var out chan string
	var pending string
	for {
		select {
		case pending = <-in:
			in = nil
			out = d.out
		case out <- pending:
			in, out = d.in, nil
		case pending = <-d.acceptCh():
			d.full = true
		case errc := <-d.closing:
			errc <- nil
			close(d.out)
			return
		}
	}
}

// raft's advance: a variable of the loop that is nil or the field, in several steps.

type Node struct {
	prop, advance chan struct{}
	n             chan int
}

func (n *Node) run(lead func() bool) {
	var advance chan struct{}
	for {
		if lead() {
			if advance == nil {
				advance = n.advance
			}
		}
		select {
		case <-advance:
			advance = nil
		case <-n.n:
		}
	}
}

func RunNode(lead func() bool) {
	n := &Node{advance: make(chan struct{}), n: make(chan int)}
	go n.run(lead)
	n.advance <- struct{}{}
}

// WANT:
// actor Node.run select
// mailbox Node.run advance data struct{} 0 nilable
// actor Dedup.loop select
// mailbox Dedup.loop in data string 0 nilable
// mailbox Dedup.loop Dedup.acceptCh() data string 2 nilable
// mailbox Dedup.loop Dedup.closing data chan error 0
// state Dedup.loop Dedup.full field rw
// state Dedup.loop pending local rw
// ! mailbox Dedup.loop out
// ! rejected
