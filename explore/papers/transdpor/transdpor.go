// Package transdpor is dynamic partial-order reduction for actors, in both forms of S. Tasharofi,
// R. K. Karmani, S. Lauterburg, A. Legay, D. Marinov, G. Agha, "TransDPOR: A Novel Dynamic
// Partial-Order Reduction Technique for Testing Actor Programs", FMOODS/FORTE 2012, Fig. 2: without
// the lines that are underlined there, it is DPOR.
//
//	paper                  here
//	kappa, pre(S, i)       configuration: a state in which nothing but deliveries is possible
//	S_i, msg(S_i)          Search.stack[i].taken, and what it Takes
//	enabled(kappa)         configuration.alts, in the order in which they are to be examined (Order)
//	m in pending(kappa)    post
//	i -> m                 depend.Order.Before, from the delivery to the send of m
//	backtrack, done        configuration.backtrack, configuration.done
//	freeze(kappa)          configuration.freeze
//	sleep sets             configuration.sleep
//
// A transition delivers a message and runs its task, up to the next receive. Under -model actor and
// pairs the order of a mailbox is decided at the receive, so the steps of a task need no choice:
// they are done as soon as they are possible, and a configuration is a state in which only
// deliveries are possible.
//
// Deviations.
//   - Real tasks do more than send: they use channels that are no mailboxes, locks, logs. That is
//     allowed as long as no such step is in a race: no operation of another process could have come
//     before it and changed its effect. The search finds such races as dpor does, in the same
//     executions, and refuses the program: see Refused.
//   - In line 4, "dependent and may be co-enabled" means that the receive of S_i might have taken
//     m. An actor that waits for one mailbox and then for another one is in no race there. Being of
//     the same actor, as in Proposition 2, is too little: with the freeze flag executions are lost.
//   - Line 3 looks at a message once, when it is delivered, or at the end if it never is: for each
//     S_i with which it can be in a race, some execution has S_i as the last delivery before it.
//     The paper's Fig. 1 does the same: if r1 were looked at where it is sent, the first subtree
//     would add it at configuration 8, and there would not be 10 executions.
//   - Of line 5, DPOR may add any element of E; here it is the same one that TransDPOR adds, the
//     first one.
//   - Line 7 of DPOR adds everything enabled if E is empty. It is needed only if an actor does not
//     accept a pending message. TransDPOR has no such line, as printed.
//   - A message that sleeps at pre(S, i) is no addition there. As printed, with sleep sets, line 6
//     freezes for a message that will never be explored, and refuses the one that matters: see
//     TestTrapFreeze.
//   - A task that crashes or exits hides later events. So, as in dpor, all alternatives enabled
//     where it began are explored. The lines of the log must happen before the crash, else the
//     program is refused.
//
// Why the freeze flag loses nothing: all deliveries that are enabled in one configuration and race
// with S_i belong to one actor, so they race with each other, too. A delivery that is refused after
// m was added is added when m has been explored, if it still matters. This fails for operations
// that race with some of these deliveries and not with others.
//
// LIMITS: with the freeze flag little is known ahead, so estimates are low.
package transdpor

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy, in either form. See New and NewDPOR.
type Search struct {
	deliveries.Eager
	freezes   bool // TransDPOR: the underlined lines
	sleepSets bool
	Literal   bool // a message that sleeps freezes all the same, for the test of the trap
	whole     bool // backtrack sets have actors, not messages: see NewActors
	tasks     Tasks
	matrix    handlers.Matrix // the orders of two tasks that marks have left out
	// an actor is selected though all its tasks are marked, for the test of that trap
	Blind bool
	rank  search.Order
	count explore.Selection

	stack []*configuration // of the current execution
	at    int              // the configuration that comes next
	// configurations before this one have been looked at with all that came before them
	kept  int
	fresh bool // nothing has run yet
	more  bool // the last configuration has a delivery to take
	doubt bool // an execution ended in a crash or an exit
	// deliveries executed, without those repeated to reach a configuration
	steps int
	gauge search.Gauge

	ranks []int32 // scratch, as is the other
	mail  deliveries.Mail
}

