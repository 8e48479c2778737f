package optimal

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New. Its methods beyond those of a strategy are the steps of one walk
// along the stations.
type Search struct {
	// The path.
	stack []*station
	pool  search.Pool[station] // not in use
	order depend.Order         // of the last execution
	names search.Names
	fair  explore.Fair
	gauge search.Gauge
	first search.First // where nothing is foreseen

	// Where the path goes on.
	fresh  bool               // nothing has run yet
	more   bool               // the last station of stack has a branch to take
	kept   int                // depth from which events are not those of the execution before
	guide  wakeup.Tree[*turn] // branches of the station that comes next
	barren bool               // nothing could be taken at the last station

	// Facts about the executions so far, and about orders that were left out.
	lost    bool // an alternative that was foreseen was not there
	partial bool // some execution was longer than depend.MaxEvents
	coarse  bool // not all cuts of a race were tried
	spun    bool // something was held back because its process polls
	vague   bool // some station is, or was, vague
	ended   bool // some execution was ended by a crash or an exit

	races races
	observers
	effort
	search.Patience
	Context revisit.Contexts
	sleepers
}

// station is a state on the path of the current execution.
type station struct {
	alts  []trace.Alt // enabled; nil if they are many, but for the last station
	index int         // of the alternative taken, unknown before that is found
	taken trace.Alt
	kind  trace.Kind // what taken.Proc had declared
	count int        // of enabled alternatives
	procs int        // that have been started
	known int32      // objects with numbers up to this one exist
	held  bool       // some alternatives are held back
	fires bool       // one of them is Late: timers may fire
	// some branch of tree may be covered by others; later executions may tell
	vague bool
	next  *wake              // to be taken, when index is unknown
	tree  wakeup.Tree[*turn] // to be explored after the branch that is being explored // wut(E)
	sleep []*sleeper
	done  []*sleeper
	doze  []dozer
	bound int32 // see agenda.bounds
}

func (n *station) know(op *trace.Op) {
	n.known = max(n.known, op.Obj)
	for _, c := range op.Cases {
		n.known = max(n.known, c.Obj)
	}
}

func (n *station) take(i int, s *trace.State) {
	n.index, n.taken, n.count = i, s.Alts[i], len(s.Alts)
	n.kind = s.Procs[n.taken.Proc].Kind
}

// wake is a node of a wakeup tree.
type wake = wakeup.Node[*turn]

// turn is the event of a node. The nodes of one execution share those of that execution.
type turn struct {
	search.Label
	event trace.Event // with the numbers of the execution that it was found in
	loose bool        // it may turn out not to be possible
	final bool        // it ends the execution
	// a sleeper that ends executions sleeps on below it, whether it ends a branch or not
	open bool

	// If it is on an object that the station does not know: see dictionary.
	words *dictionary // of that execution; else nil
	key   uint64      // of what its process had declared
}

// insertion is a sequence on its way into the wakeup tree of a station. // insert, Def. 5.4
type insertion struct {
	d      *Search
	x      *trace.Execution
	from   int32       // the depth of the station
	in     []uint64    // the events of the execution that are left
	all    []uint64    // those that it began with
	last   trace.Event // comes after them
	key    uint64      // of what the process of last had declared
	gone   bool        // last is not left
	loose  bool
	final  bool    // last ends the execution
	aliens []int32 // processes that have moved without the sequence
}

// took reports whether the tree above has event k of the sequence.
func (v *insertion) took(k int32) bool { return search.HasBit(v.all, k) && !search.HasBit(v.in, k) }

// sleeper is an explored alternative.
type sleeper struct {
	search.Sleeper
	lazy bool // it takes an observer to tell its order
}

// sleepers makes sleepers, and finds out which ones an event wakes.
type sleepers struct {
	rested search.Pool[sleeper] // not in use
	// an alternative was explored again after events that it commutes with
	doubt bool
}

func contains(list []*sleeper, a trace.Alt) bool {
	for _, z := range list {
		if z.Event.Alt == a {
			return true
		}
	}
	return false
}

// dozer is an alternative that has been explored at a station above; nobody has seen yet that it
// did not come first.
type dozer struct {
	*sleeper
	from int32 // the depth of that station
	done bool  // since then
}

