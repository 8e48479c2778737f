package idioms

// Closed channels that are asked again and again, and parts of slices.

import "context"

type closedServer struct {
	done chan struct{}
	c    chan int
}

func (s *closedServer) closed() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *closedServer) send(v int) {
	if s.closed() {
		return
	}
	s.c <- v
}

func (s *closedServer) sendNested(v int) {
	select {
	case <-s.done:
		return
	default:
	}
	select {
	case <-s.done:
	case s.c <- v:
	}
}

func SendsToClosed() {
	s := &closedServer{done: make(chan struct{}), c: make(chan int)}
	close(s.done)
	s.send(1)
	s.send(2)
	s.sendNested(1)
	s.sendNested(2)
}

func SendsToClosedInLoop() {
	s := &closedServer{done: make(chan struct{}), c: make(chan int)}
	close(s.done)
	for i := range 3 {
		s.send(i)
	}
}

func SendsToClosedTimes(n int) {
	s := &closedServer{done: make(chan struct{}), c: make(chan int)}
	close(s.done)
	for range n {
		s.send(1)
	}
}

func SendsToClosedWhile(more func() bool) {
	s := &closedServer{done: make(chan struct{}), c: make(chan int)}
	close(s.done)
	for more() {
		select {
		case <-s.done:
			continue
		default:
		}
		s.c <- 1
	}
}

func SendsToClosedEach(each func(func(int) bool)) {
	s := &closedServer{done: make(chan struct{}), c: make(chan int)}
	close(s.done)
	for v := range each {
		select {
		case <-s.done:
			continue
		default:
		}
		s.c <- v
	}
}

func putUnlessEnded(ctx context.Context, c chan int) {
	if ctx.Err() != nil {
		return
	}
	c <- 1
}

func PutsAfterTheEnd() {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	cancel()
	putUnlessEnded(ctx, c)
	putUnlessEnded(ctx, c)
	for range 2 {
		if ctx.Err() == nil {
			c <- 1
		}
	}
}

func KeysAfterTheEnd() {
	done, c := make(chan struct{}), make(chan int)
	close(done)
	for k := range map[int]bool{1: true, 2: true} {
		select {
		case <-done:
			continue
		default:
		}
		c <- k
	}
}

func LettersAfterTheEnd(s string) {
	done, c := make(chan struct{}), make(chan rune)
	close(done)
	for _, r := range s {
		select {
		case <-done:
			continue
		default:
		}
		c <- r
	}
}

func KeysOrServed(m map[string]int) {
	done, c := make(chan struct{}), make(chan int)
	close(done)
	for range m {
		select {
		case <-done:
		case <-c:
		}
	}
	for range map[int]bool{1: true, 2: true, 3: true} {
		select {
		case <-done:
		case <-c:
		}
	}
}

func waitEither(done, c chan int) {
	select {
	case <-done:
	case <-c:
	}
}

func WaitsOneByOne() {
	done, c := make(chan int), make(chan int)
	go func() {
		select {
		case c <- 1:
		case <-done:
		}
	}()
	close(done)
	waitEither(done, c)
	waitEither(done, c)
	waitEither(done, c)
}

type wakeQueue struct{ wake chan struct{} }

func (q *wakeQueue) notify() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func NotifiesOften() {
	q := &wakeQueue{wake: make(chan struct{}, 1)}
	q.notify()
	q.notify()
	q.notify()
	<-q.wake
}

func NotifiesOftenDeferred() {
	q := &wakeQueue{wake: make(chan struct{}, 1)}
	defer q.notify()
	defer q.notify()
	defer q.notify()
	for range map[int]int{1: 1, 2: 2, 3: 3} {
		q.notify()
	}
	<-q.wake
}

// a closed channel of which the default would wait
func SpinsUntilServed() {
	done, c, never := make(chan int), make(chan int), make(chan int)
	close(done)
	go func() { c <- 1 }()
	for {
		select {
		case <-done:
			continue
		case <-c:
			return
		default:
		}
		<-never
	}
}

func RoomForTheRest(a []int) {
	if len(a) < 2 {
		return
	}
	c := make(chan int, len(a)-1)
	for range a[1:] {
		c <- 1
	}
}

func RoomForAllParts(a []int) {
	c := make(chan int, len(a))
	for range a[:len(a)/2] {
		c <- 1
	}
	for range a[len(a)/2:] {
		c <- 1
	}
}

func RoomForTheFirst(a []string, n int) {
	if n < 0 || n > len(a) {
		return
	}
	c := make(chan string, n)
	for _, s := range a[:n] {
		c <- s
	}
}

func RoomForTheMiddle(a []int) {
	if len(a) < 3 {
		return
	}
	b := a[1 : len(a)-1]
	c := make(chan int, len(a)-2)
	for _, v := range b {
		go func() { c <- v }()
	}
	for range b {
		<-c
	}
}

func RoomForTwoSlices(a []int, i int) {
	if i < 0 || i > len(a) {
		return
	}
	low, high := a[:i], a[i:]
	c := make(chan int, len(a))
	for _, v := range low {
		c <- v
	}
	for _, v := range high {
		c <- v
	}
}

func RoomForText(s string) {
	if s == "" {
		return
	}
	rest := []byte(s[1:])
	c := make(chan byte, len(rest))
	for _, b := range rest {
		c <- b
	}
}

func RoomForArray(a *[200]int, n int) {
	part := a[n:]
	c := make(chan int, len(part))
	for _, v := range part {
		c <- v
	}
}

// the loop around the select that is left goes on by itself
func SpinsInsideLoops(s []string) int {
	done, c := make(chan int), make(chan string)
	close(done)
	n := 0
	for _, x := range s {
		for {
			select {
			case <-done:
				n++
			case c <- x:
			}
			break
		}
	}
	return n
}

func DrainsWithoutWaiting(c chan int) {
	local, done := make(chan int, 2), make(chan int)
	close(done)
	local <- 1
	local <- 2
	close(local)
	for {
		select {
		case _, ok := <-local:
			if !ok {
				return
			}
		default:
			return
		}
	}
}
