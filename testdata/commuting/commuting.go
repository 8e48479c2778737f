// Package commuting has actors whose tasks commute, or seem to. It is for -model actor with -independence disjoint,commute.
//
// # Counts
//
//   - Registry is the example of E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning
//     Redundant State-Exploration in Testing" (FORTE 2014), Fig. 3, without the log of testdata/registry: p touches f, and
//     m and t touch g. Of the 3! orders of p, m and t the facts leave those of m and t: their Fig. 7 with m<t<p and t<m<p.
//   - Pi is testdata/pi with an actor for the master, which adds up what w workers send. There are w! orders. The sum of
//     whole numbers does not tell them apart: one execution. A sum of floating-point numbers is rounded, and so all w! are
//     explored.
//   - Last has an actor that keeps the last of w values under one key. Two writes commute if their keys differ or their values
//     are equal, which is never so: all w! orders are explored, with w outcomes.
package commuting

// The messages of the registry and of the workers.
type (
	p struct{}
	m struct{}
	t struct{}
	q struct{}
	h struct{}
)

// Reg is the state of the registry.
type Reg struct{ F, G int }

func registry(inbox chan any, n int, end chan<- Reg) {
	r := Reg{F: 1, G: 1}
	for range n {
		switch (<-inbox).(type) {
		case p:
			r.F++
		case m:
			r.G *= 2
		case t:
			r.G++
		}
	}
	end <- r
}

func worker1(inbox chan q, rg chan<- any) {
	<-inbox
	rg <- m{}
}

func worker2(inbox chan h, rg chan<- any) {
	<-inbox
	rg <- t{}
}

// Registry returns the registry's state at the end.
func Registry() Reg {
	rg, end := make(chan any), make(chan Reg, 1)
	wk1 := make(chan q) //rehearse:mailbox
	wk2 := make(chan h) //rehearse:mailbox
	go registry(rg, 3, end)
	go worker1(wk1, rg)
	go worker2(wk2, rg)
	rg <- p{}
	wk1 <- q{}
	wk2 <- h{}
	return <-end
}

// Pi returns an approximation of pi in millionths, from w whole numbers.
func Pi(w int) int {
	results, end := make(chan int), make(chan int, 1)
	go func() {
		sum := 0
		for range w {
			sum += <-results
		}
		end <- sum
	}()
	for i := range w {
		go func() { results <- int(area(i, w) * 1e6) }()
	}
	return <-end
}

// PiFloat returns an approximation of pi, from w floating-point numbers.
func PiFloat(w int) float64 {
	results, end := make(chan float64), make(chan float64, 1)
	go func() {
		sum := 0.0
		for range w {
			sum += <-results
		}
		end <- sum
	}()
	for i := range w {
		go func() { results <- area(i, w) }()
	}
	return <-end
}

// Last returns what the last one of w senders has put under a key.
func Last(w int) int {
	type entry struct {
		key   string
		value int
	}
	entries, end := make(chan entry), make(chan int, 1)
	go func() {
		values := map[string]int{}
		for range w {
			e := <-entries
			values[e.key] = e.value
		}
		end <- values["k"]
	}()
	for i := range w {
		go func() { entries <- entry{"k", i} }()
	}
	return <-end
}

// area integrates 4/(1+x^2) over the i-th of w intervals of [0, 1].
func area(i, w int) float64 {
	const steps = 4
	step, sum := 1/float64(steps*w), 0.0
	for k := range steps {
		x := (float64(i*steps+k) + 0.5) * step
		sum += 4 / (1 + x*x) * step
	}
	return sum
}
