// Package notes records facts of an execution beyond its trace, for some strategies: the places
// where processes receive, the values with which they were started, the contents of messages, and
// the equality of sent values. Each kind of notes is taken on request, for they take time.
//
// Vocabulary: a place is a stack of a process, cut off at depth; places have numbers. A payload is
// a value that is sent.
package notes

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/world"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A strategy that uses the tasks of actors has to know the place where a process receives, the
// place where it was started, and the messages.

// depth is the number of stack frames, including those of this runtime, that tell one receive from
// another: a receive in a function that two loops call counts as two.
const depth = 4

// notebook is what is recorded. Places last as long as the binary, the rest as long as an
// execution.
//
// To look at a stack takes as long as an operation. Most executions begin like the one before. As
// long as two executions make the same choices, a process reaches the same places.
type notebook struct {
	numbers  map[[depth]uintptr]int32
	Stacks   [][depth]uintptr // by number, from 1
	texts    []string         // of stacks, as far as they have been asked for
	launches []int32          // of each process: the place of its go statement
	messages [][]any          // of each process: what it has put into mailboxes
	starts   []func()         // of each process: what it was started with
	receives []bool           // of each process: it has received
	makings  []Making

	choices []trace.Alt // of this execution and, from number agreed on, of the one before
	agreed  int         // so many choices have been compared
	differ  bool        // one of them was another
	visits  []visits    // of each process
}

// visits are the places to which a process comes, those of this execution and then those of the one
// before.
type visits struct {
	places []int32
	at     []int // beside it: how many events had been done then
	n      int   // so many are of this execution
}

var Book *notebook // nil: nothing is recorded

// Take says whether executions record places and messages.
func Take(on bool) {
	switch {
	case !on:
		Book = nil
	case Book == nil:
		Book = &notebook{numbers: map[[depth]uintptr]int32{}, Stacks: make([][depth]uintptr, 1),
			texts: make([]string, 1)}
	}
}

// Renew begins a notebook for another executor. Places keep their numbers: an exploration may
// go on with that executor.
func Renew() {
	if Book != nil {
		Book = &notebook{numbers: Book.numbers, Stacks: Book.Stacks, texts: Book.texts}
	}
}

// Place returns where place n is, "file.go:12", with the file's directory; empty if that is not
// known.
func Place(n int32) string {
	if Book == nil || n <= 0 || int(n) >= len(Book.Stacks) {
		return ""
	}
	for len(Book.texts) < len(Book.Stacks) {
		Book.texts = append(Book.texts, "")
	}
	if Book.texts[n] == "" {
		stack := Book.Stacks[n][:]
		for len(stack) > 0 && stack[len(stack)-1] == 0 {
			stack = stack[:len(stack)-1]
		}
		Book.texts[n] = sched.SiteOf(stack)
	}
	return Book.texts[n]
}

// LaunchedAt returns the place of the go statement that has started a process of the execution
// under way; 0 if that is not known.
func LaunchedAt(proc int32) int32 {
	if Book == nil || int(proc) >= len(Book.launches) {
		return 0
	}
	return Book.launches[proc]
}

// Sent returns a message of the execution under way; ok is false if it is not known.
func Sent(m trace.Message) (v any, ok bool) {
	if Book == nil || m.Number <= 0 || int(m.Sender) >= len(Book.messages) ||
		int(m.Number) > len(Book.messages[m.Sender]) {
		return nil, false
	}
	return Book.messages[m.Sender][m.Number-1], true
}

// Begin begins an execution.
func Begin() {
	if Book != nil {
		Book.begin()
	}
}

// begin forgets the execution before.
func (b *notebook) begin() {
	for i := range b.messages {
		clear(b.messages[i])
		b.messages[i] = b.messages[i][:0]
	}
	clear(b.starts)
	b.starts, b.receives, b.makings = b.starts[:0], b.receives[:0], b.makings[:0]
	b.launches = b.launches[:0]
	b.choices = b.choices[:b.agreed]
	b.agreed, b.differ = 0, false
	for i := range b.visits {
		v := &b.visits[i]
		v.places, v.at, v.n = v.places[:v.n], v.at[:v.n], 0
	}
}

// compare compares the choices that have been made since the last call with those of the execution
// before.
func (b *notebook) compare(done []trace.Event) {
	for ; b.agreed < len(done); b.agreed++ {
		a := done[b.agreed].Alt
		if !b.differ && b.agreed < len(b.choices) && b.choices[b.agreed] == a {
			continue
		}
		b.differ = true
		b.choices = append(b.choices[:b.agreed], a)
	}
}

// Visit returns the number of the place to which process p has come, which calls a hook.
func (b *notebook) Visit(p int32) int32 {
	done := world.W.Done()
	b.compare(done)
	for len(b.visits) <= int(p) {
		b.visits = append(b.visits, visits{})
	}
	v := &b.visits[p]
	if !b.differ && v.n < len(v.places) && v.at[v.n] == len(done) {
		v.n++
		return v.places[v.n-1]
	}
	n := b.here()
	v.places, v.at, v.n = append(v.places[:v.n], n), append(v.at[:v.n], len(done)), v.n+1
	return n
}

// here returns the number of the place that has called a hook, which has called a function that has
// called visit.
func (b *notebook) here() int32 {
	var stack [depth]uintptr
	gate.Callers(4, stack[:])
	n, ok := b.numbers[stack]
	if !ok {
		n = b.number(own(stack))
		b.numbers[stack] = n
	}
	return n
}

func (b *notebook) number(stack [depth]uintptr) int32 {
	n, ok := b.numbers[stack]
	if !ok {
		n = int32(len(b.Stacks))
		b.numbers[stack] = n
		b.Stacks = append(b.Stacks, stack)
	}
	return n
}

// own drops the frames of the scheduler, which has called the function of the process in one way or
// another.
func own(stack [depth]uintptr) [depth]uintptr {
	for i, pc := range stack {
		if f := runtime.FuncForPC(pc - 1); pc == 0 ||
			f != nil && strings.Contains(f.Name(), "rehearse/runtime/sched.") {
			clear(stack[i:])
			break
		}
	}
	return stack
}

// Launched notes where process parent has started process p, and the function.
func (b *notebook) Launched(parent, p int32, f func()) {
	for len(b.launches) <= int(p) {
		b.launches, b.starts = append(b.launches, 0), append(b.starts, nil)
	}
	b.launches[p], b.starts[p] = b.Visit(parent), f
}

// Received notes that process p receives from now on.
func (b *notebook) Received(p int32) {
	for len(b.receives) <= int(p) {
		b.receives = append(b.receives, false)
	}
	b.receives[p] = true
}

// Made notes that process p has made a mailbox.
func (b *notebook) Made(p, box int32) {
	b.makings = append(b.makings, Making{p, box, int(p) >= len(b.receives) || !b.receives[p]})
}

// Sent notes message m.
func (b *notebook) Sent(m trace.Message, v any) {
	for len(b.messages) <= int(m.Sender) {
		b.messages = append(b.messages, nil)
	}
	b.messages[m.Sender] = append(b.messages[m.Sender], v)
}
