package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// SetWide sets from how many alternatives on nodes do not keep them, and returns what it was.
func SetWide(n int) (before int) {
	before, wide = wide, n
	return before
}

// Prefer makes s go on, where nothing else decides, with the first alternative from number (shift + depth * step) on
// that it may take.
func (d *Optimal) Prefer(shift, step int) {
	d.prefer = func(s *trace.State, skip func(i int) bool) int {
		for i := range s.Alts {
			if k := (i + shift + step*s.Depth) % len(s.Alts); !skip(k) {
				return k
			}
		}
		return -1
	}
}

// SetEffort sets the bounds of Adaptive and returns what restores them.
func SetEffort(slack, perEvent, waiting int) (restore func()) {
	a, b, c := workSlack, workPerEvent, mostWaiting
	workSlack, workPerEvent, mostWaiting = slack, perEvent, waiting
	return func() { workSlack, workPerEvent, mostWaiting = a, b, c }
}

// Again reports whether a has begun again.
func (a *Adaptive) Again() bool { return a.again }

// Literal makes d freeze where Fig. 2 does if it is read to the letter.
func (d *Deliveries) Literal() *Deliveries {
	d.literal = true
	return d
}
