// Package counted has loops that end after a number of messages, and some that only look so.
package counted

func sum(in chan int, n int, end chan int) {
	s := 0
	for range n {
		s += <-in
	}
	end <- s
}

func three(in chan int, n int, end chan int) {
	s := 0
	for i := 1; i <= n; i++ {
		s |= <-in
	}
	end <- s
}

func down(in chan int, n int, end chan int) {
	s := 0
	for n > 0 {
		s += <-in
		n--
	}
	end <- s
}

// latest tells what it got last.
func latest(in chan int, n int, end chan int) {
	s := 0
	for range n {
		s = <-in
	}
	end <- s
}

// before tells the sum of all but the last.
func before(in chan int, n int, end chan int) {
	s, old := 0, 0
	for range n {
		old = s
		s += <-in
	}
	end <- old
}

// weighted uses the counter.
func weighted(in chan int, n int, end chan int) {
	s := 0
	for i := range n {
		s += i * <-in
	}
	end <- s
}

// rounded adds floating-point numbers.
func rounded(in chan float64, n int, end chan float64) {
	s := 0.0
	for range n {
		s += <-in
	}
	end <- s
}

// jumps counts some messages twice.
func jumps(in chan int, n int, end chan int) {
	s := 0
	for i := 0; i < n; i++ {
		m := <-in
		if m > 2 {
			i++
		}
		s += m
	}
	end <- s
}

// skips has rounds without a message, which depend on what came before.
func skips(in chan int, n int, end chan int) {
	s := 0
	for i := 0; i < n; i++ {
		if s > 3 {
			continue
		}
		s += <-in
	}
	end <- s
}

// inner takes several messages in a round.
func inner(in chan int, n int, end chan int) {
	s := 0
	for range n {
		for m := range in {
			s += m
			if m == 0 {
				break
			}
		}
	}
	end <- s
}

// grows moves the end away.
func grows(in chan int, n int, end chan int) {
	s := 0
	for i := 0; i < n; i++ {
		m := <-in
		n += m
		s += m
	}
	end <- s
}

// leaves may end early.
func leaves(in chan int, n int, end chan int) {
	s := 0
	for range n {
		m := <-in
		if m == 0 {
			break
		}
		s += m
	}
	end <- s
}

// gather returns the sum of n messages.
func gather(in chan int, n int) int {
	s := 0
	for range n {
		s += <-in
	}
	return s
}

// once gathers once.
func once(in chan int, n int, end chan int) { end <- gather(in, n) }

// collect returns the sum of n messages, too.
func collect(in chan int, n int) int {
	s := 0
	for range n {
		s += <-in
	}
	return s
}

// groups tells the sum of each n messages.
func groups(in chan int, n int, end chan int) {
	for {
		end <- collect(in, n)
	}
}

// Run starts them all.
func Run(n int) {
	end, ends := make(chan int, 20), make(chan float64, 1)
	a, b, c, e, f, g, h, i, j, k, l := make(chan int), make(chan int), make(chan int), make(chan int), make(chan int),
		make(chan int), make(chan int), make(chan int), make(chan int), make(chan int), make(chan int)
	x := make(chan float64)
	m, o := make(chan int), make(chan int)
	go sum(a, n, end)
	go three(b, n, end)
	go down(c, n, end)
	go latest(e, n, end)
	go before(f, n, end)
	go weighted(g, n, end)
	go rounded(x, n, ends)
	go jumps(h, n, end)
	go skips(i, n, end)
	go inner(j, n, end)
	go grows(k, n, end)
	go leaves(l, n, end)
	go once(m, n, end)
	go groups(o, n, end)
	for _, ch := range []chan int{a, b, c, e, f, g, h, i, j, k, l, m, o} {
		ch <- 1
	}
	x <- 1
}

// WANT:
// sum: independent; s by +
// three: independent; s by |
// down: independent; s by +
// latest: dependent
// before: dependent
// weighted: dependent
// rounded: dependent
// jumps: dependent
// skips: dependent
// inner: dependent
// grows: dependent
// leaves: dependent
// gather: independent; s by +
// groups: dependent
