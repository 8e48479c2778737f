package optimal

import "github.com/rehearse-go/rehearse/explore/wakeup"

// The sizes of a node, its event, and an entry of a dictionary, in bytes: see Adaptive.
const (
	nodeSize = 56
	turnSize = 192
	wordSize = 72
)

// Bounds, see Adaptive. The programs of BenchmarkStrategies take up to 2 steps of optimal's work
// for each event.
var (
	MostEvents   = 1000
	WorkSlack    = 2000
	WorkPerEvent = 16
	MostHeld     = 8 << 20
)

// step counts one step of the search for the races of an execution with so many events.
func (e *effort) step(events int32) {
	e.work++
	e.Over = e.Over || e.Hasty && e.work > max(e.Times, 1)*(WorkSlack+WorkPerEvent*int(events))
}

// measure gives up an execution that is too long to look for its races.
func (e *effort) measure(events int) {
	e.Over = e.Over || e.Hasty && events*events > max(e.Times, 1)*MostEvents*MostEvents
}

// weigh weighs the trees when they may have become too large.
func (d *Search) weigh() {
	if d.Bounded && d.added > MostHeld {
		d.added, d.Full = 0, d.Held() > MostHeld
	}
}

// Held returns the size of the trees, in bytes.
func (d *Search) Held() int {
	seen := scales{map[*turn]bool{}, map[*dictionary]bool{}}
	sum := seen.weight(d.guide)
	for _, n := range d.stack {
		sum += seen.weight(n.tree)
		if n.next != nil {
			sum += seen.weight(n.next.Below)
		}
	}
	return sum
}

// scales has the structures that have been weighed.
type scales struct {
	turns map[*turn]bool
	words map[*dictionary]bool
}

func (s *scales) weight(tree wakeup.Tree[*turn]) (sum int) {
	for _, w := range tree {
		sum += nodeSize
		if !s.turns[w.Event] {
			s.turns[w.Event] = true
			sum += turnSize
		}
		if w.Event.words != nil && !s.words[w.Event.words] {
			s.words[w.Event.words] = true
			sum += len(w.Event.words.keys) * wordSize
		}
		sum += s.weight(w.Below)
	}
	return sum
}
