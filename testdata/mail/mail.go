// Package mail is the subject Mail of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing" (FORTE 2014): clients send each other mail by way of a server. The
// server remembers the latest mail for each, and passes it on to him. He sends a receipt to whom it is from; of these, each client has an
// actor that counts them. The paper does not print its source; this is a program of the same kind, and its numbers are its own:
// compare the reduction factors. It is for -model actor.
//
// # Counts
//
// Each of c clients sends m mails to the next one. Under -model actor the server takes all c*m in any order, each client his m,
// and each count m receipts: (c*m)! * (m!)^c * (m!)^c inequivalent executions, 24 * 4 * 4 = 384 for Mail(2,2), and 720 * 36 * 36 =
// 933120 for Mail(2,3).
// Mails for two clients touch different keys of a map: of the server's orders those of each client's are left, (m!)^c. Counting
// is a sum. So (m!)^c * (m!)^c are left, 16 and 1296.
// The factors are 24 and 720; the paper's are 5.8 (2648 to 460), and more than 59.7 (more than 1665500 to 27880).
//
// Under -model pairs the mails of a client stay in order, at the server and at him who gets them from there: (c*m)!/(m!)^c,
// 6 and 20. As many under -model go. Mail(1,2), one client who writes to himself, has 8, and 4.
//
// The tests log the latest mails, what has come, and how many receipts: m^c * (m!)^c outcomes under -model actor, and 1
// otherwise.
package mail

// letter is one mail.
type letter struct {
	from, to int // clients
	text     int // whose how manieth it is, to that client
}

// server is the state of an actor.
type server struct {
	last    map[int]int // the latest text for each client
	clients []client
}

// client is the mailboxes of one.
type client struct {
	letters  chan letter
	receipts chan int // the texts that have come
}

// serve is the server: it handles letters until there are no more, and tells the latest ones.
func serve(clients []client, inbox <-chan letter, end chan<- map[int]int) {
	s := server{map[int]int{}, append([]client(nil), clients...)}
	for l := range inbox {
		s.last[l.to] = l.text
		s.clients[l.to].letters <- l
	}
	end <- s.last
}

// send sends m letters.
func send(from, to, m int, server chan<- letter, done chan<- bool) {
	for text := range m {
		server <- letter{from, to, text}
	}
	done <- true
}

// receive takes m letters, sends receipts for them, and tells the texts in order.
func receive(m int, inbox <-chan letter, clients []client, got chan<- []int) {
	var texts []int
	for range m {
		l := <-inbox
		texts = append(texts, l.text)
		clients[l.from].receipts <- l.text
	}
	got <- texts
}

// account is the state of an actor.
type account struct{ receipts int }

// count counts receipts until there are no more, and tells how many there were.
func count(inbox <-chan int, counted chan<- int) {
	var a account
	for range inbox {
		a.receipts++
	}
	counted <- a.receipts
}

// Run lets c clients send m mails each. It returns the latest mail for each client at the server, what has come to him, and
// how many receipts he has got.
func Run(c, m int) (last map[int]int, got [][]int, receipts []int) {
	inbox := make(chan letter, c*m) //rehearse:mailbox
	end := make(chan map[int]int, 1)
	clients := make([]client, c)
	for i := range clients {
		clients[i].letters = make(chan letter, m) //rehearse:mailbox
		clients[i].receipts = make(chan int, m)   //rehearse:mailbox
	}
	go serve(clients, inbox, end)
	sent, came, counted := make([]chan bool, c), make([]chan []int, c), make([]chan int, c)
	for i := range clients {
		sent[i], came[i], counted[i] = make(chan bool, 1), make(chan []int, 1), make(chan int, 1)
		go send(i, (i+1)%c, m, inbox, sent[i])
		go receive(m, clients[i].letters, clients, came[i])
		go count(clients[i].receipts, counted[i])
	}
	for i := range clients {
		<-sent[i]
	}
	close(inbox)
	for i := range clients {
		got = append(got, <-came[i])
	}
	for i := range clients {
		close(clients[i].receipts)
		receipts = append(receipts, <-counted[i])
	}
	return <-end, got, receipts
}
