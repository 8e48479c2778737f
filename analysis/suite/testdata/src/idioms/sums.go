package idioms

// Channels with room for a number of which a sum, or more, is known.

func sumOfLengths(a, b []int) {
	if len(a)+len(b) > 3 {
		return
	}
	ch := make(chan int, 3)
	for range a {
		ch <- 1
	}
	for range b {
		ch <- 1
	}
}

func sumAgainstCap(a, b []int) {
	ch := make(chan int, 3)
	n := len(a) + len(b)
	if n > cap(ch) {
		return
	}
	for _, x := range a {
		ch <- x
	}
	for _, x := range b {
		ch <- x
	}
}

func sumInSteps(a, b []int) {
	total := 0
	total += len(a)
	total += len(b)
	if total > 2 {
		panic("too many")
	}
	ch := make(chan int, 2)
	for range len(a) {
		ch <- 1
	}
	for range len(b) {
		ch <- 1
	}
}

func sumOfThree(a, b, c []int) {
	if len(a)+len(b)+len(c) > 4 {
		return
	}
	ch := make(chan int, 4)
	for _, l := range [][]int{a, b, c} {
		for _, x := range l {
			ch <- x
		}
	}
}

func sumOfNumbers(n, m int) {
	if n+m > 2 {
		return
	}
	ch := make(chan int, 2)
	for range n {
		ch <- 1
	}
	for range m {
		ch <- 1
	}
}

func oneAgainstTheRest(n, m int) {
	ch := make(chan int, 2)
	if n > 2-m {
		return
	}
	for range n {
		ch <- 1
	}
	for range m {
		ch <- 1
	}
}

func twiceTheLength(a []int) {
	if 2*len(a) > 4 {
		return
	}
	ch := make(chan int, 4)
	for range a {
		ch <- 1
		ch <- 2
	}
}

func sumInLoop(a [][]int) {
	n := 0
	for _, x := range a {
		n += len(x)
	}
	if n > 3 {
		return
	}
	ch := make(chan int, 3)
	for _, x := range a {
		for range x {
			ch <- 1
		}
	}
}

func sumInHelper(a, b []int) {
	ch := make(chan int, 3)
	if fitIn(a, b, 3) {
		for range a {
			ch <- 1
		}
		for range b {
			ch <- 1
		}
	}
}

func fitIn(a, b []int, n int) bool { return len(a)+len(b) <= n }

type pile struct{ items []int }

func (s *pile) size() int { return len(s.items) }

func sumOfSizes(s, t *pile) {
	if s.size()+t.size() > 3 {
		return
	}
	ch := make(chan int, 3)
	for range s.items {
		ch <- 1
	}
	for range t.items {
		ch <- 1
	}
}

func sumOfMaps(a, b map[string]int) {
	if len(a)+len(b) > 3 {
		return
	}
	ch := make(chan int, 3)
	for range a {
		ch <- 1
	}
	for range b {
		ch <- 1
	}
}

func lengthOfBoth(a, b []int) {
	all := append(a, b...)
	if len(all) > 3 {
		return
	}
	ch := make(chan int, 3)
	for range a {
		ch <- 1
	}
	for range b {
		ch <- 1
	}
}

func sumOfGoroutines(a, b []int) {
	switch n := len(a) + len(b); {
	case n > 3:
		return
	}
	ch := make(chan int, 3)
	done := make(chan bool)
	go func() {
		for range a {
			ch <- 1
		}
		done <- true
	}()
	go func() {
		for range b {
			ch <- 1
		}
		done <- true
	}()
	<-done
	<-done
}

func halfTheLength(a []int) {
	if len(a)/2 > 1 {
		return
	}
	ch := make(chan int, 3)
	for range a {
		ch <- 1
	}
}

func productOfLengths(a, b []int) {
	if len(a)*len(b) > 2 || len(a) == 0 || len(b) == 0 {
		return
	}
	ch := make(chan int, 2)
	for range a {
		for range b {
			ch <- 1
		}
	}
}

func lessThanTheOther(a, b []int) {
	if len(b) > 2 || len(a) > len(b) {
		return
	}
	ch := make(chan int, 2)
	for range a {
		ch <- 1
	}
}

func oneMore(a []int, first int) {
	if len(a)+1 > 3 {
		return
	}
	ch := make(chan int, 3)
	ch <- first
	for _, x := range a {
		ch <- x
	}
}

func roomForBoth(a, b []int) {
	ch := make(chan int, len(a)+len(b))
	for _, x := range a {
		ch <- x
	}
	for _, x := range b {
		ch <- x
	}
}

func restOfUnsigned(n, used uint) {
	if used > n || n-used > 2 {
		return
	}
	ch := make(chan int, 2)
	for range n - used {
		ch <- 1
	}
}

func lastTakesTheRest(workers, n int, solves func(int) bool) bool {
	found := make(chan bool, workers)
	each := n / workers
	for i := 0; i < workers; i++ {
		begin, end := each*i, each*(i+1)
		if i == workers-1 {
			end = n
		}
		go func() {
			for j := begin; j < end; j++ {
				if solves(j) {
					found <- true
					return
				}
			}
			found <- false
		}()
	}
	for i := 0; i < workers; i++ {
		if <-found {
			return true
		}
	}
	return false
}

func lastRoundCloses(n int) (sum int) {
	out := make(chan int)
	go func() {
		for i := 0; i < n; i++ {
			out <- i
			if i == n-1 {
				close(out)
			}
		}
		if n <= 0 {
			close(out)
		}
	}()
	for v := range out {
		sum += v
	}
	return sum
}
