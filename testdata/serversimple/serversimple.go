// Package serversimple is the subject server_simple of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis,
// University of Illinois at Urbana-Champaign, 2009), described in its chapter 3: a server that holds a number, and a client
// that sets it, reads it twice, and ends the server. The client means both to be the same. Where messages have no order, the
// number may be set after the first read, or after both, or not at all before the server ends. It is for -model actor.
//
// # Counts
//
// Under Go's own delivery there is one order. In a bag, the set message S has four places among the reads R1 and R2 and the
// end K, which come one after the other: before R1, between the two (the reads differ), before K, or never.
package serversimple

// request is a message to the server: it sets the number, asks for it, or ends the server.
type request struct {
	set   int        // 0: it does not set
	reply chan<- int // nil: it does not ask
}

func server(inbox <-chan request) {
	value := 0
	for {
		m := <-inbox
		switch {
		case m.set != 0:
			value = m.set
		case m.reply != nil:
			m.reply <- value
		default:
			return
		}
	}
}

// Session is what the client does: it returns what it has read.
func Session() (first, second int) {
	inbox := make(chan request, 4) //rehearse:mailbox
	reply := make(chan int, 1)     //rehearse:mailbox
	go server(inbox)
	inbox <- request{set: 1}
	inbox <- request{reply: reply}
	first = <-reply
	inbox <- request{reply: reply}
	second = <-reply
	inbox <- request{}
	return first, second
}
