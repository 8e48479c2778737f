package sums

func float(c chan float64, n int) (sum float64) {
	for range n {
		sum += <-c
	}
	return sum
}

func appends(c chan int, n int) (all []int) {
	for range n {
		all = append(all, <-c)
	}
	return all
}

func concat(c chan string, n int) (all string) {
	for range n {
		all += <-c
	}
	return all
}

func last(c chan int, n int) (v int) {
	for range n {
		v = <-c
	}
	return v
}

func first(c chan result, n int) (err error) {
	for range n {
		if r := <-c; r.err != nil && err == nil {
			err = r.err
		}
	}
	return err
}

func lastField(c chan result, n int) (r result) {
	for range n {
		r = <-c
	}
	return r
}

func enough(c chan int) (sum int) {
	for sum < 10 {
		sum += <-c
	}
	return sum
}

func breaks(c chan int, n int) (sum int) {
	for range n {
		if sum += <-c; sum > 10 {
			break
		}
	}
	return sum
}

func stops(c chan int) (sum int) {
	for v := range c {
		if v == 0 {
			break
		}
		sum += v
	}
	return sum
}

func returns(c chan result) (sum int, err error) {
	for r := range c {
		if r.err != nil {
			return 0, r.err
		}
		sum += r.n
	}
	return sum, nil
}

func partial(c chan int, n int) (sum int) {
	for range n {
		sum += <-c
		println(sum)
	}
	return sum
}

func compares(c chan int, n int) (sum, above int) {
	for range n {
		sum += <-c
		if sum > 3 {
			above++
		}
	}
	return sum, above
}

func divides(c chan int, n int) (sum int) {
	for range n {
		sum += 100 / <-c
	}
	return sum
}

func shifts(c chan int, n int) (sum int) {
	for range n {
		sum += 1 << <-c
	}
	return sum
}

func pointer(c chan *result, n int) (sum int) {
	for range n {
		sum += (<-c).n
	}
	return sum
}

func asserts(c chan any, n int) (sum int) {
	for range n {
		sum += (<-c).(int)
	}
	return sum
}

func comparesAny(c chan any, n int, x any) (sum int) {
	for range n {
		if <-c == x {
			sum++
		}
	}
	return sum
}

func indexes(c chan int, list []int, n int) (sum int) {
	for range n {
		sum += list[<-c]
	}
	return sum
}

func calls(c chan int, f func(int) int, n int) (sum int) {
	for range n {
		sum += f(<-c)
	}
	return sum
}

func conditional(c, d chan int, n int) (sum int) {
	for range n {
		v := <-c
		if v > 3 {
			v += <-d
		}
		sum += v
	}
	return sum
}

func numbered(c chan int, n int) (sum int) {
	for i := range n {
		sum += i * <-c
	}
	return sum
}

func everyOther(c chan int, n int) (sum int) {
	for i := range n {
		v := <-c
		if i%2 == 0 {
			sum += v
		}
	}
	return sum
}

func lateBreak(c chan int, n int) (sum int) {
	for {
		v := <-c
		if n--; n == 0 {
			break
		}
		sum += v
	}
	return sum
}

func stale(c chan int, n int) (sum, before int) {
	for {
		before = sum
		sum += <-c
		if n--; n == 0 {
			break
		}
	}
	return sum, before
}

func half(c chan result, n int) (part int) {
	sum := 0
	for {
		r := <-c
		sum += r.n
		part = sum
		sum += r.size
		if n--; n == 0 {
			break
		}
	}
	return part
}

func mixed(c chan int, n int) (sum int) {
	for range n {
		v := <-c
		sum += v
		sum *= v
	}
	return sum
}

func mixedByValue(c chan int, n int) (sum int) {
	for range n {
		if v := <-c; v > 2 {
			sum += v
		} else {
			sum |= v
		}
	}
	return sum
}

func fromLeft(c chan int, n int) (sum int) {
	for range n {
		sum = <-c - sum
	}
	return sum
}

func shifted(c chan int, n int) (a, b int) {
	for range n {
		a, b = b+<-c, a
	}
	return a, b
}

