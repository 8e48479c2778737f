// Loops that only look have a comment that says so, and so have branches in them that change more;
// loops without one may do more.
package still

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type nested struct{ atomic.Bool }

type counted struct {
	nested
	n int
}

func (c *counted) Load() bool { c.n++; return c.n == 20 }

type shadow struct{ n *int }

func (s shadow) LoadInt32(n *int32) int32 { *n++; return *n }
func (s shadow) Gosched()                 { *s.n++ }
func (s shadow) TryLock() bool            { *s.n++; return *s.n == 20 }

func generic[T any, P interface {
	*T
	Load() bool
}](p P, q *atomic.Pointer[T]) {
	for !p.Load() {
	}
	for q.Load() == nil { // still
	}
}

type ended struct{ n int }

func (e *ended) Err() error { e.n++; return nil }

type job struct{ ctx context.Context }

type more interface{ context.Context }

func others[C context.Context](c C, m more) {
	for c.Err() == nil {
	}
	for m.Err() == nil {
	}
}

func contexts(ctx context.Context, j *job, all []context.Context, mine *ended, of func() context.Context) {
	for ctx.Err() == nil { // still
		runtime.Gosched()
	}
	for { // still
		select {
		case <-j.ctx.Done():
			return
		default:
		}
		if all[0].Err() != nil {
			return
		}
	}
	for mine.Err() == nil {
	}
	for of().Err() == nil {
	}
	for context.Cause(ctx) == nil {
	}
	for n := 0; ctx.Err() == nil; n++ {
	}
	for ctx.Err() == nil {
		ctx = of()
	}
}

