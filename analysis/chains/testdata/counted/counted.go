// Package counted has actors that take a number of messages and then tell so: whether a message is the last one is a condition.
package counted

func ranged(n int, in chan int, out chan string) {
	var list []int
	for range n {
		list = append(list, <-in)
	}
	out <- "end"
}

func index(n int, in chan int, out chan string) {
	last := 0
	for i := 0; i < n; i++ {
		last += <-in
	}
	out <- "end"
}

// guarded checks one more condition after the loop, and one before it, which no task checks.
func guarded(n int, in chan int, out chan string) {
	if n > 100 {
		return
	}
	last := 0
	for range n {
		last = <-in
	}
	if last > 0 {
		out <- "end"
	}
}

// inner sends in the loop, too, under a condition on the message.
func inner(n int, in chan int, out chan string) {
	for range n {
		if x := <-in; x > 0 {
			out <- "more"
		}
	}
	if n > 1 {
		out <- "end"
	}
}

// each always sends.
func each(n int, in chan int, out chan string) {
	last := 0
	for range n {
		last += <-in
		out <- "more"
	}
	out <- "end"
}

// chosen takes its messages by a select.
func chosen(n int, in, other chan int, out chan string) {
	last := 0
	for range n {
		select {
		case x := <-in:
			last += x
		case x := <-other:
			last -= x
			out <- "other"
		}
	}
	out <- "end"
}

// called receives in a function of its own.
func called(n int, in chan int, out chan string) {
	for range n {
		take(in, out)
	}
	out <- "end"
}

func take(in chan int, out chan string) {
	if x := <-in; x > 0 {
		return
	}
	out <- "taken"
}

func sink(out chan string, n int) {
	for range out {
		n++
	}
}

func Start(n int) {
	out := make(chan string, n)
	one, two, three, four, five, six, seven := make(chan int), make(chan int), make(chan int), make(chan int), make(chan int), make(chan int), make(chan int)
	other := make(chan int)
	go ranged(n, one, out)
	go index(n, two, out)
	go guarded(n, three, out)
	go inner(n, four, out)
	go each(n, five, out)
	go chosen(n, six, other, out)
	go called(n, seven, out)
	go sink(out, n)
	for _, c := range []chan int{one, two, three, four, five, six, seven, other} {
		c <- n
	}
}

// WANT:
// ranged::in -> sink::out depth 1
// index::in -> sink::out depth 1
// guarded::in -> sink::out depth 2
// inner::in -> sink::out depth 1
// each::in -> sink::out depth 0
// chosen::in -> sink::out depth 1
// chosen::other -> sink::out depth 0
// called::in -> sink::out depth 1
// ! ranged::in -> sink::out depth 0