// observers is the state of the search for observers.
type observers struct {
	Observed bool           // wanted
	joining  depend.Joining // which sends of equal values commute, too: see joint.go
	begun    bool           // an execution has been looked at since the search began
	least    int32          // see depend.Lazy
	joints   map[int32]int  // in the executions, by group
	hidden   int            // events that nobody saw
	// by the hash of a trace: the last of the searches that have begun in which an execution of it
	// was run
	ran      map[uint64]int
	searches int // that have begun again
	// the last execution was run in an earlier search, too, or showed only a crash that had been
	// run
	repeats   bool
	crashed   search.Crashes // that have been run
	unseen    depend.Order   // of the last execution, without the order that nobody sees
	aside     depend.Order   // of a sequence that is to be inserted, and the search in it
	asideRace races
}

// effort counts the work of the search, and the memory that it holds.
type effort struct {
	Hasty bool // it is to give up when it takes too long
	Times int  // the bounds of Hasty are so many times as high; 0: once
	// steps of the search for the races of the last execution: cuts, and branches that were looked
	// at
	work    int
	Over    bool // it took too long
	Bounded bool // it is to give up when it holds too much
	added   int  // bytes that have gone into the trees since they were weighed
	Full    bool // it held too much
}

// dictionary has the operations that processes have declared in one execution. Its key is the past
// of the operation: the earlier events of the process, and of all from which it had learnt. If two
// executions agree on the past, they agree on the operation and on its objects, whatever their
// numbers.
type dictionary struct {
	keys  []uint64
	ops   []trace.Op       // in the order of keys
	index map[uint64]int32 // of keys; nil: not needed yet
}

// sight is what the search for the races of one execution knows of observers.
type sight struct {
	reading
	// by event: the events that need it, and no event in between; nil if not known yet, or if
	// observers are not wanted
	direct [][]int32
}

// agenda has the steps of one execution, by the objects that they name, and for each event the next
// one that relays its races.
type agenda struct {
	sight
	steps  []search.Act // of one process after the other
	first  []int32      // where those of each process begin
	naming [][]int32    // by object: the steps that name it, in their order
	fresh  [][]int32    // those of them that are new
	// by object: some of them are neither sends into a buffer nor receives from it, outside of a
	// select
	mixed []bool
	bound []int32 // by event, see bounds
	relay []int32 // by event: see relayed; n if there is none
	list  []int32 // scratch
	next  []int32 // scratch: by object and side

	scratch []uint64 // scratch: a set of events
}

// cuts has those events of an execution that can do without its event i.
type cuts struct {
	agenda
	spent *effort  // what cuts cost
	rest  []uint64 // those after i that do not happen after it // notdep(e, E)
	have  bool     // rest is computed
	cut   depend.Cut
	// the last event of the execution, while alternatives that may come in its place are looked for
	crash  *trace.Event
	after  []uint64      // the events after each one, see depend.Order.After; empty: not made yet
	row    [1]uint64     // scratch: a row of it, if that is one word
	counts search.Counts // of the groups of x
}

// lexicon has the events of one execution as trees name them, and the operations that its processes
// have declared.
type lexicon struct {
	cuts
	d     *Search
	turns []*turn     // by event; nil: not made yet
	dict  *dictionary // nil: not made yet
}

// races is the search for the races of one execution. It stands on the tables above, each of which
// uses only those before it: reading (reading.go) has the steps of the execution, sight the events
// that each event needs, agenda the steps that may overtake an event, cuts the events that are left
// without that event, and lexicon the names of events in trees. With observers there is more to do:
// see observing.
//
// The other methods stay with one receiver. Each kind of event is reversed in a way of its own, and
// all ways end in insert, which needs the stations, the trees and the cut at once.
type races struct {
	lexicon
	open []int32 // scratch
	left []uint64
	// the one that is being put into a tree
	sequence insertion
	prev     int32 // the event before the one that is foreseen, of its process
	at       int32 // the event that the step which is foreseen has come to, n if none
	// by event: it is in a race with an event after the visit at which the execution was cut off
	beyond []bool
}
