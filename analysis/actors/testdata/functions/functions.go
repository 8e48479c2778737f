// Package functions is pattern P5: the messages are functions, the loop only calls them.
package functions

type Dealer struct {
	actions chan func()
	users   map[string]int
}

func New() *Dealer {
	d := &Dealer{actions: make(chan func()), users: map[string]int{}}
	go d.run()
	return d
}

func (d *Dealer) run() {
	for f := range d.actions {
		f()
	}
}

func (d *Dealer) Join(name string) {
	d.actions <- func() { d.users[name]++ }
}

func (d *Dealer) Count() int {
	reply := make(chan int)
	d.actions <- func() { reply <- len(d.users) }
	return <-reply
}

// WANT:
// actor Dealer.run range
// mailbox Dealer.run Dealer.actions data func() 0
// handler Dealer.run Dealer.actions::(*Dealer).Join.func1 function
// handler Dealer.run Dealer.actions::(*Dealer).Count.func1 function sends:reply
// ! rejected
// sent Dealer.run Dealer.actions in (*Dealer).Join kinds:(*Dealer).Join.func1 by env
