// Package semantics uses every construct that package rewrite rewrites. It prints the same, whether rewritten or not.
package semantics

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

var (
	mu  sync.Mutex
	out io.Writer
)

func logf(format string, args ...any) {
	mu.Lock()
	defer mu.Unlock()
	fmt.Fprintf(out, format+"\n", args...)
}

// Run runs everything and prints to w.
func Run(w io.Writer) {
	out = w
	for _, f := range []func(){
		sends, receives, assigned, closed, panics, ranges, perLoop, selects, selectLvalues, selectOrder, selectFlow, selectPanics,
		goArguments, goMethods, goBuiltins, goNilInterface, builtins, generics, goexit, sieve, pingPong, positions,
		values, maps, atomics, late,
	} {
		f()
	}
}

// trace logs the evaluation of an operand.
func trace[T any](name string, v T) T {
	logf("eval %s", name)
	return v
}

// filled returns a closed channel that holds values.
func filled[T any](values ...T) chan T {
	c := make(chan T, len(values))
	for _, v := range values {
		c <- v
	}
	close(c)
	return c
}

// recovered logs what f panics with.
func recovered(name string, f func()) {
	defer func() {
		e := recover()
		var re runtime.Error
		if err, ok := e.(error); ok && errors.As(err, &re) {
			logf("%s panics: runtime error %v", name, err)
			return
		}
		logf("%s panics: %v", name, e)
	}()
	f()
	logf("%s does not panic", name)
}

type point struct{ x, y int }

func sends() {
	a := make(chan any, 10)
	trace("channel", a) <- trace("value", 1)
	a <- nil
	a <- point{1, 2}
	a <- 1 == len(a)
	a <- 'x'
	a <- "multi-" +
		"line"
	if a <- 3.5; len(a) > 2 {
		a <- 1 << 3
	}
	for i, _ := 0, 0; i < 1; a <- i {
		i++
	}
	close(a)
	for v := range a {
		logf("%T %v", v, v)
	}
	e := make(chan error, 1)
	e <- nil
	logf("%v", <-e)
}

type flag bool

func receives() {
	c := make(chan int, 20)
	for i := range 20 {
		c <- i
	}
	x := <-c + <-c*10
	x += <-c
	v, ok := <-c
	var f flag
	m := map[int]int{}
	m[<-c], f = <-c
	var e any
	_, e = <-c
	cc := filled(filled("nested"))
	logf("%v %v %v %v %v %v %v", x, v, ok, f, m, e, <-<-cc)
	switch y := <-c; y {
	case <-c - 1:
		logf("switched on %d", y)
	}
	for i := <-c; i < <-c; i += <-c {
		logf("loop %d", i)
	}
	logf("left %d", len(c))
}

type cell struct {
	n    int
	next *cell
}

// assigned assigns to what calls lead to: operands come first, from left to right, and pointers are followed last.
func assigned() {
	c := &cell{next: &cell{}}
	list, m := []int{0, 0}, map[string]int{}
	at := func(what string, c *cell) *cell { logf("at %s", what); return c }
	of := func(what string, n int) int { logf("of %s", what); return n }
	at("c", c).n = of("one", 1)
	at("c", c).next.n = of("two", 2)
	list[of("index", 1)] = of("three", 3)
	m[string(rune('a'+of("key", 1)))] = of("four", 4)
	at("c", c).n, at("next", c.next).n = of("five", 5), of("six", 6)
	_, list[of("index", 0)] = of("none", 0), of("seven", 7)
	*at("c", c) = cell{n: of("eight", 8), next: c.next}
	at("c", c).
		n += of("nine", 9)
	func() {
		defer func() { logf("%v", recover() != nil) }()
		at("nil", nil).n = of("before the panic", 1)
	}()
	for at("each", c).n = range 2 {
	}
	logf("%v %v %v %v", c.n, c.next.n, list, m)
}

func closed() {
	c := make(chan *int)
	close(c)
	v, ok := <-c
	var f flag = true
	_, f = <-c
	logf("%v %v %v %v", v, ok, f, <-c)
}