// New returns Fig. 2 before its first execution. A nil order is fifo.
func New(sleepSets bool, order search.Order) *Search {
	d := NewDPOR(sleepSets, order)
	d.Name, d.freezes = "transdpor", true
	return d
}

// NewDPOR returns Fig. 2 without the underlined lines.
func NewDPOR(sleepSets bool, order search.Order) *Search {
	if order == nil {
		order = search.Fifo{}
	}
	return &Search{Eager: deliveries.New("dpor", "dpor"), sleepSets: sleepSets, rank: order,
		fresh: true}
}

// Begin implements explore.Strategy.
func (d *Search) Begin() bool {
	d.Fair.Reset()
	d.at = 0
	if d.fresh {
		d.fresh = false
		return true
	}
	return d.more
}

// Choose implements explore.Strategy.
func (d *Search) Choose(s *trace.State) int {
	d.Fair.See(s)
	if i, ok := d.Step(s); ok {
		return i
	}
	d.Crowded = false
	if d.at < len(d.stack) {
		d.at++
		return d.run(s, d.stack[d.at-1], d.stack[d.at-1].again(s))
	}
	n := d.newConfiguration(s)
	d.stack = append(d.stack, n)
	d.at++
	d.count.States++
	return d.run(s, n, d.explore(n))
}

// run makes choice i, the next one to be explored at n.
func (d *Search) run(s *trace.State, n *configuration, i int) int {
	if i >= 0 && d.at == len(d.stack) {
		d.choose(s, n)
	}
	return i
}

// explore takes the first delivery that does not sleep, -1 if there is none. // lines 10 and 11
func (d *Search) explore(n *configuration) int {
	for i := range n.alts {
		if n.sleeps(i) || n.marked[i] && !d.Blind {
			continue
		}
		n.add(n.alts[i].Takes, false)
		if d.whole {
			d.selectActor(n, i)
		}
		if i = n.next(); i >= 0 {
			return d.take(n, i)
		}
		break
	}
	n.taken = search.Unknown
	return -1
}

// take explores delivery i of n. // lines 14 and 14'
func (d *Search) take(n *configuration, i int) int {
	n.taken, n.done[i], n.freeze = i, true, false
	d.steps++
	return n.index[i]
}

// End implements explore.Strategy.
func (d *Search) End(x *trace.Execution) {
	if d.stopped(x) {
		d.more = false
		return
	}
	if x.End != trace.Cut {
		d.count.States++
	}
	d.gauge.End(x, len(d.stack))
	d.findRaces(x)
	if d.Refusal != nil {
		d.more = false
		return
	}
	d.backtrack()
}

// stopped reports whether x was cut off from outside.
func (d *Search) stopped(x *trace.Execution) bool {
	last := len(d.stack) - 1
	asleep := last >= 0 && d.stack[last].taken == search.Unknown
	return d.Refusal == nil && (d.at <= last || x.End == trace.Cut && !asleep)
}

// backtrack goes back to the last configuration with something left to explore, and takes it: line
// 13.
func (d *Search) backtrack() {
	d.more = false
	for c := len(d.stack) - 1; c >= 0; c-- {
		n := d.stack[c]
		if i := n.next(); i >= 0 && n.taken != search.Unknown {
			d.take(n, i)
			d.gauge.Next(c)
			d.more, d.kept = true, c+1
			return
		}
		d.stack = d.stack[:c]
		d.gauge.Drop()
	}
}

// planned counts the deliveries that are known and unexplored.
func (d *Search) planned() (sum int) {
	for _, n := range d.stack {
		sum += n.planned()
	}
	return sum
}

// Last implements explore.Strategy.
func (d *Search) Last() explore.Last {
	return explore.Last{Hash: d.Order.Hash(), Hashed: true, Distinct: d.sleepSets && !d.doubt}
}

// Summary implements explore.Strategy.
func (d *Search) Summary() explore.Summary {
	s := explore.Summary{
		Partial: d.Partial(), Planned: d.planned(), Refusal: d.Refusal,
		Deliveries: d.steps, Selection: d.count, Pruned: &d.matrix,
	}
	s.Total, s.Spread = d.gauge.Estimate(func(c int) int { return d.stack[c].planned() })
	return s
}
