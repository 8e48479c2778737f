// Package ordered has N senders and a receiver that hears them in an order of its own: each has a channel.
//
// # Counts
//
// No channel has more than one sender and one receiver, so nothing of what is sent has an order: 1 inequivalent
// execution.
package ordered

// Run returns what n senders have sent, in the order of the senders.
func Run(n int) (got []int) {
	from := make([]chan int, n)
	for i := range from {
		from[i] = make(chan int, 1)
		go func() { from[i] <- i * i }()
	}
	for _, ch := range from {
		got = append(got, <-ch)
	}
	return got
}
