// Package register is the example of S. Tasharofi, R. K. Karmani, S. Lauterburg, A. Legay, D. Marinov, G. Agha,
// "TransDPOR: A Novel Dynamic Partial-Order Reduction Technique for Testing Actor Programs" (FMOODS/FORTE 2012), Fig. 1:
// a master registers itself (message r0), makes two workers and sends each of them the registry (w1, w2); they register
// themselves (r1, r2). All sends are asynchronous, and mailboxes have no order: it is for -model actor.
//
// # Counts
//
// Each worker takes one message, the registry takes r0, r1 and r2. Nothing orders these three, so there are 3! = 6
// inequivalent executions, and as many orders of registration. They are as many under -model pairs, for each of the
// three has another sender. In Go with these channels, which have no buffers, the master cannot go on before r0 has been
// taken: 2.
package register

// Registry is an actor that gives numbers to names, in the order in which they come.
type Registry struct {
	inbox chan string
	names chan []string // all, once they have come
}

// NewRegistry starts a registry for n names.
func NewRegistry(n int) *Registry {
	r := &Registry{inbox: make(chan string), names: make(chan []string)}
	go r.run(n)
	return r
}

func (r *Registry) run(n int) {
	var names []string
	for name := range r.inbox {
		if names = append(names, name); len(names) == n {
			break
		}
	}
	r.names <- names
}

// worker registers itself at the registry that it is told.
func worker(name string, inbox <-chan *Registry) {
	(<-inbox).inbox <- name
}

// Register runs the program and returns the names in the order of registration.
func Register() []string {
	r := NewRegistry(3)
	r.inbox <- "master"
	for _, name := range []string{"worker1", "worker2"} {
		inbox := make(chan *Registry) //rehearse:mailbox
		go worker(name, inbox)
		inbox <- r
	}
	return <-r.names
}
