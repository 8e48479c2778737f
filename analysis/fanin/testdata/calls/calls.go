// Package calls has functions that add up what they receive, and that a process runs once, marked SUM, or more often.
package calls

import "sync"

func Root(c, d chan int, f func(func())) {
	go started(c)
	println(once(c))
	println(again(c), again(c))
	for range 2 {
		println(looped(c))
	}
	println(nested(c))
	var s server
	s.run(c)
	s.Loop(c)
	var r runner = s
	r.Loop(c)
	local := func() int { return sum(c) }
	println(local())
	println(apart(c))
	go func() { println(apart(c)) }()
	f(func() {
		for range 2 {
			<-c
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2 {
			<-c // SUM values unused
		}
	})
	both(c)
	go both(d)
	recursive(c, 3)
	generic(c, true)
	generic(c, "")
	alone(c, true)
}

func generic[T any](c chan int, _ T) (sum int) {
	for range 2 {
		sum += <-c
	}
	return sum
}

func alone[T any](c chan int, _ T) (sum int) {
	for range 2 {
		sum += <-c // SUM sum by +
	}
	return sum
}

func started(c chan int) {
	sum := 0
	for range 2 {
		sum += <-c // SUM sum by +
	}
	c <- sum
}

func once(c chan int) (sum int) {
	for range 2 {
		sum += <-c // SUM sum by +
	}
	return sum
}

func again(c chan int) (sum int) {
	for range 2 {
		sum += <-c
	}
	return sum
}

func looped(c chan int) (sum int) {
	for range 2 {
		sum += <-c
	}
	return sum
}

func nested(c chan int) int { return deep(c) + 1 }

func deep(c chan int) (sum int) {
	for range 2 {
		sum += <-c // SUM sum by +
	}
	return sum
}

type server struct{}

type runner interface{ Loop(c chan int) }

func (server) run(c chan int) {
	for range 2 {
		<-c // SUM values unused
	}
}

func (server) Loop(c chan int) {
	for range 2 {
		<-c
	}
}

func sum(c chan int) (sum int) {
	for range 2 {
		sum += <-c // SUM sum by +
	}
	return sum
}

// apart is called by two roots, once each.
func apart(c chan int) (sum int) {
	for range 2 {
		sum += <-c // SUM sum by +
	}
	return sum
}

// both is started, and called once by another process.
func both(c chan int) {
	for range 2 {
		<-c // SUM values unused
	}
}

func recursive(c chan int, n int) int {
	x := <-c
	y := <-c
	if n > 0 {
		return recursive(c, n-1)
	}
	return x + y
}