func panics() {
	recovered("send on closed", func() { c := make(chan int, 1); close(c); c <- 1 })
	recovered("close of closed", func() { c := make(chan int); close(c); close(c) })
	recovered("close of nil", func() { close((chan int)(nil)) })
	recovered("deferred close of nil", func() { var c chan int; defer close(c) })
	recovered("negative size", func() { n := -1; _ = make(chan int, n) })
}

func ranges() {
	var fs []func() int
	for v := range trace("range", filled(1, 2, 3)) {
		fs = append(fs, func() int { v *= 10; return v })
	}
	for _, f := range fs {
		logf("per iteration %d", f())
	}
	s, p := make([]int, 3), new(point)
	i := -1
	for s[trace("index", 1)] = range filled(7, 8) {
		i++
	}
	for p.y = range filled(9) {
	}
	logf("%v %v %d", s, *p, i)
	n := 0
	for range filled("a", "b") {
		n++
	}
	logf("%d", n)
outer:
	for v := range filled(1, 2, 3, 4, 5) {
		v := v * 2
		switch {
		case v == 2:
			continue
		case v == 8:
			break outer
		}
		for range filled(1, 2) {
			if v == 4 {
				continue outer
			}
			logf("inner %d", v)
		}
	}
}

func selects() {
	var null chan int
	c, empty := filled(1), make(chan int)
	select {
	case v, ok := <-c:
		logf("got %v %v", v, ok)
	case <-null:
		logf("impossible")
	case null <- 1:
		logf("impossible")
	}
	select {
	case v, ok := <-c:
		logf("got %v %v", v, ok)
	case <-empty:
		logf("impossible")
	}
	select {
	case empty <- 1:
	case <-null:
	default:
		logf("default")
	}
	select {
	default:
		logf("only default")
	}
	b := make(chan any, 1)
	select {
	case b <- point{x: 1}:
		logf("sent %v", <-b)
	}
	go func() { empty <- 5 }()
	select {
	case x := <-empty:
		logf("rendezvous %d", x)
	}
	done := make(chan bool)
	go func() { logf("received %d", <-empty); close(done) }()
	select {
	case empty <- 6:
	}
	<-done
}

func selectLvalues() {
	never := make(chan int)
	m := map[string]flag{}
	var p point
	select {
	case *trace("not evaluated", &p.x) = <-never:
	case p.y, m[trace("chosen", "k")] = <-filled(3):
	}
	logf("%v %v", p, m)
	recovered("nil pointer", func() {
		var null *point
		select {
		case null.x = <-filled(1):
		default:
		}
	})
}

func selectOrder() {
	a, b := make(chan int), make(chan int, 1)
	inner := filled(4, 5)
	select {
	case <-trace("a", a):
	case trace("b", b) <- trace("b's value", <-inner):
		logf("sent %d", <-b)
	case v := <-trace("c", (chan int)(nil)):
		_ = v
	}
	select {
	case b <- func() int {
		select {
		case v := <-inner:
			return v
		default:
			return -1
		}
	}():
		logf("sent %d", <-b)
	}
}

func selectFlow() {
	logf("%s", flow(filled(1, 2, 3, 4, 5, 6)))
	c := filled(1)
	c2 := make(chan int)
loop:
	for i := 0; ; i++ {
		select {
		case v, ok := <-c:
			if !ok {
				break loop
			}
			if v := v + 1; v == 2 {
				logf("loop %d %d", i, v)
				continue loop
			}
		case <-c2:
		}
	}
out:
	select {
	case <-c:
		for {
			break out
		}
		logf("impossible")
	}
}

func flow(c chan int) string {
	var b strings.Builder
again:
	select {
	case v := <-c:
		if v == 2 {
			break
		}
		fmt.Fprint(&b, v)
		if v > 4 {
			return b.String()
		}
		goto again
	default:
		return "default"
	}
	b.WriteString("break")
	goto again
}

func selectPanics() {
	c := filled[int]()
	recovered("select send on closed", func() {
		select {
		case c <- 1:
		default:
		}
	})
}

