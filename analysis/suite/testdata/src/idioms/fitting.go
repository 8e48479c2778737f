package idioms

import "strings"

// Loops that fill a channel which is exactly large enough.

func halves(s string) (string, string) {
	c := make(chan string, 2)
	for _, p := range strings.SplitN(s, ":", 2) {
		c <- p
	}
	close(c)
	return <-c, <-c
}

func atMostThree(items []int) <-chan int {
	if len(items) > 3 {
		items = items[:3]
	}
	c := make(chan int, 3)
	for _, n := range items {
		c <- n
	}
	close(c)
	return c
}

func firstThree(items []int) <-chan int {
	c := make(chan int, 3)
	for _, n := range items[:min(len(items), 3)] {
		c <- n
	}
	close(c)
	return c
}

func cutInPairs(items []int, f func(<-chan int)) {
	for len(items) > 0 {
		n := min(2, len(items))
		c := make(chan int, 2)
		for _, x := range items[:n] {
			c <- x
		}
		close(c)
		f(c)
		items = items[n:]
	}
}

func cutInBatches(items []int, f func(<-chan int)) {
	const size = 2
	for i := 0; i < len(items); i += size {
		end := i + size
		if end > len(items) {
			end = len(items)
		}
		c := make(chan int, size)
		for _, n := range items[i:end] {
			c <- n
		}
		close(c)
		f(c)
	}
}

func cutLongInBatches(items []int, f func(<-chan int)) {
	const size = 2
	if len(items) <= size {
		return
	}
	for i := 0; i < len(items); i += size {
		c := make(chan int, size)
		for _, n := range items[i:min(i+size, len(items))] {
			c <- n
		}
		close(c)
		f(c)
	}
}

type scores struct{ list []string }

func (s *scores) lastTwo() <-chan string {
	list := s.list
	if len(list) > 2 {
		list = list[len(list)-2:]
	}
	c := make(chan string, 2)
	for _, x := range list {
		c <- x
	}
	return c
}

func cutToTwo(in []string) []string { return in[:2] }

func (s *scores) firstTwo() <-chan string {
	c := make(chan string, 2)
	for _, x := range cutToTwo(s.list) {
		c <- x
	}
	return c
}

func askTwice(asked []int, n int) <-chan int {
	tries := min(n, 2)
	c := make(chan int, 2)
	for i := range tries {
		c <- asked[i]
	}
	return c
}

func askUpToTwo(n int) <-chan int {
	if n > 2 {
		n = 2
	}
	c := make(chan int, 2)
	for i := 0; i < n; i++ {
		c <- i
	}
	return c
}

func untilFull(items []int) int {
	c := make(chan int, 2)
	for _, n := range items {
		if len(c) == cap(c) {
			break
		}
		c <- n
	}
	return len(c)
}

func atMostTwo(items []int) (sum int) {
	c := make(chan int, 2)
	for i, n := range items {
		if i >= 2 {
			break
		}
		c <- n
	}
	close(c)
	for n := range c {
		sum += n
	}
	return sum
}

func scanned(next func() bool, text func() string) <-chan string {
	c := make(chan string, 2)
	sent := 0
	for next() {
		c <- text()
		if sent++; sent == 2 {
			break
		}
	}
	return c
}

func fieldsOf(parse func() []string) <-chan string {
	c := make(chan string, 2)
	for _, f := range parse() { // key and value
		c <- f
	}
	return c
}
