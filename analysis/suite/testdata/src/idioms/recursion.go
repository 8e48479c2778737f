package idioms

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

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

// Each value is taken.
func treeSum(t *branching) (s int) {
	ch := make(chan int)
	go func() {
		walkTree(t, ch)
		close(ch)
	}()
	for v := range ch {
		s += v
	}
	return s
}

func walkQuit(t *branching, ch chan<- int, quit <-chan struct{}) bool {
	if t == nil {
		return true
	}
	if !walkQuit(t.left, ch, quit) {
		return false
	}
	select {
	case ch <- t.val:
	case <-quit:
		return false
	}
	return walkQuit(t.right, ch, quit)
}

// The walks end when quit is closed.
func sameQuit(t1, t2 *branching) bool {
	a, b, quit := make(chan int), make(chan int), make(chan struct{})
	defer close(quit)
	go func() { walkQuit(t1, a, quit); close(a) }()
	go func() { walkQuit(t2, b, quit); close(b) }()
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

// Each folder is counted off.
func walkFolder(folder string, n *sync.WaitGroup, sema chan struct{}, sizes chan<- int64) {
	defer n.Done()
	for _, e := range entries(folder, sema) {
		if e.IsDir() {
			n.Add(1)
			go walkFolder(filepath.Join(folder, e.Name()), n, sema, sizes)
		} else {
			info, err := e.Info()
			if err != nil {
				continue
			}
			sizes <- info.Size()
		}
	}
}

func entries(folder string, sema chan struct{}) []os.DirEntry {
	sema <- struct{}{}
	defer func() { <-sema }()
	es, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	return es
}

func diskUse(roots []string) (s int64) {
	sizes := make(chan int64)
	var n sync.WaitGroup
	sema := make(chan struct{}, 20)
	for _, r := range roots {
		n.Add(1)
		go walkFolder(r, &n, sema, sizes)
	}
	go func() {
		n.Wait()
		close(sizes)
	}()
	for x := range sizes {
		s += x
	}
	return s
}

func sortParts(xs []int) {
	if len(xs) < 2 {
		return
	}
	p := xs[0]
	i := 0
	for j := 1; j < len(xs); j++ {
		if xs[j] < p {
			i++
			xs[i], xs[j] = xs[j], xs[i]
		}
	}
	xs[0], xs[i] = xs[i], xs[0]
	done := make(chan struct{})
	go func() {
		sortParts(xs[:i])
		close(done)
	}()
	sortParts(xs[i+1:])
	<-done
}

// Goroutines down to a depth.
func treeDepth(t *branching, d int) int {
	if t == nil {
		return 0
	}
	if d == 0 {
		return treeDepth(t.left, 0) + treeDepth(t.right, 0) + t.val
	}
	c := make(chan int)
	go func() { c <- treeDepth(t.left, d-1) }()
	r := treeDepth(t.right, d-1)
	return r + <-c + t.val
}

// Each visit is counted off.
type crawlState struct {
	mu   sync.Mutex
	seen map[string]bool
	wg   sync.WaitGroup
}

func (c *crawlState) visit(u string, depth int, fetch func(string) []string) {
	defer c.wg.Done()
	if depth <= 0 {
		return
	}
	c.mu.Lock()
	if c.seen[u] {
		c.mu.Unlock()
		return
	}
	c.seen[u] = true
	c.mu.Unlock()
	for _, l := range fetch(u) {
		c.wg.Add(1)
		go c.visit(l, depth-1, fetch)
	}
}

func crawlSeen(u string, fetch func(string) []string) {
	c := &crawlState{seen: map[string]bool{}}
	c.wg.Add(1)
	go c.visit(u, 4, fetch)
	c.wg.Wait()
}

// The loop counts the answers that are due.
func crawlCounted(u string, fetch func(string) []string) {
	work := make(chan []string)
	n := 1
	go func() { work <- []string{u} }()
	seen := map[string]bool{}
	for ; n > 0; n-- {
		for _, l := range <-work {
			if seen[l] {
				continue
			}
			seen[l] = true
			n++
			go func() { work <- fetch(l) }()
		}
	}
}

// The consumer takes all.
func permute(xs []int, k int, out chan<- []int) {
	if k == len(xs) {
		out <- append([]int(nil), xs...)
		return
	}
	for i := k; i < len(xs); i++ {
		xs[k], xs[i] = xs[i], xs[k]
		permute(xs, k+1, out)
		xs[k], xs[i] = xs[i], xs[k]
	}
}

func allPerms(xs []int) (n int) {
	out := make(chan []int)
	go func() {
		defer close(out)
		permute(xs, 0, out)
	}()
	for range out {
		n++
	}
	return n
}

// Each goroutine sends one value.
func leafOf(t *branching, out chan<- int) {
	if t == nil {
		out <- 0
		return
	}
	l, r := make(chan int), make(chan int)
	go leafOf(t.left, l)
	go leafOf(t.right, r)
	out <- t.val + <-l + <-r
}

func leaves(t *branching) int {
	c := make(chan int)
	go leafOf(t, c)
	return <-c
}

// The last one closes.
func countNodes(t *branching, f func(int)) {
	done := make(chan struct{})
	var left atomic.Int64
	var visit func(t *branching)
	visit = func(t *branching) {
		defer func() {
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
		if t == nil {
			return
		}
		left.Add(2)
		go visit(t.left)
		go visit(t.right)
		f(t.val)
	}
	left.Add(1)
	go visit(t)
	<-done
}

type folder struct {
	mu     sync.Mutex
	kids   map[string]*folder
	parent *folder
	size   int
}

// Each folder has a lock of its own.
func (d *folder) Total() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.size
	for _, k := range d.kids {
		n += k.Total()
	}
	return n
}

// One lock at a time.
func (d *folder) Grow(n int) {
	for x := d; x != nil; x = x.parent {
		x.mu.Lock()
		x.size += n
		x.mu.Unlock()
	}
}

// It unlocks before it calls itself.
func (d *folder) Get(k string, tries int) *folder {
	d.mu.Lock()
	x, ok := d.kids[k]
	if !ok && tries > 0 {
		d.mu.Unlock()
		return d.Get(k, tries-1)
	}
	d.mu.Unlock()
	return x
}

// The helper does not lock.
func (d *folder) Print() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.print(0)
}

