// Package mail is the subject Mail of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing" (FORTE 2014): clients send each other mail by way of a server. The
// server remembers the latest mail for each, and passes it on to him. The paper does not print its source; this is a
// program of the same kind, and its numbers are its own: compare the reduction factors. It is for -model actor.
//
// # Counts
//
// Each of c clients sends m mails to the next one. Under -model actor the server takes all c*m in any order, and each
// client his m: (c*m)! * (m!)^c inequivalent executions, 24 * 4 = 96 for Mail(2,2), and 720 * 36 = 25920 for Mail(2,3).
// Mails for two clients touch different keys of a map: of the server's orders those of each client's are left, (m!)^c * (m!)^c,
// 16 and 1296.
// The factors are 6 and 20; the paper's are 5.8 (2648 to 460), and 60 (1665500 to 27880).
//
// Under -model pairs the mails of a client stay in order, at the server and at him who gets them from there: (c*m)!/(m!)^c,
// 6 and 20. As many under -model go. Mail(1,2), one client who writes to himself, has 4, and 1.
//
// The tests log the latest mails and what has come: m^c * (m!)^c outcomes under -model actor, and 1 otherwise.
package mail

// letter is one mail.
type letter struct {
	to   int // the client
	text int // whose how manieth it is, to that client
}

// server is the state of an actor.
type server struct {
	last    map[int]int // the latest text for each client
	clients []chan int  // their mailboxes
}

// serve is the server: it handles letters until there are no more, and tells the latest ones.
func serve(clients []chan int, inbox <-chan letter, end chan<- map[int]int) {
	s := server{map[int]int{}, append([]chan int(nil), clients...)}
	for l := range inbox {
		s.last[l.to] = l.text
		s.clients[l.to] <- l.text
	}
	end <- s.last
}

// send sends m letters.
func send(to, m int, server chan<- letter, done chan<- bool) {
	for text := range m {
		server <- letter{to, text}
	}
	done <- true
}

// receive takes m letters and tells them in order.
func receive(m int, inbox <-chan int, got chan<- []int) {
	var texts []int
	for range m {
		texts = append(texts, <-inbox)
	}
	got <- texts
}

// Run lets c clients send m mails each. It returns the latest mail for each client at the server, and what has come to him.
func Run(c, m int) (last map[int]int, got [][]int) {
	inbox, end := make(chan letter, c*m), make(chan map[int]int, 1) //rehearse:mailbox
	clients := make([]chan int, c)
	for i := range clients {
		clients[i] = make(chan int, m) //rehearse:mailbox
	}
	go serve(clients, inbox, end)
	sent, came := make([]chan bool, c), make([]chan []int, c)
	for i := range clients {
		sent[i], came[i] = make(chan bool, 1), make(chan []int, 1)
		go send((i+1)%c, m, inbox, sent[i])
		go receive(m, clients[i], came[i])
	}
	for i := range clients {
		<-sent[i]
	}
	close(inbox)
	for i := range clients {
		got = append(got, <-came[i])
	}
	return <-end, got
}
