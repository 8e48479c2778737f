package idioms

// Loops over functions whose code is not seen.

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
)

type words struct {
	mu sync.Mutex
	n  int
}

func (w *words) insert(subject string) error {
	w.mu.Lock()
	for t := range strings.SplitSeq(subject, ".") {
		if len(t) == 0 {
			w.mu.Unlock()
			return errors.ErrUnsupported
		}
		w.n++
	}
	w.mu.Unlock()
	return nil
}

func (w *words) overMap(m *sync.Map) bool {
	w.mu.Lock()
	for k := range m.Range {
		if k == nil {
			w.mu.Unlock()
			return false
		}
	}
	w.mu.Unlock()
	return true
}

func (w *words) walk(t interface{ All(yield func(int) bool) }) int {
	w.mu.Lock()
	for x := range t.All {
		if x == 3 {
			w.mu.Unlock()
			return x
		}
	}
	w.mu.Unlock()
	return 0
}

func eachWord(subject string, f func(string)) {
	ch := make(chan string)
	go func() {
		for x := range ch {
			f(x)
		}
	}()
	for t := range strings.SplitSeq(subject, ".") {
		ch <- t
		if t == "end" {
			break
		}
	}
	close(ch)
}

// A string has one part, at least.
func firstWord(subject string, f func(string) int) int {
	out := make(chan int, len(subject)+1)
	for t := range strings.SplitSeq(subject, ".") {
		go func() { out <- f(t) }()
	}
	return <-out
}

// Two loops that go round equally often, of which one is not seen.
func asManyValues(m map[string]int) (sum int) {
	c := make(chan int)
	for x := range maps.Values(m) {
		go func() { c <- x }()
	}
	for range len(m) {
		sum += <-c
	}
	return sum
}

func asManyKeys(m map[string]int) (sum int) {
	c := make(chan int)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		go func() { c <- m[k] }()
	}
	for range m {
		sum += <-c
	}
	return sum
}

// The length of a channel is what was sent.
func firstTwo(s string) (string, string) {
	c := make(chan string, 2)
	for x := range strings.SplitSeq(s, "=") {
		c <- x
		if len(c) == 2 {
			break
		}
	}
	if len(c) < 2 {
		return "", ""
	}
	return <-c, <-c
}

// A function may have no end: then only the body of the loop ends it.
func untilSix(numbers func(yield func(int) bool)) (sum int) {
	c := make(chan int)
	go func() {
		for n := range numbers {
			if n == 6 {
				close(c)
				return
			}
			c <- n
		}
	}()
	for n := range c {
		sum += n
	}
	return sum
}
