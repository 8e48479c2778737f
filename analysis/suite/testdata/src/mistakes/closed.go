package mistakes

import "sync"

// no room for one of the elements
func noRoomForOne(a []int) {
	if len(a) < 3 {
		return
	}
	c := make(chan int, len(a)-2)
	for range a[1:] {
		c <- 1
	}
}

// the default is never taken once quit is closed
func defaultOfClosed() {
	quit, c := make(chan int), make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-quit:
				continue
			case <-c:
			default:
			}
			return
		}
	}()
	close(quit)
	wg.Wait()
}
