// Package params hands its channels to another package.
package params

import "params/helper"

func use(...any) {}

func closed() {
	ch := make(chan int, 1)
	helper.Finish(1, ch)
	ch <- 1 // want `closed sends to ch here, which is closed at params.go:10: that panics`
}

func kept() {
	ch := make(chan int)
	helper.Keep(ch)
	for x := range ch {
		use(x)
	}
}

// The other function closes what it sends to, when it is done, and perhaps later.
func both() int {
	ch := make(chan int, 2)
	helper.AtOnce(ch)
	return <-ch
}

func started(n int) {
	ch := make(chan int)
	helper.Start(ch)
	ch <- n
}

// What is called Fatal does not return.
func fatal(done chan bool) {
	stop := make(chan bool)
	select {
	case <-done:
	case <-stop:
		close(stop)
		helper.FatalStack("stopped")
	}
	close(stop)
}

func fail() {
	use("fails")
	panic("failed")
}

func failing(done chan bool) {
	stop := make(chan bool)
	select {
	case <-done:
	case <-stop:
		close(stop)
		fail()
	}
	close(stop)
}
