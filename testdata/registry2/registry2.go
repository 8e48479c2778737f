// Package registry2 has a server that gives out the ids 0, 1, ...; N clients register with it and then report to the
// main program.
//
// # Counts
//
// The registrations reach the server in any of N! orders. All of them may have been answered before the first client
// reports, so whatever that order was, the reports reach the main program in any of N! orders: (N!)^2 inequivalent
// executions. The tests log who got which id in the order of the reports, which tells all of them apart.
package registry2

// Report is what a client tells the main program.
type Report struct{ Client, ID int }

// Run returns the reports of n clients in the order in which they came.
func Run(n int) []Report {
	register, done := make(chan chan<- int, n), make(chan Report, n)
	go serve(register, n)
	for c := range n {
		go client(c, register, done)
	}
	reports := make([]Report, n)
	for i := range reports {
		reports[i] = <-done
	}
	return reports
}

func serve(register <-chan chan<- int, n int) {
	for id := range n {
		reply := <-register
		reply <- id
	}
}

func client(c int, register chan<- chan<- int, done chan<- Report) {
	reply := make(chan int, 1)
	register <- reply
	done <- Report{c, <-reply}
}
