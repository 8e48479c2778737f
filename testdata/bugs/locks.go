package bugs

import "sync"

type account struct {
	id      int
	mu      sync.Mutex
	balance int
}

// transfer locks in the order of its arguments.
func transfer(from, to *account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

// transferOrdered locks in the order of the ids.
func transferOrdered(from, to *account, amount int) {
	first, second := from, to
	if second.id < first.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

// LockOrder transfers to and fro at the same time.
func LockOrder() { toAndFro(transfer) }

// LockOrderFixed does so with ordered locks.
func LockOrderFixed() { toAndFro(transferOrdered) }

func toAndFro(transfer func(from, to *account, amount int)) {
	a, b := &account{id: 1}, &account{id: 2}
	both(func() { transfer(a, b, 5) }, func() { transfer(b, a, 5) })
}

type table struct {
	mu   sync.RWMutex
	rows []int
}

func (t *table) add(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, v)
}

func (t *table) len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.rows)
}

// empty takes the read lock twice: a writer that comes between waits for the first, and the second waits for it.
func (t *table) empty() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.len() == 0
}

func (t *table) emptyFixed() bool { return t.len() == 0 }

// RecursiveRead reads while somebody writes.
func RecursiveRead() {
	var t table
	both(func() { t.add(1) }, func() { t.empty() })
}

// RecursiveReadFixed does so with one read lock.
func RecursiveReadFixed() {
	var t table
	both(func() { t.add(1) }, func() { t.emptyFixed() })
}

// directory reads its users and its groups when they are needed.
type directory struct {
	users, groups sync.Once
}

func nothing() {}

// loadUsers makes sure that the groups are there while it loads the users, and loadGroups the other way round.
func (d *directory) loadUsers()  { d.users.Do(func() { d.groups.Do(nothing) }) }
func (d *directory) loadGroups() { d.groups.Do(func() { d.users.Do(nothing) }) }

// load loads one after the other.
func (d *directory) load() {
	d.users.Do(nothing)
	d.groups.Do(nothing)
}

// CrossedOnce loads users and groups at the same time.
func CrossedOnce() {
	var d directory
	both(d.loadUsers, d.loadGroups)
}

// CrossedOnceFixed does so without nesting.
func CrossedOnceFixed() {
	var d directory
	both(d.load, d.load)
}
