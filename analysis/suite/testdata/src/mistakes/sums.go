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
