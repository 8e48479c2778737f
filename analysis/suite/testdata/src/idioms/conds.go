// Cond of others.
package idioms

import "sync"

type WaitQueue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	done  bool
}

func (q *WaitQueue) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.done {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, true
}

func (q *WaitQueue) WaitDone() {
	q.mu.Lock()
	for !q.done {
		q.cond.Wait()
	}
	q.mu.Unlock()
}

func (q *WaitQueue) Put(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) > 3 {
		if q.done {
			return false
		}
		q.cond.Wait()
	}
	q.items = append(q.items, n)
	q.cond.Broadcast()
	return true
}

func (q *WaitQueue) Loop(f func(int)) {
	q.mu.Lock()
	for {
		if q.done {
			q.mu.Unlock()
			return
		}
		if len(q.items) == 0 {
			q.cond.Wait()
			continue
		}
		n := q.items[0]
		q.items = q.items[1:]
		q.mu.Unlock()
		f(n)
		q.mu.Lock()
	}
}
