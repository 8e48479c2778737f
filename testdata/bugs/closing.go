package bugs

import "sync"

// topic is a closable queue of room for one value.
type topic struct {
	mu     sync.Mutex
	closed bool
	ch     chan int
}

func newTopic() *topic { return &topic{ch: make(chan int, 1)} }

func (t *topic) isClosed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// publish looks first and sends then.
func (t *topic) publish(v int) {
	if !t.isClosed() {
		t.ch <- v
	}
}

func (t *topic) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	close(t.ch)
}

// publishLocked looks and sends in one step; there is room.
func (t *topic) publishLocked(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.ch <- v
	}
}

func (t *topic) closeLocked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	close(t.ch)
}

// SendOnClosed publishes while the topic is being closed.
func SendOnClosed() {
	t := newTopic()
	both(func() { t.publish(1) }, t.close)
	drain(t.ch)
}

// SendOnClosedFixed does so under the mutex.
func SendOnClosedFixed() {
	t := newTopic()
	both(func() { t.publishLocked(1) }, t.closeLocked)
	drain(t.ch)
}

// both runs f in a goroutine of its own and g here, and waits for f.
func both(f, g func()) {
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	g()
	<-done
}

// stopper can be stopped more than once.
type stopper struct {
	once    sync.Once
	stopped chan struct{}
}

// stop looks first and closes then.
func (s *stopper) stop() {
	select {
	case <-s.stopped:
	default:
		close(s.stopped)
	}
}

func (s *stopper) stopOnce() { s.once.Do(func() { close(s.stopped) }) }

// DoubleClose stops the same thing from two sides.
func DoubleClose() {
	s := &stopper{stopped: make(chan struct{})}
	both(s.stop, s.stop)
}

// DoubleCloseFixed does so with a Once.
func DoubleCloseFixed() {
	s := &stopper{stopped: make(chan struct{})}
	both(s.stopOnce, s.stopOnce)
}

// job is done when it has been finished or cancelled, whichever comes first.
type job struct {
	mu    sync.Mutex
	ended bool
	wg    sync.WaitGroup // 1 until the job has ended
}

func newJob() *job {
	j := new(job)
	j.wg.Add(1)
	return j
}

// end looks in one critical section and marks in another.
func (j *job) end() {
	j.mu.Lock()
	ended := j.ended
	j.mu.Unlock()
	if ended {
		return
	}
	j.wg.Done()
	j.mu.Lock()
	j.ended = true
	j.mu.Unlock()
}

// endOnce looks and marks in one.
func (j *job) endOnce() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ended {
		j.ended = true
		j.wg.Done()
	}
}

// NegativeWaitGroup finishes a job and cancels it at the same time.
func NegativeWaitGroup() {
	j := newJob()
	both(j.end, j.end)
	j.wg.Wait()
}

// NegativeWaitGroupFixed does so in one critical section.
func NegativeWaitGroupFixed() {
	j := newJob()
	both(j.endOnce, j.endOnce)
	j.wg.Wait()
}
