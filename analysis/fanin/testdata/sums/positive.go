// Package sums has receives that take values in any order, marked SUM, and others that look like that.
package sums

type result struct {
	n, size int
	err     error
	kind    string
	inner   struct{ bits uint8 }
}

func counted(c chan int, n int) int {
	sum := 0
	for range n {
		sum += <-c // SUM sum by +
	}
	return sum
}

func three(c chan int, n int) (sum int) {
	for i := 0; i < n; i++ {
		v := <-c // SUM sum by +
		sum = sum - v
	}
	return sum
}

func ranged(c chan result) (total int, failed int) {
	for r := range c { // SUM failed by +, total by +
		total += r.n
		if r.err != nil {
			failed++
		}
	}
	return total, failed
}

func continues(c chan result, n int) (total, failed int) {
	for i := 0; i < n; i++ {
		r := <-c // SUM failed by +, total by +
		if r.err != nil {
			failed++
			continue
		}
		total += r.n * 2
	}
	return total, failed
}

func continuesRange(c chan result) (total, failed int) {
	for r := range c { // SUM failed by +, total by +
		if r.err != nil && r.n > 3 || r.kind == "bad" {
			failed++
			continue
		}
		total += r.n
	}
	return total, failed
}

func endless(c chan int, out chan int) {
	for {
		x := 0
		for i := 0; i < 4; i++ {
			x ^= <-c // SUM x by ^
		}
		out <- x
	}
}

func bottom(c chan int, n int) int {
	sum := 1
	for {
		sum *= <-c // SUM sum by *
		if n--; n == 0 {
			break
		}
	}
	return sum
}

func commaOK(c chan int) int {
	sum := 0
	for {
		v, ok := <-c // SUM sum by |
		if !ok {
			return sum
		}
		sum |= v
	}
}

func closedWith(c chan int, report func(int)) (sum int) {
	for {
		v, ok := <-c // SUM sum by +
		if !ok {
			report(v)
			break
		}
		sum += v
	}
	return sum
}

func largest(c chan result, n int) (most int, name string) {
	for range n {
		r := <-c // SUM most by max, name by min
		most = max(most, r.n, 3)
		name = min(name, r.kind)
	}
	return most, name
}

func flag(c chan result, n int) bool {
	failed := false
	for range n {
		if r := <-c; r.err != nil { // SUM failed by =true
			failed = true
		}
	}
	return failed
}

func twice(c chan result, n int) (sum int) {
	for range n {
		r := <-c // SUM sum by +
		sum += r.n
		if r.err != nil {
			sum -= r.size
		}
	}
	return sum
}

func chosen(c chan result, n, scale int) (sum int) {
	for range n {
		r := <-c // SUM sum by +
		w := scale
		if r.kind == "heavy" {
			w = 10
		}
		sum += r.n*w + len(r.kind)
	}
	return sum
}

type stats struct {
	n, failed int
	bits      uint8
}

func inStruct(c chan result, n int) stats {
	var s stats
	for range n {
		r := <-c // SUM s.bits by |, s.failed by +, s.n by +
		s.n += r.n
		s.bits |= r.inner.bits
		if r.err != nil {
			s.failed++
		}
	}
	return s
}

func captured(c chan int, n int) int {
	sum, factor := 0, 3
	done := make(chan bool)
	go func() {
		for range n {
			sum += <-c * factor // SUM sum by +
		}
		done <- true
	}()
	<-done
	return sum
}

var global int

func intoGlobal(c chan int) {
	for v := range c { // SUM global by +
		global += v
	}
}

func unused(c chan string, n int) {
	for range n {
		<-c // SUM values unused
	}
}

func printedAfterwards(c chan int, n int) {
	count, sum := 0, 0
	for i := range n {
		sum += <-c // SUM sum by +
		count += i
	}
	println(count, sum)
}

func invariantly(c chan int, n int, loud bool) (sum, all int) {
	for range n {
		v := <-c // SUM all by +, sum by +
		if loud {
			sum += v
		}
		all += v
	}
	return sum, all
}

func twoSums(c chan int, n int) (a, b int) {
	for range n {
		a += <-c // SUM a by +
	}
	for range n {
		b += <-c // SUM b by +
	}
	return a, b
}

func quotient(c chan int, n int) (sum int) {
	for range n {
		sum += <-c / 7 // SUM sum by +
	}
	return sum
}

func add[T int | int64](c chan T, n int) (sum T) {
	for range n {
		sum += <-c // SUM sum by +
	}
	return sum
}

func ints(c chan int) int { return add(c, 3) }

// Several receives in a line.

func two(c chan int) int {
	x := <-c // SUM sum by +
	y := <-c // SUM sum by +
	return x + y
}

func fib(n int, out chan<- int) {
	if n < 2 {
		out <- n
		return
	}
	c := make(chan int, 2)
	go fib(n-1, c)
	go fib(n-2, c)
	out <- <-c + <-c // SUM sum by +
}

func weighted(c chan int, base int) int {
	x, y, z := <-c, <-c, <-c // SUM sum by +
	return base - (2*x + 2*y) - 2*z
}

func fields(c chan result) int {
	x := (<-c).n // SUM sum by *
	y := (<-c).n // SUM sum by *
	return x * y * 3
}

func minimum(c chan int) int {
	x := <-c // SUM sum by min
	y := <-c // SUM sum by min
	return min(x, y)
}

func masked(c chan int, all int) int {
	x := <-c // SUM sum by &
	y := <-c // SUM sum by &
	return all &^ x &^ y
}

func waits(c chan int) {
	<-c // SUM values unused
	<-c // SUM values unused
}
