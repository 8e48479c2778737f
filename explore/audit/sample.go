// Package audit checks the static facts against the running program. Of two tasks of an actor that
// the facts call commuting, it runs both orders from a state on the way, and compares the results.
// Of each task that is run on the way, it demands that its sends and accesses lie inside the sets
// of its handler (sets.go). Two sends whose values are added up are compared like two tasks
// (sums.go).
//
// Vocabulary: a pair is two messages that one actor could take in some state, and whose tasks
// commute by the facts. A side of an audit is an execution that reaches that state, takes one
// message and runs its whole task, does the same with the other message, and goes on. The second
// side goes on as the first one did. The names of processes and messages depend on the order in
// which they were made; renaming translates them.
//
// Guarantees: which pairs are audited is a function of the executions and the seed; a state is
// looked at once. The two sides differ in the order of the two tasks and in nothing else.
//
// LIMITS: a difference is proof that a fact is wrong (or that something outside of the schedule
// decides). No difference proves nothing: only one of many continuations is run. Tasks that wait
// for others before they end are not compared, nor are tasks after which the actor does not return
// to its receive. The searches do not put these off either. States are not compared if both tasks
// send to a channel that keeps the order. At most maxStates states are looked at. Only accesses
// that rewritten code announces are compared with the sets: to fields, package-level variables,
// elements, variables behind pointers, and local variables that several processes may touch.
// Accesses to whole structs, by the standard library, or of tasks that may do anything by the
// facts, are not. Accesses and sends are told apart by lines; those of the first 500 executions are
// compared, and of one in 20 later on. A variable that nobody has accessed before the task began
// may be one that the task has made. Other operations (locks, closes), and sends by a select, are
// not compared.
package audit

import (
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxStates bounds the states whose pairs are considered.
const maxStates = 1 << 18

// Of the first executions, and of some of the later ones, the accesses and sends are compared with
// the sets.
const (
	allRuns  = 500
	oneRunIn = 20
)

// Pair is two deliveries of one process in a state that the facts say to commute.
type Pair struct {
	Prefix        []trace.Alt // leads to the state
	First, Second trace.Alt   // takes the one message, takes the other
	Why           handlers.Why
}

// Sampler is an executor that keeps some of the pairs of its executions, equally many for each two
// handlers and fact.
type Sampler struct {
	explore.Executor
	tasks *handlers.Classifier
	most  int // pairs to be audited
	rand  *rand.Rand
	pools []*pool // in the order in which their first pairs came
	seen  map[uint64]bool
	sets  *Checker
	runs  int // executions so far
}

// pool is a uniform sample of the pairs with one reason.
type pool struct {
	why  handlers.Why
	kept []Pair
	met  int // pairs that were there
}

// NewSampler returns an executor that does what e does, and keeps pairs so that most of them can be
// audited.
func NewSampler(e explore.Executor, tasks *handlers.Classifier, most int, seed uint64) *Sampler {
	return &Sampler{Executor: e, tasks: tasks, most: most, rand: rand.New(rand.NewPCG(seed, 0)),
		seen: map[uint64]bool{}, sets: newChecker(tasks)}
}

// Execute implements explore.Executor. If sets are compared, sites are recorded, which takes many
// times as long.
func (s *Sampler) Execute(c trace.Chooser, sites bool) *trace.Execution {
	l := &looking{chooser: c, sampler: s, taken: map[int][]handlers.Ref{}}
	s.runs++
	compared := s.runs <= allRuns || s.runs%oneRunIn == 0
	x := s.Executor.Execute(l, sites || compared)
	if compared {
		s.sets.Check(x, l.taken)
	}
	return x
}

// Sets returns the checker that compares the executions with the facts' sets.
func (s *Sampler) Sets() *Checker { return s.sets }

// looking shows the states of an execution to a sampler.
type looking struct {
	chooser trace.Chooser
	sampler *Sampler
	hash    uint64 // of the choices so far
	// handlers of the messages that were taken, by the number of the event
	taken map[int][]handlers.Ref
}

// Choose implements trace.Chooser.
func (l *looking) Choose(s *trace.State) int {
	if s.Depth > 0 {
		l.hash = mix(l.hash, s.Events[s.Depth-1].Alt)
	}
	if seen := l.sampler.seen; !seen[l.hash] && len(seen) < maxStates {
		seen[l.hash] = true
		l.sampler.look(s)
	}
	i := l.chooser.Choose(s)
	if i >= 0 {
		if d, ok := l.sampler.delivery(s, s.Alts[i]); ok {
			l.taken[s.Depth] = d.Handlers
		}
	}
	return i
}

// mix adds a choice to a hash.
func mix(h uint64, a trace.Alt) uint64 {
	for _, v := range [...]int32{a.Proc, a.Case, a.Partner, a.PartnerCase, a.Takes.Sender,
		a.Takes.Number} {
		h = (h ^ uint64(uint32(v))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// look considers the pairs of state s.
func (s *Sampler) look(st *trace.State) {
	for i := range st.Alts {
		a := st.Alts[i]
		first, ok := s.delivery(st, a)
		if !ok {
			continue
		}
		for _, b := range st.Alts[i+1:] {
			if b.Proc != a.Proc {
				continue
			}
			if second, ok := s.delivery(st, b); ok {
				s.consider(st, a, b, &first, &second)
			}
		}
	}
}

func (s *Sampler) delivery(st *trace.State, a trace.Alt) (d handlers.Delivery, ok bool) {
	if a.Takes.Number == 0 {
		return d, false
	}
	return s.tasks.DeliveryBy(st.Procs[a.Proc], a)
}

// consider keeps a pair or not. A search puts off plain tasks only.
func (s *Sampler) consider(st *trace.State, a, b trace.Alt, first, second *handlers.Delivery) {
	if !s.tasks.Plain(first) && !s.tasks.Plain(second) {
		return
	}
	why, ok := s.tasks.Commute(first, second)
	if !ok {
		return
	}
	p := s.pool(why)
	p.met++
	at := len(p.kept)
	if at >= s.most {
		if at = s.rand.IntN(p.met); at >= s.most {
			return
		}
	} else {
		p.kept = append(p.kept, Pair{})
	}
	p.kept[at] = Pair{prefix(st), a, b, why}
}

func prefix(st *trace.State) []trace.Alt {
	alts := make([]trace.Alt, st.Depth)
	for i := range alts {
		alts[i] = st.Events[i].Alt
	}
	return alts
}

func (s *Sampler) pool(why handlers.Why) *pool {
	for _, p := range s.pools {
		if p.why == why {
			return p
		}
	}
	p := &pool{why: why}
	s.pools = append(s.pools, p)
	return p
}

// Pairs returns the pairs to audit: by turns one of each reason, until there are enough.
func (s *Sampler) Pairs() (list []Pair) {
	for _, p := range s.pools {
		s.rand.Shuffle(len(p.kept), func(i, k int) { p.kept[i], p.kept[k] = p.kept[k], p.kept[i] })
	}
	for turn := 0; len(list) < s.most; turn++ {
		before := len(list)
		for _, p := range s.pools {
			if turn < len(p.kept) && len(list) < s.most {
				list = append(list, p.kept[turn])
			}
		}
		if len(list) == before {
			break
		}
	}
	return list
}

// Met returns the number of pairs that the facts called commuting.
func (s *Sampler) Met() (n int) {
	for _, p := range s.pools {
		n += p.met
	}
	return n
}
