package groups

// pair sends two values when it is told to: in this order, in the other one, or each by a goroutine
// of its own.
func pair(out chan<- string, tell <-chan string, how string) {
	<-tell
	switch how {
	case "ab":
		out <- "a"
		out <- "b"
	case "ba":
		out <- "b"
		out <- "a"
	case "each":
		go func() { out <- "a" }()
		out <- "b"
	}
}

// watch tells of two messages: always, or only if "b" comes first.
func watch(out chan<- string, in <-chan string, always bool) {
	first := <-in
	if second := <-in; always && first != second || first == "b" && second == "a" {
		out <- "seen"
	}
}

// react sends two values in one reaction, while another goroutine sends a third.
func react(out chan<- string, tell <-chan string) {
	go func() {
		<-tell
		out <- "one"
		out <- "two"
	}()
	go func() { out <- "other" }()
}

// between sends the third value between the two.
func between(out chan<- string, tell <-chan string) {
	<-tell
	out <- "one"
	out <- "other"
	out <- "two"
}

// queues has two queues, to which it sends as its clients do, and tells what comes first in each.
func queues(out chan<- string) (x, y chan<- string) {
	first, second := make(chan string, 2), make(chan string, 2)
	go func() {
		first <- "p"
		second <- "q"
	}()
	go func() {
		a, b := <-first, <-second
		out <- a + b
	}()
	return first, second
}

// inTurn tells as if its client's second message had come later than it has.
func inTurn(out chan<- string) (x, y chan<- string) {
	first, second := make(chan string, 2), make(chan string, 2)
	go func() {
		<-second
		out <- <-first + "q"
	}()
	return first, second
}

// turning says what it is told to, and goes on for ever by itself.
func turning(out chan<- string, says string) {
	left, right := make(chan bool), make(chan bool)
	go func() {
		for {
			left <- true
			<-right
		}
	}()
	go func() {
		for {
			<-left
			right <- true
		}
	}()
	if says != "" {
		go func() { out <- says }()
	}
}

// growing tells its first message, and starts one more like itself for those that follow.
func growing(out chan<- string, in <-chan string) {
	v, ok := <-in
	if !ok {
		return
	}
	next := make(chan string)
	go growing(out, next)
	out <- v
	for v := range in {
		next <- v
	}
}

// spreading starts one more for each message.
func spreading(out chan<- string, in <-chan string) {
	for v := range in {
		go func() { out <- v }()
	}
}

// endless starts one more like itself for its message, and gives it the same one.
func endless(out chan<- string, in <-chan string) {
	v := <-in
	next := make(chan string)
	go endless(out, next)
	go func() { next <- v }()
	out <- v
}

// loads answers each request with what it has asked for itself: for each one, or for all that have
// come meanwhile.
func loads(ask <-chan string, load chan<- string, loaded <-chan string, answers chan<- string, shared bool) {
	for range ask {
		n := 1
		load <- "k"
		for done := false; !done; {
			more := ask
			if !shared {
				more = nil
			}
			select {
			case <-more:
				n++
			case v := <-loaded:
				for range n {
					answers <- v
				}
				done = true
			}
		}
	}
}
