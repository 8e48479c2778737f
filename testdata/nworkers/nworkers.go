// Package nworkers has N workers that send to a coordinator, and a main goroutine whose inbox gets two messages.
//
// # Counts
//
// The coordinator receives in one of N! orders. Main's message to itself and the coordinator's, which comes after all
// workers, share an inbox: 2 orders of these, whatever the workers' was. 2·N! inequivalent executions.
package nworkers

// Run returns the order in which the coordinator has heard the workers, and the first message of the inbox.
func Run(n int) (heard []int, first string) {
	inbox, coordinator := make(chan string, 2), make(chan int, n)
	order := make(chan []int, 1)
	go func() {
		var list []int
		for range n {
			list = append(list, <-coordinator)
		}
		order <- list
		inbox <- "done"
	}()
	for i := range n {
		go func() { coordinator <- i }()
	}
	inbox <- "self"
	first = <-inbox
	return <-order, first
}
