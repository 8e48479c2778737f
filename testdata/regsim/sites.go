package regsim

// Simulate is the larger simulation, RegSim of the second paper. The directory and the registry are actors that also answer
// questions, for which they read only.
//
//   - n servers register at the registry, which numbers them.
//   - A monitor asks the directory for the registry, and then the registry for its name.
//   - Each of k notifiers asks the directory for its topic, and then sends a notice to every server. A server notes them in
//     the order in which they come.
//
// It returns the order of registration, and the notices of each server.

// question asks an actor for its name.
type question struct{ name chan<- string }

// desk is the state of an actor that numbers clients and answers questions.
type desk struct {
	name  string
	order []int // the clients, as they came
}

// run handles messages until there are no more.
func (d *desk) run(inbox <-chan any, end chan<- []int) {
	for msg := range inbox {
		switch m := msg.(type) {
		case registration:
			d.order = append(d.order, m.client)
			m.number <- len(d.order)
		case question:
			m.name <- d.name
		}
	}
	end <- d.order
}

// ask asks an actor for its name.
func ask(actor chan<- any) string {
	name := make(chan string, 1)
	actor <- question{name}
	return <-name
}

// server registers and takes k notices.
func server(id, k int, registry chan<- any, inbox <-chan int, noted chan<- []int) {
	number := make(chan int, 1)
	registry <- registration{id, number}
	<-number
	var notices []int
	for range k {
		notices = append(notices, <-inbox)
	}
	noted <- notices
}

// monitor watches over the registry.
func monitor(directory, registry chan<- any, done chan<- bool) {
	ask(directory)
	ask(registry)
	done <- true
}

// notifier tells every server of its topic.
func notifier(topic int, directory chan<- any, servers []chan int) {
	ask(directory)
	for _, s := range servers {
		s <- topic
	}
}

// Simulate runs n servers and k notifiers.
func Simulate(n, k int) (order []int, notices [][]int) {
	directory := make(chan any, k+1) //rehearse:mailbox
	registry := make(chan any, n+1)  //rehearse:mailbox
	end, done := make(chan []int, 2), make(chan bool, 1)
	go (&desk{name: "directory"}).run(directory, end)
	go monitor(directory, registry, done)
	servers, noted := make([]chan int, n), make([]chan []int, n)
	for i := range servers {
		servers[i] = make(chan int, k) //rehearse:mailbox
		noted[i] = make(chan []int, 1)
		go server(i, k, registry, servers[i], noted[i])
	}
	for topic := range k {
		go notifier(topic, directory, servers)
	}
	go (&desk{name: "registry"}).run(registry, end)
	<-done
	for _, c := range noted { // after that nobody has a question any more
		notices = append(notices, <-c)
	}
	close(directory)
	<-end
	close(registry)
	return <-end, notices
}
