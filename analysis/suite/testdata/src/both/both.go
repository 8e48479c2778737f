// Package both has a send after a close that two checks see, and one that only sendclosed sees.
package both

func seen() {
	ch := make(chan int, 2)
	go func() { <-ch }()
	close(ch)
	ch <- 1
}

func unseen(ch chan int) {
	close(ch)
	ch <- 1 // want `unseen sends to ch here, which is closed at both.go:12: that panics`
}
