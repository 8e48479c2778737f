package goprog

// listFunctions are the functions of Prelude that make lists of what processes append.
const listFunctions = `// gather returns what f returns for 0, 1, and 2, in any order.
func gather(f func(q int) int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var list []int
	for q := range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, f(q))
		})
	}
	wg.Wait()
	return list
}

// gatherAgain is gather, by way of n calls.
func gatherAgain(n int, f func(q int) int) ([]int, error) {
	if n == 0 {
		return gather(f), nil
	}
	list, err := gatherAgain(n-1, f)
	if n == 1 {
		list := gather(f)
		return list, err
	}
	return list, err
}

// gatherSeen is gather; see is told of the first element when the list is returned.
func gatherSeen(f func(q int) int, see func(v int)) []int {
	c := make(chan int)
	for q := range 3 {
		go func() { c <- f(q) }()
	}
	var list []int
	defer func() {
		if len(list) > 0 {
			see(list[0])
		}
	}()
	for range 3 {
		v := <-c
		list = append(list, v)
	}
	return list
}

// gatherNamed is gather; see is told of the first element when the result is known.
func gatherNamed(f func(q int) int, see func(v int)) (result []int) {
	defer func() { see(result[0]) }()
	list := gather(f)
	return list
}

// gatherFailing is gather, and panics if fails.
func gatherFailing(fails bool, f func(q int) int) []int {
	defer func() {
		if fails {
			panic("failed")
		}
	}()
	list := gather(f)
	return list
}

// gatherPart is gather if n is 0. Otherwise, see is told of the first element that another call of
// gatherPart returns.
func gatherPart(n int, f func(q int) int, see func(v int)) []int {
	if n == 0 {
		list := gather(f)
		return list
	}
	see(gatherPart(n-1, f, see)[0])
	return make([]int, 3)
}

// gatherFirst returns no list of its own: see is told of the first element of that of gather.
func gatherFirst(f func(q int) int, see func(v int)) []int {
	see(gather(f)[0])
	return make([]int, 3)
}

// gatherAfter is gather; see is told of the first element of list.
func gatherAfter(list []int, f func(q int) int, see func(v int)) []int {
	if len(list) > 0 {
		see(list[0])
	}
	next := gather(f)
	return next
}

// gatherKept is gather, and keeps a part.
func gatherKept(part *[]int, f func(q int) int) []int {
	list := gather(f)
	*part = list[:1]
	return list
}

// keepPart returns an empty list, and keeps its elements.
func keepPart(part *[]int) []int {
	*part = make([]int, 4)
	return (*part)[:0]
}
`