func loops(x, y *atomic.Bool, n *int32, mu *sync.Mutex, c, d chan int, other interface{ Load() bool }, stored *sync.Map,
	plain *bool, bytes []byte, mine shadow, embeds *counted, numbers chan int32) int {
	for !x.Load() { // still
		runtime.Gosched()
	}
	for { // still
		if atomic.LoadInt32(n) == 3 {
			mu.Lock()
			break
		}
	}
	for /* wait; then go on */ !x.Load() { // still
	}
	for /* ; */ /* ; */ { // still
		if x.Load() {
			break
		}
	}
	for { // still
		select {
		case v := <-c:
			*n = int32(v)
			return v
		case d <- 1:
			*n = 0
		case v, ok := <-d:
			if ok {
				return v
			}
		default:
			runtime.Gosched()
			continue
		}
	}
	for len(c) < cap(c) { // still
	}
	for flags := [2]atomic.Bool{}; !flags[0].Load(); { // still
	}
	for !mu.TryLock() { // still
	}
	for flags := new(nested); !flags.Load(); { // still
	}
	for !x.Load() { // still
	}
	for { // still
		if x.Load() {
			break
		}
	}
	for n := 0; n < 20; n++ {
		for x.Load() { // still
		}
	}
	for (func() bool { return false })() {
		for x.Load() { // still
		}
	}
	for !(*atomic.Bool).Load(x) { // still
	}
	for int(atomic.LoadInt32(n)) != min(3, 4) { // still
	}
	for x.Load() == y.Load() { // still
	}
out:
	for { // still
		select {
		case <-c:
			break out
		default:
		}
		switch {
		case x.Load():
			continue out
		case y.Load():
			return 9
		default:
			break
		}
	}
	for { // still
		if v, ok := stored.Load(7); ok && v.(int) > 3 {
			panic(v)
			break
		}
	}
	for { // still
		seen := atomic.LoadInt32(n)
		if seen > 7 && atomic.CompareAndSwapInt32(n, seen, 0) {
			return int(seen)
		} else {
			continue
		}
	}
	// it counts
	for i := 0; !x.Load(); i++ {
	}
	rounds := 0
	for !x.Load() {
		rounds++
	}
	for !x.Load() {
		if rounds = rounds + 1; rounds == 7 {
			break
		}
	}
	// a goto comes to the label, and not to what is in front of it
again:
	for flags := [2]atomic.Bool{}; !flags[0].Load(); {
		if x.Load() {
			goto again
		}
	}
	// no look: plain variables, a goroutine that goes on by itself
	for !*plain {
		runtime.Gosched()
	}
	for len(bytes) == 0 {
		runtime.Gosched()
	}
	// names mean something else
	{
		len := func(chan int) int { *n++; return int(*n) }
		for len(c) < 20 {
		}
		cap := len
		for cap(c) < 20 {
		}
		type bool = int
		atomic := shadow{}
		for atomic.LoadInt32(n) < 20 {
		}
		runtime := shadow{}
		for x.Load() {
			runtime.Gosched()
		}
		for !mine.TryLock() {
		}
		for load := x.Load; load(); {
		}
	}
	for !embeds.Load() {
	}
	for other.Load() {
	}
	// a break leaves the switch, and a jump the branch that seems to leave
	for { // still
		switch {
		case x.Load(): // changes
			rounds++
			break
		}
	}
	for {
		if x.Load() {
			if rounds++; rounds < 20 {
				goto next
			}
			return 0
		}
	next:
	}
around:
	for { // still
		if x.Load() { // changes
			for range 3 {
				rounds++
				continue around
			}
			return 0
		}
	}
	// the time goes on
	for start := time.Now(); !x.Load() && time.Since(start) < 7; {
	}
	for !x.Load() {
		defer x.Load()
	}
	for !x.Load() {
		go x.Load()
	}
	for !x.Load() {
		func() { rounds++ }()
	}
	for x.Store(true); !x.Swap(true); {
	}
	// one of the two may not be what it seems
	for !x.Load() && !other.Load() {
	}
	for !other.Load() && len(c) == 0 {
	}
	// it waits, or finds a closed channel
	for !x.Load() { // still
		<-c
	}
	for { // still
		v, ok := <-c
		if ok {
			return v
		}
	}
	// a function that is called beside the receive may change anything
	for !x.Load() {
		v, w := <-c, shadow{&rounds}.LoadInt32(n)
		if v == int(w) {
			return v
		}
	}
	for !x.Load() {
		w, v := shadow{&rounds}.LoadInt32(n), <-c
		if v == int(w) {
			return v
		}
	}
	for !x.Load() { // still
		v, w := <-c, <-d
		if v == w {
			return v
		}
	}
	for { // still
		select {
		case <-c:
		case <-d:
			return 1
		}
	}
	for { // still
		select {
		case <-c:
			continue
		case <-d: // changes
			rounds++
		}
	}
	// it waits
	for {
		select {
		case <-c:
			return 1
		}
	}
	for {
		select {
		case <-c:
			rounds++
		case <-d:
			return 1
		}
	}
	for {
		select {
		case c <- 1:
		case <-d:
			return 1
		}
	}
	for {
		rounds = <-c
	}
	// it goes on with something else
	for { // still
		if x.Load() { // changes
			rounds = 0
		}
		if y == nil {
			return rounds
		}
	}
	for f := func() bool { return false }; !f(); {
	}
	for { // still
		select {
		case <-c:
			return 2
		default: // changes
			rounds++
		}
	}
	for range c {
	}
	// the channel may be closed
	for { // still
		select {
		case v := <-c: // changes
			*n = int32(v)
		default:
		}
	}
	for {
		select {
		case *n = <-numbers:
		default:
		}
	}
	// it goes on although it looks as if it left
	for { // still
		if !x.Load() { // changes
			if rounds < 9 { // changes
				rounds++
				continue
			}
			return 3
		}
	}
	for { // still
		select {
		case <-c:
			return 4
		default:
			if rounds < 9 { // changes
				rounds++
				break
			}
		}
	}
	// it chooses anew
	next := func() chan int { rounds++; return c }
	for {
		select {
		case <-next():
			return 5
		default:
		}
	}
	return rounds
}

