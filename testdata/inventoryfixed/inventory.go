// Package inventoryfixed is package inventory without its bug: a report makes both of its computations from one read,
// and the server does not end before all updates have been delivered.
//
// # Counts
//
// As in package inventory, the order of the server's messages determines the execution.
//
//   - TestInventory: U (update) has 3 places among O (order) and I (the report's only read): 3 executions. Both
//     computations give 1, 1, or 0: 2 outcomes, none fails.
//   - TestInventoryOrder: U and one order: 2 executions, 2 outcomes.
//   - TestInventoryExit: the exit comes after U: 1 execution.
package inventoryfixed

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

// Report returns the value of the inventory in cents, and its items that are in stock. The two agree.
func (s *Server) Report() (value int, items []Item) {
	all := s.items()
	return Value(all), inStock(all)
}

func (s *Server) items() []Item {
	reply := make(chan []Item, 1)
	s.inbox <- query{reply}
	return <-reply
}

// Exit ends the server once all updates have been delivered.
func (s *Server) Exit() {
	s.sending.Wait()
	s.inbox <- exit{}
}
