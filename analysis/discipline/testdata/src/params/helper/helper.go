// Package helper does to channels what its name says.
package helper

var kept chan int

func Send(c chan<- int, n int) { c <- n } // want Send:"uses s -"

func Take(c <-chan int) int { // want Take:"uses r"
	if c == nil {
		return len(c)
	}
	return <-c
}

func Finish(n int, c chan int) { // want Finish:"uses - rc"
	for x := range c {
		n += x
	}
	close(c)
}

func Keep(c chan int) { kept = c } // want Keep:"uses k"

func Pass(c chan int) { // want Pass:"uses k"
	Send(c, 1)
}

type T struct{}

func (T) Try(c chan int) bool { // want Try:"uses s"
	select {
	case c <- 1:
		return true
	default:
		return false
	}
}

func Nothing(n int) {}

func hidden(c chan int) { close(c) }

func Start(c chan int) { // want Start:"uses sck"
	go func() {
		c <- 1
		close(c)
	}()
}

func AtOnce(c chan int) { // want AtOnce:"uses sc"
	defer func() { close(c) }()
	func() { c <- 1 }()
}

func FatalStack(text string) { panic(text) }
