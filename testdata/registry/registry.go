// Package registry is the running example of E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection
// Strategies for Pruning Redundant State-Exploration in Testing" (FORTE 2014), Fig. 3, which extends Fig. 1 of S.
// Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): a registry and two workers. The main program sends p to the
// registry, q to the first worker and h to the second; on q the first worker sends m to the registry, on h the second
// sends t. All sends are asynchronous.
//
// # Counts
//
// The papers' actors have unordered mailboxes. In Go that is an unbuffered mailbox, with a goroutine for each message
// that is on its way. The registry takes p, m and t in any order: p is on its way from the start, m follows q and t
// follows h, and nothing orders q, h and p. Each worker takes one message. So there are 3! = 6 inequivalent
// executions under -model go, as many as under the papers' model.
//
//   - TestRegistryOrder logs the order in which the registry worked: 6 outcomes.
//   - TestRegistryFields logs its fields at the end. p touches f only, which is 2 in the end; m and t both write g,
//     which is (1*2)+1 = 3 if m came before t and (1+1)*2 = 4 otherwise: 2 outcomes.
//
// With task independence (p commutes with m and with t) only the 2 orders of m and t would be left.
package registry

// mailbox is where an actor gets its messages.
type mailbox chan any

// send sends msg without waiting for the receiver.
func send(to mailbox, msg any) {
	go func() { to <- msg }()
}

// The messages of the registry and of the workers.
type (
	p struct{}
	m struct{}
	t struct{}
	q struct{ rg mailbox }
	h struct{ rg mailbox }
)

// Reg is the state of the registry.
type Reg struct {
	F, G  int
	Order []string // what it has processed
}

// registry processes n messages and then tells its state.
func registry(inbox mailbox, n int, end chan<- Reg) {
	r := Reg{F: 1, G: 1}
	for range n {
		r.process(<-inbox)
	}
	end <- r
}

func (r *Reg) process(msg any) {
	switch msg.(type) {
	case p:
		r.F++
		r.Order = append(r.Order, "p")
	case m:
		r.G *= 2
		r.Order = append(r.Order, "m")
	case t:
		r.G++
		r.Order = append(r.Order, "t")
	}
}

func worker1(inbox mailbox) {
	for msg := range inbox {
		send(msg.(q).rg, m{})
	}
}

func worker2(inbox mailbox) {
	for msg := range inbox {
		send(msg.(h).rg, t{})
	}
}

// Run is the main program. It returns the registry's state at the end.
func Run() Reg {
	rg, wk1, wk2 := make(mailbox), make(mailbox), make(mailbox)
	end := make(chan Reg, 1)
	go registry(rg, 3, end)
	go worker1(wk1)
	go worker2(wk2)
	send(rg, p{})
	send(wk1, q{rg})
	send(wk2, h{rg})
	defer close(wk1)
	defer close(wk2)
	return <-end
}
