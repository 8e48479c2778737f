// Two actors that one constructor makes have two mailboxes.
package main

type actor struct {
	box  chan int
	quit chan bool
	peer *actor
}

func newActor(peer *actor) *actor {
	a := &actor{ //@ obj
		box:  make(chan int),  //@ box
		quit: make(chan bool), //@ quit
		peer: peer,
	}
	go a.loop() //@ go
	return a
}

func (a *actor) loop() {
	for {
		select { //@ select
		case n := <-a.box:
			a.handle(n)
		case <-a.quit:
			return
		}
	}
}

func (a *actor) handle(n int) {
	print(a.box) //@ handled
	if a.peer != nil {
		a.peer.send(n)
	}
}

func (a *actor) send(n int) {
	a.box <- n //@ send
}

func main() {
	a := newActor(nil) //@ a
	b := newActor(a)   //@ b
	print(a.box)       //@ abox
	print(b.box)       //@ bbox
	print(b.peer)      //@ bpeer
	print(a.quit)      //@ aquit
	b.send(1)
	for range 3 {
		c := newActor(b) //@ c
		print(c)         //@ pc
	}
}

// WANT:
//
//	abox: box@a
//	bbox: box@b
//	bpeer: obj@a
//	abox !| bbox
//	abox !| aquit
//	handled: box@a box@b box@c
//	send: box@a box@b
//	receivers box@a: select@go@a
//	receivers box@b: select@go@b
//	senders box@b: send
//	families: obj@c box@c quit@c
//	pc: obj@c
