// Package queue is pattern P19: an actor that buffers without bound between two channels. P10: it sends in a case.
package queue

type Queue struct {
	in, out chan any
	quit    chan struct{}
	list    []any
}

func New() *Queue {
	q := &Queue{in: make(chan any), out: make(chan any, 4), quit: make(chan struct{})}
	go q.run()
	return q
}

func (q *Queue) run() {
	for {
		var first any
		var out chan any
		if len(q.list) > 0 {
			first, out = q.list[0], q.out
		}
		select {
		case x := <-q.in:
			q.list = append(q.list, x)
		case out <- first:
			q.list = q.list[1:]
		case <-q.quit:
			return
		}
	}
}

func (q *Queue) ChanIn() chan<- any  { return q.in }
func (q *Queue) ChanOut() <-chan any { return q.out }

func Pass(q *Queue) {
	q.ChanIn() <- 1
	<-q.ChanOut()
	close(q.quit)
}

// WANT:
// actor Queue.run select
// mailbox Queue.run Queue.in data any 0
// mailbox Queue.run Queue.quit control struct{} 0
// sent Queue.run Queue.in in Pass by env
// sent Queue.run Queue.quit in Pass close by env
// state Queue.run Queue.list field rw
// ! mailbox Queue.run out
// ! rejected
