// Package stateful has the shape of a goroutine that owns a map in a local variable and answers requests, each of which
// brings the channel for its answer.
package stateful

type read struct {
	key    int
	answer chan int
}

type write struct {
	key, value int
	done       chan bool
}

// store answers until stop is closed.
func store(reads chan read, writes chan write, stop chan struct{}) {
	state := map[int]int{}
	for {
		select {
		case r := <-reads:
			r.answer <- state[r.key]
		case w := <-writes:
			state[w.key] = w.value
			w.done <- true
		case <-stop:
			return
		}
	}
}