type latch struct {
	sync.RWMutex
	mu   sync.Mutex
	set  bool
	n    int
	list []int
	next *latch
}

var asked int

func (l *latch) isSet() bool   { l.RLock(); defer l.RUnlock(); return l.set }
func (l *latch) counts() bool  { l.Lock(); defer l.Unlock(); l.n++; return l.set }
func (l *latch) notes() bool   { asked = 1; return l.isSet() }
func (l *latch) through() bool { l = l.next; return l.isSet() }
func (l *latch) both() bool    { return l.isSet() && l.next.isSet() }
func (l *latch) deep() bool    { return l.deeper() }
func (l *latch) deeper() bool  { return l.deepest() }
func (l *latch) deepest() bool { return l.both() }
func (l *latch) itself() bool  { return l.isSet() || l.itself() }
func (l *latch) defers() bool  { defer l.counts(); return l.isSet() }
func (l *latch) starts() bool  { go l.isSet(); return l.isSet() }
func (l *latch) closed(c chan int) bool {
	select {
	case _, ok := <-c:
		return !ok
	default:
		return l.isSet()
	}
}
func (l *latch) tells(c chan int) bool {
	select {
	case <-c:
		l.n++
		return false
	default:
		return l.isSet()
	}
}
func (l *latch) keeps(c chan int) bool {
	select {
	case l.n = <-c:
	default:
	}
	return l.isSet()
}
func (l *latch) waits(c chan int) bool {
	select {
	case <-c:
	}
	return l.isSet()
}
func (l *latch) by(f func()) int { f(); return len(l.list) }
func (l *latch) plain() bool     { return l.set }

func (l latch) copied() bool { l.mu.Lock(); defer l.mu.Unlock(); return l.next.set }

func (l *latch) sum() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, v := range l.list {
		if i == 7 {
			continue
		}
		n += v
	}
	switch last := len(l.list); {
	case last > 0 && l.set:
		n = l.list[last-1]
	}
	return n
}

func (l *latch) writes() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.n = range l.list {
		n++
	}
	return n
}

func (l *latch) stores() int {
	list := l.list
	list[0] = l.n
	return len(list)
}

type table struct {
	m     map[int]*latch
	inner map[int]map[int]int
}

func (t *table) all() bool {
	for _, x := range t.m {
		if !x.isSet() {
			return false
		}
	}
	return true
}
func (t *table) first() bool {
	for k := range t.m {
		return k == 3
	}
	return false
}
func (t *table) last() (v int) {
	for k := range t.m {
		v = k
	}
	return v
}
func (t *table) sum() (v int) {
	for k, x := range t.m {
		switch own := k; {
		case x.isSet():
			v -= own
			break
		default:
			own = 3
			v++
		}
	}
	return v
}
func (t *table) second() int {
	n, v := 0, 0
	for k := range t.m {
		if n++; n == 2 {
			v = k
		}
	}
	return v
}
func (t *table) found() bool {
	found := false
	for k, x := range t.m {
		if k > 7 && x.isSet() {
			found = true
			break
		}
	}
	return found
}
func (t *table) either() (a, b bool) {
	for k := range t.m {
		if k > 7 {
			a = true
			break
		}
		b = true
	}
	return a, b
}
func (t *table) breaks() (found bool) {
	for k := range t.m {
		if k > 7 {
			found = true
		}
		if own := 1; k < 3 {
			own = 2
			break
		}
	}
	return found
}
func (t *table) mixes() int {
	n := 1
	for k := range t.m {
		n += k
		n *= k
	}
	return n
}
func (t *table) adds() float64 {
	sum := 0.0
	for k := range t.m {
		sum += float64(k)
	}
	return sum
}
func (t *table) gives(k int) int {
	for k = range t.m {
	}
	return k
}
func (t *table) leaves() (n int) {
	for k := range t.m {
		if n++; k == 3 {
			return
		}
	}
	return n
}
func (t *table) counts() (n int) {
	for k := range t.m {
		if n++; k == 3 {
			return 7
		}
	}
	return n
}
func (t *table) two() int {
	for k := range t.m {
		if k < 3 {
			return 1
		}
		if k > 7 {
			return 2
		}
	}
	return 0
}
func (t *table) nested() (n int) {
	for _, m := range t.inner {
		for _, v := range m {
			if v > 3 {
				n++
				break
			}
		}
	}
	return n
}
func (t *table) sums() (n int) {
	for _, m := range t.inner {
		for _, v := range m {
			n += v
		}
	}
	return n
}
func orders(t *table, x *atomic.Bool) {
	for !t.all() { // still
	}
	for !x.Load() && !t.first() {
	}
	for !x.Load() && t.last() == 0 {
	}
	for !x.Load() && t.sum() == 0 { // still
	}
	for !x.Load() && t.second() == 0 {
	}
	for !x.Load() && !t.found() { // still
	}
	for !x.Load() {
		a, b := t.either()
		if a && b {
			break
		}
	}
	for !x.Load() && !t.breaks() {
	}
	for !x.Load() && t.mixes() == 0 {
	}
	for !x.Load() && t.adds() == 0 {
	}
	for !x.Load() && t.gives(3) == 0 {
	}
	for !x.Load() && t.leaves() == 0 {
	}
	for !x.Load() && t.counts() == 0 { // still
	}
	for !x.Load() && t.two() == 0 {
	}
	for !x.Load() && t.nested() == 0 {
	}
	for !x.Load() && t.sums() == 0 { // still
	}
}

