// Package inventory is the inventory server of Appendix A of M. Dotta, "State Exploration of Scala Actor Programs"
// (MSc thesis, EPFL, 2009), as a Go actor. The thesis took the program from a tutorial, and found in
// it the atomicity violation that is kept here: a report reads the server twice, and an update that was sent without
// waiting may land between the two reads.
//
// Clients know the methods of Server only; each is one message, or one request and its answer. (The original's
// Item.take says max where it means min; this one says min.)
//
// # Counts
//
// The server has one unbuffered mailbox and handles one message after the other, so an execution is determined, up to
// equivalence, by the order in which the server takes its messages. Answers go to channels of their own, and waiting
// for an update to be delivered (Shutdown) only ends when it has been: neither adds an order.
//
//   - TestInventory: the client sends U (update) from a goroutine of its own, then O (order), I1, I2 (the two reads of
//     the report) one after the other, each after the answer to the one before; Shutdown sends the exit after U. U has
//     4 places in O I1 I2: 4 executions. Before O or I1 both reads give 1, between I1 and I2 they give 0 and 1 (the
//     bug), after I2 both give 0: 3 outcomes, 1 of them fails.
//   - TestInventoryOrder: U and one order of the same part: 2 executions, 2 outcomes, both fine.
//   - TestInventoryExit: U and the exit, which does not wait: 2 executions. Exit first leaves U undelivered, and the
//     goroutine that sends it blocked for ever (the thesis's final state F4, a warning there): 2 outcomes, 1 leak.
package inventory

import "sync"

// The messages that a Server understands.
type (
	update struct{ item Item } // no answer
	order  struct {
		pn    string
		qty   int
		reply chan<- Shipment
	}
	query struct{ reply chan<- []Item }
	exit  struct{}
)

// Shipment answers an order.
type Shipment struct {
	Found bool // the part is known
	Qty   int  // how many were shipped
	Cost  int  // in cents
}

// Server is the client's view of one inventory server.
type Server struct {
	inbox   chan any
	sending sync.WaitGroup // updates on their way to the inbox
}

// Start starts a server with nothing in stock.
func Start() *Server {
	s := &Server{inbox: make(chan any)}
	go s.loop()
	return s
}

// loop is the actor: it alone has the stock.
func (s *Server) loop() {
	var st stock
	for m := range s.inbox {
		switch m := m.(type) {
		case update:
			st = st.add(m.item)
		case order:
			var sh Shipment
			sh, st = st.take(m.pn, m.qty)
			m.reply <- sh
		case query:
			m.reply <- st
		case exit:
			return
		}
	}
}

// Update adds to the stock. It does not wait until the server has seen the update.
func (s *Server) Update(it Item) {
	s.sending.Add(1)
	go func() {
		defer s.sending.Done()
		s.inbox <- update{it}
	}()
}

// Order takes up to qty of a part out of the stock.
func (s *Server) Order(pn string, qty int) Shipment {
	reply := make(chan Shipment, 1)
	s.inbox <- order{pn, qty, reply}
	return <-reply
}

// Report returns the value of the inventory in cents, and its items that are in stock. The two should agree.
func (s *Server) Report() (value int, items []Item) {
	value = Value(s.items())
	return value, inStock(s.items())
}

func (s *Server) items() []Item {
	reply := make(chan []Item, 1)
	s.inbox <- query{reply}
	return <-reply
}

// Exit ends the server, whatever may still be on its way.
func (s *Server) Exit() { s.inbox <- exit{} }

// Shutdown ends the server once all updates have been delivered.
func (s *Server) Shutdown() {
	s.sending.Wait()
	s.Exit()
}