func counts(c chan result, n int) (good int) {
	for n > 0 {
		r := <-c
		if r.err != nil {
			continue
		}
		good++
		n--
	}
	return good
}

func setsTo(c chan result, n int) (state int) {
	for range n {
		switch r := <-c; r.kind {
		case "a":
			state = 1
		case "b":
			state = 2
		}
	}
	return state
}

func flagByTurn(c chan result, n int) (failed bool) {
	for i := range n {
		if r := <-c; r.err != nil {
			if i > 3 {
				failed = true
			}
		}
	}
	return failed
}

func rounds(c chan int, out []int) {
	for i := range out {
		sum := 0
		for range 3 {
			sum += <-c
		}
		out[i] = sum
	}
}

func quietRounds(c chan int, n int) (best int) {
	for range n {
		sum := 0
		for range 3 {
			sum += <-c
		}
		best = max(best, sum)
	}
	return best
}

func memoryRounds(c chan int, n int) (best int) {
	var s stats
	for range n {
		s.n = 0
		for range 3 {
			s.n += <-c
		}
		best = max(best, s.n)
	}
	return best
}

func reads(c chan int, n int) (s stats) {
	for range n {
		s.n += <-c
		s.failed += s.n
	}
	return s
}

func ofMap(c chan string, n int) map[string]int {
	m := map[string]int{}
	for range n {
		m[<-c]++
	}
	return m
}

func throughPointer(c chan int, n int, s *stats) {
	for range n {
		s.n += <-c
	}
}

func sharedByValue(c chan result, n int) int {
	failed := 0
	done := make(chan bool)
	go func() {
		for range n {
			if r := <-c; r.err != nil {
				failed++
			}
		}
		done <- true
	}()
	<-done
	return failed
}

func selects(c, d chan int, n int) (sum int) {
	for range n {
		select {
		case v := <-c:
			sum += v
		case v := <-d:
			sum -= v
		}
	}
	return sum
}

func lengths(c chan int, n int) (sum int) {
	for range n {
		sum += <-c
		sum += len(c)
	}
	return sum
}

func innerLoop(c chan int, n int) (sum int) {
	for range n {
		for v := <-c; v > 0; v-- {
			sum += v
		}
	}
	return sum
}

func difference(c chan int) int {
	x := <-c
	y := <-c
	return x - y
}

func shapes(c chan int) int {
	x := <-c
	y := <-c
	return 2*x + 3*y
}

func usedTwice(c chan int) (int, int) {
	x := <-c
	y := <-c
	return x + y, x
}

func floats(c chan float64) float64 {
	x := <-c
	y := <-c
	return x + y
}

func pairs(c chan int) (int, int) {
	a, b := <-c, <-c // one line has two groups: of x and y, and these
	x, y := <-c, <-c
	return a * y, b * x
}

func sameLine(c chan int) (int, int) {
	a, b, x := <-c, <-c, <-c // the last one is in no group
	return a + b, x
}

func around(c chan int, out []int) {
	for i := range out {
		x := <-c
		y := <-c
		out[i] = x + y
	}
}

func partly(c chan int, all int) int {
	x := <-c
	y := <-c
	return all &^ (x &^ y)
}

func leaks(c chan int, n int) (p *int) {
	sum := 0
	for range n {
		v := <-c
		p = &v
		sum += v
	}
	return p
}

func oneUsedTwice(c chan int) (int, int) {
	x := <-c
	y := <-c
	return x + y, y
}

func alsoCalls(c chan int, tick func(), n int) (sum int) {
	for range n {
		sum += <-c
		tick()
	}
	return sum
}

func untilZero(c chan int) {
	for v := range c {
		if v == 0 {
			break
		}
	}
}

func oneBehind(c chan result, n int) (sum int) {
	var r result
	for range n {
		sum += r.n
		r = <-c
	}
	return sum
}

func deferred(c chan int, n int, f func()) (sum int) {
	for range n {
		sum += <-c
		defer f()
	}
	return sum
}

func inPanic(c chan int, n int, list []int) (sum int) {
	for range n {
		v := <-c
		if v > 3 {
			panic("too large")
		}
		sum += v
	}
	return sum
}
