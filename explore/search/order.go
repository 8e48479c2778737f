package search

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Orders of exploration: S. Lauterburg, R. K. Karmani, D. Marinov, G. Agha, "Evaluating Ordering
// Heuristics for Dynamic Partial-Order Reduction Techniques", FASE 2010. They change how many
// executions a strategy needs, not what it finds.

// Order says what comes first where a strategy is free to choose.
type Order interface {
	// Rank appends a number for each alternative of s. The least comes first, of equal ones the one
	// that is listed first. It is a function of s alone.
	Rank(s *trace.State, dst []int32) []int32
}

// orders by the values of -order. Each call makes a new one, for an Order may keep what it knows of
// an execution.
var orders = map[string]func() Order{
	"fifo": func() Order { return Fifo{} },
	"eca":  func() Order { return ByCreation(+1) },
	"lca":  func() Order { return ByCreation(-1) },
}

// NewOrder returns the order with a name of the command line's -order; nil for the empty name, each
// strategy's own.
func NewOrder(name string) (Order, error) {
	if name == "" {
		return nil, nil
	}
	if make := orders[name]; make != nil {
		return make(), nil
	}
	return nil, fmt.Errorf("there is no order %q", name)
}

// Fifo takes messages in the order in which they were sent. Any other operation counts from when
// its process declared it.
type Fifo struct{}

// Rank implements Order.
func (Fifo) Rank(s *trace.State, dst []int32) []int32 {
	for _, a := range s.Alts {
		dst = append(dst, since(s, a))
	}
	return dst
}

// since returns the event after which a was possible, as far as its own process and its message go:
// -1 is the start.
func since(s *trace.State, a trace.Alt) int32 {
	for k := s.Depth - 1; k >= 0; k-- {
		e := &s.Events[k]
		if a.Takes.Number > 0 {
			if e.Kind == trace.Send && e.Message() == a.Takes {
				return int32(k)
			}
		} else if e.Involves(a.Proc) {
			return int32(k)
		}
	}
	return -1
}

// ByCreation takes the messages of the process first that was created first (1, the earliest
// created actor), or last (-1). Messages of one process are listed in the order in which they were
// sent.
type ByCreation int32

// Rank implements Order.
func (sign ByCreation) Rank(s *trace.State, dst []int32) []int32 {
	for _, a := range s.Alts {
		dst = append(dst, int32(sign)*Receiver(a))
	}
	return dst
}

// Receiver is the process that gets a message in a, or just the one that moves.
func Receiver(a trace.Alt) int32 {
	if a.Partner >= 0 {
		return a.Partner
	}
	return a.Proc
}

// First chooses where a strategy is free to: as explore.OnwardBut does, if there is no order.
type First struct {
	Order Order   // nil: none
	Lead  int     // the alternative that somebody else has chosen, plus 1; 0: nobody has
	ranks []int32 // scratch
}

// breather is the number of steps after which an order does not count for once, so that nobody
// waits for ever.
const breather = 256

// Of returns the first alternative of s that skip does not reject, -1 if there is none. Late
// alternatives come last.
func (f *First) Of(s *trace.State, skip func(i int) bool) int {
	if f.Lead > 0 && !skip(f.Lead-1) {
		return f.Lead - 1
	}
	if f.Order == nil || s.Depth%breather == breather-1 {
		return explore.OnwardBut(s, skip)
	}
	f.ranks = f.Order.Rank(s, f.ranks[:0])
	best := -1
	for i, r := range f.ranks { // those that are Late are listed last
		if skip(i) || best >= 0 && (r >= f.ranks[best] || s.Procs[s.Alts[i].Proc].Kind.Late()) {
			continue
		}
		best = i
	}
	return best
}