func (d *folder) print(n int) {
	fmt.Println(n, d.size)
	for _, k := range d.kids {
		k.print(n + 1)
	}
}

// The consumer takes all moves.
func moveAll(n int, a, b, c string, out chan<- string) {
	if n == 0 {
		return
	}
	moveAll(n-1, a, c, b, out)
	out <- a + b
	moveAll(n-1, c, b, a, out)
}

func allMoves(n int) (s []string) {
	out := make(chan string, 4)
	go func() { moveAll(n, "a", "b", "c", out); close(out) }()
	for m := range out {
		s = append(s, m)
	}
	return s
}

// The channel has room for all nodes.
func fillTree(t *branching, out chan<- int) {
	if t != nil {
		fillTree(t.left, out)
		out <- t.val
		fillTree(t.right, out)
	}
}

func nodes(t *branching) int {
	if t == nil {
		return 0
	}
	return 1 + nodes(t.left) + nodes(t.right)
}

func fillNodes(t *branching) []int {
	out := make(chan int, nodes(t))
	fillTree(t, out)
	close(out)
	var xs []int
	for v := range out {
		xs = append(xs, v)
	}
	return xs
}

// A full pool runs the task in the caller.
type inlinePool struct{ sem chan struct{} }

func (p *inlinePool) do(f func()) {
	select {
	case p.sem <- struct{}{}:
		go func() {
			defer func() { <-p.sem }()
			f()
		}()
	default:
		f()
	}
}

func poolSum(t *branching) int64 {
	p := &inlinePool{make(chan struct{}, 2)}
	var s atomic.Int64
	var wg sync.WaitGroup
	var visit func(t *branching)
	visit = func(t *branching) {
		defer wg.Done()
		if t == nil {
			return
		}
		s.Add(int64(t.val))
		wg.Add(2)
		p.do(func() { visit(t.left) })
		p.do(func() { visit(t.right) })
	}
	wg.Add(1)
	visit(t)
	wg.Wait()
	return s.Load()
}

type twig struct {
	kids []*twig
	val  int
}

// Each kid is counted off.
func walkAll(n *twig, f func(int)) {
	var wg sync.WaitGroup
	var visit func(n *twig)
	visit = func(n *twig) {
		defer wg.Done()
		if n == nil {
			return
		}
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
