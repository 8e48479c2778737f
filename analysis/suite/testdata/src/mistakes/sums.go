package mistakes

// Channels with less room than a sum allows.

func sumTooLarge(a, b []int) {
	if len(a)+len(b) > 4 {
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

func nothingOfTheSum(a, b []int) {
	ch := make(chan int, 1)
	for range a {
		ch <- 1
	}
	for range b {
		ch <- 1
	}
}

func sumOfOthers(a, b []int) {
	ch := make(chan int)
	if len(a)+len(b) == 0 {
		return
	}
	go func() {
		ch <- len(a)
	}()
	if len(a) > 7 {
		return
	}
	<-ch
}

func oneTooMany(a []int) {
	if len(a)+1 > 4 {
		return
	}
	ch := make(chan int, 3)
	ch <- 0
	for _, x := range a {
		ch <- x
	}
}

func moreThanTheOther(a, b []int) {
	if len(b) > 2 || len(a) < len(b) {
		return
	}
	ch := make(chan int, 2)
	for range a {
		ch <- 1
	}
}

func lastTakesTheRest(workers, n int, solves func(int) bool) bool {
	found := make(chan bool)
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

func twicePerItem(xs []int) int {
	ch := make(chan int, len(xs))
	for _, x := range xs {
		ch <- x
		ch <- -x
	}
	close(ch)
	return len(ch)
}
