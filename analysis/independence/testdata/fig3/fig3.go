// Package fig3 has the program of Fig. 3 of the paper: a registry and two workers.
package fig3

type message interface{ isMessage() }

type (
	p struct{}
	m struct{}
	t struct{}
)

func (p) isMessage() {}
func (m) isMessage() {}
func (t) isMessage() {}

type Reg struct {
	inbox chan message
	f, g  int
}

func (r *Reg) loop() {
	for msg := range r.inbox {
		switch msg.(type) {
		case p:
			r.f++
		case m:
			r.g *= 2
		case t:
			r.g++
		}
	}
}

type q struct{ rg *Reg }

type Worker1 struct{ inbox chan q }

func (w *Worker1) loop() {
	for msg := range w.inbox {
		msg.rg.inbox <- m{}
	}
}

type h struct{ rg *Reg }

type Worker2 struct{ inbox chan h }

func (w *Worker2) loop() {
	for msg := range w.inbox {
		msg.rg.inbox <- t{}
	}
}

func Main() {
	rg := &Reg{inbox: make(chan message, 3), f: 1, g: 1}
	wk1 := &Worker1{make(chan q, 1)}
	wk2 := &Worker2{make(chan h, 1)}
	go rg.loop()
	go wk1.loop()
	go wk2.loop()
	rg.inbox <- p{}
	wk1.inbox <- q{rg}
	wk2.inbox <- h{rg}
}
