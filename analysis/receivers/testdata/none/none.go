// Package none hands values to methods of interfaces, and is no framework: no goroutine does it, or
// what it hands over is no message, or is handed over once.
package none

type Visitor interface{ Visit(any) }

type printer struct{}

func (printer) Visit(v any) { println(v) }

type walker struct {
	visitor Visitor
	todo    chan any
	config  map[string]any
}

func (w *walker) walk() { // on its caller's goroutine
	for v := range w.todo {
		w.visitor.Visit(v)
	}
}

type Sink interface{ Put(any) }

type sink struct{}

func (sink) Put(any) {}

type once struct {
	sink  Sink
	inbox chan any
}

func (o *once) run() { o.sink.Put(<-o.inbox) }

type Ticked interface{ Tick(int) }

type ticked struct{}

func (ticked) Tick(int) {}

type ticker struct {
	ticked Ticked
	ticks  chan struct{}
}

func (t *ticker) run() {
	n := 0
	for range t.ticks {
		n++
		t.ticked.Tick(n)
	}
}

func Start() {
	(&walker{visitor: printer{}}).walk()
	go (&once{sink: sink{}}).run()
	go (&ticker{ticked: ticked{}}).run()
}

// WANT:
// ! framework
