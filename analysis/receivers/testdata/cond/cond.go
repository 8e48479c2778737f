// Package cond has a queue with a condition variable, whose messages go to a function.
package cond

import "sync"

type Message struct{ Text string }

type Worker struct {
	mu     sync.Mutex
	more   *sync.Cond
	items  []*Message
	handle func(*Message)
}

func New(handle func(*Message)) *Worker {
	w := &Worker{handle: handle}
	w.more = sync.NewCond(&w.mu)
	go w.loop()
	return w
}

func (w *Worker) next() *Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.items) == 0 {
		w.more.Wait()
	}
	m := w.items[0]
	w.items = w.items[1:]
	return m
}

func (w *Worker) loop() {
	for {
		w.handle(w.next())
	}
}

func Use() {
	New(func(m *Message) { println(m.Text) })
	New(second)
}

func second(*Message) {}

func other(*Message) {}

// WANT:
// framework cond.func(*cond.Message) Worker.loop
// receiver cond.func(*cond.Message) cond.Use.func1 call
// receiver cond.func(*cond.Message) cond.second call
// ! receiver cond.func(*cond.Message) cond.other