func questions(l *latch, other interface{ isSet() bool }, c chan int) {
	for !l.isSet() { // still
	}
	for !l.counts() {
	}
	for !l.notes() {
	}
	for !l.through() { // still
	}
	for !l.both() { // still
	}
	for !l.deepest() { // still
	}
	for !l.deep() {
	}
	for !l.itself() {
	}
	for !l.defers() {
	}
	for !l.starts() {
	}
	for l.by(func() {}) == 0 {
	}
	for !l.plain() {
	}
	for l.sum() < 7 { // still
		runtime.Gosched()
	}
	for l.writes() < 7 {
	}
	for l.stores() < 7 {
	}
	for !other.isSet() {
	}
	for !l.copied() {
	}
	for !l.isSet() {
		own := *l
		own.mu.Lock()
		own.mu.Unlock()
	}
	for !l.isSet() { // still
		next := l.next
		next.mu.Lock()
		next.mu.Unlock()
	}
	for { // still
		l.mu.Lock()
		if l.n == 3 {
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
	}
	for {
		l.mu.Lock()
		l.n++
		l.mu.Unlock()
	}
	for !l.set {
		defer l.mu.Unlock()
		l.mu.Lock()
	}
	for locker := sync.Locker(&l.mu); !l.isSet(); {
		locker.Lock()
		locker.Unlock()
	}
	for !l.closed(c) { // still
	}
	for !l.tells(c) {
	}
	for !l.keeps(c) {
	}
	for !l.waits(c) {
	}
	for l.by(nil) == <-c {
	}
}

func made(closed, stop chan int, d time.Duration, of func() time.Duration) {
	for { // still
		select {
		case <-closed:
		case <-make(chan int):
		}
	}
	for { // still
		never := make(chan int, 2)
		select {
		case <-closed:
		case <-never:
		}
	}
	for { // still
		<-closed
		_ = make(chan int)
	}
	for {
		<-closed
		closed = make(chan int)
	}
	for { // still
		select {
		case <-closed:
		case <-time.After(2 * d):
			return
		}
	}
	for { // still
		select {
		case <-closed:
		case _, ok := <-time.After(2 * d): // changes
			stop = nil
			_ = ok
		}
	}
	for {
		select {
		case <-closed:
		case <-time.After(of()):
			return
		}
	}
	for {
		after := time.After(d)
		select {
		case <-closed:
		case <-after:
			return
		}
	}
}