// wait runs f, giving it a function to call at the end of what it starts.
func wait(n int, f func(done func())) {
	var wg sync.WaitGroup
	wg.Add(n)
	f(wg.Done)
	wg.Wait()
}

func two() (int, string) { logf("two"); return 2, "two" }

func goArguments() {
	x, fs := 1, []func(int){func(x int) { logf("f0 %d", x) }}
	c := filled(10, 11)
	wait(1, func(done func()) {
		go func(a, b int, s ...string) {
			logf("%d %d %v", a, b, s)
			done()
		}(x, <-c, "a", "b")
		x++
	})
	wait(1, func(done func()) {
		go func(a int, s string) { logf("%d %s", a, s); done() }(two())
	})
	wait(1, func(done func()) {
		go func(b flag, f float64, e error, a any) { logf("%v %v %v %T", b, f, e, a); done() }(x == 2, 1, nil, x == 1)
	})
	wait(1, func(done func()) {
		go trace("function", func(x int) { fs[0](x); done() })(trace("argument", x))
		runtime.Gosched()
		for len(c) > 0 {
			<-c
		}
	})
	wait(1, func(done func()) {
		go variadic(done, []int{x, 2}...)
	})
	wait(1, func(done func()) {
		f := done
		go f()
		f = nil
	})
}

func variadic(done func(), xs ...int) {
	logf("variadic %v", xs)
	done()
}

type counter struct{ n int }

func (c counter) value(done func())            { logf("value %d", c.n); done() }
func (c *counter) pointer(d func(), by ...int) { c.n += len(by); d() }

type valuer interface{ value(func()) }

type embeds struct{ *counter }

func goMethods() {
	c := counter{1}
	block := make(chan int)
	wait(2, func(done func()) {
		go c.value(func() { <-block; done() })
		go valuer(c).value(done)
		c.n = 5
		block <- 1
	})
	wait(1, func(done func()) { go c.pointer(done, 1, 2) })
	wait(1, func(done func()) { go embeds{&c}.pointer(done) })
	wait(1, func(done func()) { go counter.value(c, done) })
	wait(1, func(done func()) { go (*counter).pointer(&c, done, []int{1}...) })
	logf("%d", c.n)
}

func goBuiltins() {
	c := make(chan int)
	go close(c)
	<-c
	m := map[int]int{1: 1}
	d := make(chan bool)
	wait(1, func(done func()) {
		go func() { defer done(); defer delete(m, 1); defer close(d) }()
	})
	logf("%d %v", len(m), <-d)
}

func goNilInterface() {
	recovered("go on a nil interface", func() {
		var v valuer
		go v.value(nil)
	})
	recovered("go on a nil pointer's value method", func() {
		var c *counter
		go c.value(nil)
	})
}

type named chan<- int

func builtins() {
	c := make(chan int, 3)
	n := named(c)
	n <- 1
	n <- 2
	logf("%d %d %d %d %T", len(c), cap(c), len(n), (len)(c), make(named, 1))
	close(n)
	len := func(chan int) int { return 42 }
	logf("%d", len(c))
}

func collect[T any, C ~chan T | ~<-chan T](c C) (all []T) {
	for v := range c {
		all = append(all, v)
	}
	return all
}

type queue[T any] struct{ c chan T }

func (q *queue[T]) put(v T, done chan<- bool) { q.c <- v; done <- true }

func merge[C ~chan E, E any](a, b C) (sum []E) {
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			sum = append(sum, v)
		case v, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			sum = append(sum, v)
		}
	}
	return sum
}

func generics() {
	logf("%v %v", collect(filled("x", "y")), collect((<-chan int)(filled(1))))
	q, done := &queue[string]{make(chan string)}, make(chan bool, 1)
	go q.put("generic", done)
	logf("%s %v", <-q.c, <-done)
	logf("%d %d", len(merge(filled(1, 2), filled(3))), len(merge[chan int](nil, filled(1))))
}

func goexit() {
	done := make(chan string)
	go func() {
		defer func() { done <- "exited" }()
		exit := runtime.Goexit
		exit()
		logf("impossible")
	}()
	logf("%s", <-done)
}

