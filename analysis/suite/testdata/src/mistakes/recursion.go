package mistakes

import "sync"

type branching struct {
	left, right *branching
	val         int
}

func walkTree(t *branching, ch chan int) {
	if t == nil {
		return
	}
	walkTree(t.left, ch)
	ch <- t.val
	walkTree(t.right, ch)
}

// The caller leaves at the first difference.
func sameTrees(t1, t2 *branching) bool {
	a, b := make(chan int), make(chan int)
	go func() { walkTree(t1, a); close(a) }()
	go func() { walkTree(t2, b); close(b) }()
	for {
		x, ok := <-a
		y, ok2 := <-b
		if x != y || ok != ok2 {
			return false
		}
		if !ok {
			return true
		}
	}
}

// Nil leaves send nothing.
func leafMissed(t *branching, out chan<- int) {
	if t == nil {
		return
	}
	l, r := make(chan int), make(chan int)
	go leafMissed(t.left, l)
	go leafMissed(t.right, r)
	out <- t.val + <-l + <-r
}

// The root may be nil, too.
func leavesMissed(t *branching) int {
	c := make(chan int)
	go leafMissed(t, c)
	return <-c
}

type folder struct {
	mu     sync.Mutex
	kids   map[string]*folder
	parent *folder
	size   int
}

// It calls itself with the lock held.
func (d *folder) GetBad(k string, tries int) *folder {
	d.mu.Lock()
	defer d.mu.Unlock()
	x, ok := d.kids[k]
	if !ok && tries > 0 {
		return d.GetBad(k, tries-1)
	}
	return x
}

// Nil nodes are not counted off.
func walkNil(t *branching, f func(int)) {
	var wg sync.WaitGroup
	var visit func(t *branching)
	visit = func(t *branching) {
		if t == nil {
			return
		}
		defer wg.Done()
		wg.Add(2)
		go visit(t.left)
		go visit(t.right)
		f(t.val)
	}
	wg.Add(1)
	go visit(t)
	wg.Wait()
}

type twig struct {
	kids []*twig
	val  int
}

// A nil kid is not counted off.
func walkKids(n *twig, f func(int)) {
	var wg sync.WaitGroup
	var visit func(n *twig)
	visit = func(n *twig) {
		if n == nil {
			return
		}
		defer wg.Done()
		for _, k := range n.kids {
			wg.Add(1)
			go visit(k)
		}
		f(n.val)
	}
	wg.Add(1)
	go visit(n)
	wg.Wait()
}