func sieve() {
	src := make(chan int)
	go func(ch chan<- int) {
		for i := 2; ; i++ {
			ch <- i
		}
	}(src)
	for range 6 {
		prime := <-src
		logf("prime %d", prime)
		next := make(chan int)
		go func(in <-chan int, out chan<- int, prime int) {
			for i := range in {
				if i%prime != 0 {
					out <- i
				}
			}
		}(src, next, prime)
		src = next
	}
}

func pingPong() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		defer close(pong)
		for v := range ping {
			pong <- v + 1
		}
	}()
	for i := 0; i < 6; i += 2 {
		ping <- i
		logf("pong %d", <-pong)
	}
	close(ping)
	_, ok := <-pong
	logf("%v", ok)
}

// here logs where it is called.
func here(name string) int {
	_, file, line, _ := runtime.Caller(1)
	logf("%s at %s:%d", name, file[strings.LastIndexByte(file, '/')+1:], line)
	return line
}

func positions() {
	here("start")
	c := make(chan int, 5)
	select {
	case (chan int)(nil) <- here("in the header"):
		logf("impossible")
	case c <- func() int {
		here("in a literal")
		return here("further on") +
			here("below")
	}():
		here("in a body")
		here("in a body")
	}
	<-c
	here("behind a select")
	go func(x, y int) {
		c <- x - here("in a process")
	}(
		here("argument"),
		1,
	)
	<-c
	here("behind a go statement")
	for range filled(here("range")) {
		here("in a loop")
	}
	here("end")
}

func values() {
	f := runtime.Gosched
	f()
	exit := os.Exit
	logf("%v", exit != nil)
}

// maps logs nothing that depends on the order of iteration.
func maps() {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	sum, text := 0, ""
	for k, v := range trace("map", m) {
		sum += v
		text += k
	}
	logf("%d %d", sum, len(text))
	first := ""
	for k := range m { // deletes all that it has not produced yet
		if first == "" {
			first = k
		}
		for other := range m {
			if other != first {
				delete(m, other)
			}
		}
		sum++
	}
	logf("%d %d", sum, len(m))
	var p point
	var keys [2]any
	for keys[trace("key", 1)], p.y = range map[string]int{"x": 7} {
	}
	logf("%v %d", keys, p.y)
	nans := map[float64]int{nan(): 1, nan(): 2}
	for k, v := range nans {
		if k == k {
			logf("impossible")
		}
		sum += v
		if len(nans) == 3 {
			clear(nans)
		}
	}
	for range map[int]int(nil) {
		logf("impossible")
	}
	var fs []func() int
	for _, v := range map[int]int{1: 1, 2: 2} {
		fs = append(fs, func() int { v *= 10; return v })
	}
	for k, v := range map[int]int{5: 6} {
		v++
		m[fmt.Sprint(k)] = v
	}
	logf("%d %d %d", sum, fs[0]()+fs[1](), m["5"])
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

// gauge promotes the methods of an atomic type.
type gauge struct{ atomic.Int32 }

func atomics() {
	var n int64
	var x atomic.Int32
	var p atomic.Pointer[gauge]
	var v atomic.Value
	logf("%v", atomic.AddInt64(&n, trace("delta", int64(2))))
	logf("%v %v", atomic.CompareAndSwapInt64(&n, 1, 5), atomic.LoadInt64(&n))
	add := x.Add
	logf("%v %v", add(3), x.Or(4))
	p.Store(trace("pointer", &gauge{}))
	func() {
		defer p.Load().Add(trace("deferred", int32(1)))
		p.Load().Store(6)
	}()
	logf("%v %v", p.Load().Load(), x.Load())
	v.Store("text")
	logf("%v", v.Swap("new"))
	done := make(chan int)
	go func(f func(int32) int32) { f(1); close(done) }(x.And)
	<-done
	logf("%v", x.Load())
	recovered("nil", func() { (*atomic.Int32)(nil).Load() })
	recovered("nil function", func() { atomic.AddInt32(nil, 1) })
	recovered("other type", func() { v.Store(1) })
}
