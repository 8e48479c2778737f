// Package pace decides when time passes although processes can move, and which ends of executions
// hold: an executor around another one runs some orders once more to find out.
//
// Time stands still while processes run. A process that goes on until a timer fires would keep the
// clock where it is for ever. So the clock offers forced moves (trace.State.Forced) after some
// hundred steps at one instant. These steps do not tell whether the moves are due: a loop that
// sends 3000 messages looks like one that sends for ever. So the executor asks: it runs the same
// order on, without a forced move, to the bound on steps. If the order ends, or reaches other
// loops, nothing spins: the move is left out, and the question comes again after twice as many
// steps. If the same loops are under way at the bound, they spin: time passes, then and whenever
// the same loops are under way. After provenOften such answers for one kind of spin, and no other
// answer, the kind is believed.
//
// Vocabulary:
//
//	loop            what a process does loopRounds times and more among the last steps: kinds of operations, and their objects
//	spin            the loops of all processes at a state; its kind is their kinds of operations, without processes and objects
//	question        an execution to the bound on steps
//
// A forced move waits until each process that can move has come round a loop: a process with only a
// few steps to do does them first. A strategy that keeps such a process waiting learns from
// State.Forced that nothing else will come, and lets it go on. Processes that a loop starts are a
// part of the loop.
//
// Guarantees: the answers depend on earlier executions, and stay as they are: two executions with
// one prefix have the same alternatives after it. An execution that shows a problem after forced
// moves is Proven only if the question was asked for its own order, at its first and its last
// forced moves. After provenOften such executions, a kind of spin is believed.
//
// A question ends after fewPolls steps if by then all processes only poll, or read the clock in
// their loops: they wait for time to pass. A process may also poll a great number of times and then
// give up. Time passes then although it need not. Go can show such an execution, too, but it is not
// Proven.
//
// LIMITS: after maxQuestions questions no more are asked; then time passes after unasked steps at
// one instant, and is not proven.
package pace

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Executor is the executor that decides about forced moves. See New.
type Executor struct {
	ex     explore.Executor
	enough func() bool // asked now and then; true ends a question; nil: never

	// Follow makes forced moves alternatives like others: for choosers that know which ones were
	// made.
	Follow bool

	// Statistics makes the executions that follow get real statistics, or fixed ones; nil: no
	// failure is doubted.
	Statistics func(really bool)
	doubted    map[string]bool // by log: whether a failure is

	answers map[question]bool // whether a spin has no end
	spins   map[uint64]bool   // the spins that have none for some question
	slow    map[uint64]bool   // the spins that get on, and have no end within the bound on steps
	asked   int
	proofs  map[uint64]afterwards // what comes after whole prefixes, by their hash
	runs    []run                 // the last executions that came to the bound
	trust   map[uint64]int        // by kind of spin: how many have no end; negative: one has
	// by kind of spin: the number of executions that were proven; negative: one was not
	sure map[uint64]int
	// by kind of spin: whether executions that the bound on steps ended in it escape
	escaped map[uint64]bool
	buffer  []int32
}

// Bounds on the work of an Executor.
const (
	loopRounds   = 4
	window       = 4096  // the steps among which loops are looked for, at most
	often        = 17    // steps between two looks; loops have seldom so many
	unasked      = 50000 // see LIMITS
	fewPolls     = 20000
	maxQuestions = 256
	provenOften  = 3
	maxProofs    = 64
	maxProofsOf  = 8 // forced moves of one execution about which it asks
	maxRuns      = 4
	longestRun   = 1 << 15
)

// question is about a spin that has been under way for 1<<level steps, or up to twice as many.
type question struct {
	spin  uint64
	level int
}

// New returns an executor like ex that decides about forced moves.
func New(ex explore.Executor, enough func() bool) *Executor {
	return &Executor{ex: ex, enough: enough, answers: map[question]bool{}, spins: map[uint64]bool{},
		slow:   map[uint64]bool{},
		proofs: map[uint64]afterwards{}, trust: map[uint64]int{}, sure: map[uint64]int{},
		escaped: map[uint64]bool{}, doubted: map[string]bool{}}
}

// Execute implements explore.Executor.
func (p *Executor) Execute(c trace.Chooser, sites bool) *trace.Execution {
	r := &pacer{p: p, c: c, done: p.buffer[:0]}
	defer func() { p.buffer = r.done }()
	for judged := false; ; {
		x := p.ex.Execute(r, sites)
		switch {
		case r.asks:
			r.asks = false
			p.ask(x, r)
		case !r.wandered && starves(x) && p.wander(x):
			r.wandered = true
		case len(x.Forced) > 0 && !judged && len(explore.Problems(x)) > 0:
			r.proven, judged = p.proves(x), true
		case p.doubt(x):
		default:
			x.Proven, x.Escapes, x.Doubted = r.proven, p.escapes(x), p.doubted[logOf(x)]
			return x
		}
		r.again()
	}
}

// ask finds the answer to the question that has come up at the end of x. If there is no answer, the
// spin is taken to end.
func (p *Executor) ask(x *trace.Execution, r *pacer) {
	p.asked++
	prefix := explore.Made(x)
	a, ok := p.goOn(prefix, r.spin, max(2*len(prefix), len(prefix)+fewPolls))
	if !ok {
		a, ok = p.goOn(prefix, r.spin, 0)
	}
	endless := a.endless && (a.same || r.late)
	p.answers[r.question] = endless
	p.spins[r.question.spin] = p.spins[r.question.spin] || endless
	if a.slow {
		p.slow[r.question.spin] = true
	}
	if ok {
		p.learn(r.spin.kind(), endless)
	}
}

// learn takes down that a spin of kind k has no end, or has one.
func (p *Executor) learn(k uint64, endless bool) {
	if endless && p.trust[k] >= 0 {
		p.trust[k]++
	} else if !endless {
		p.trust[k] = -1
	}
}

// afterwards is what comes after a prefix, without forced moves.
type afterwards struct {
	// the order reaches the bound on steps, at the same instant, and has gone on for half of them
	// or more
	endless bool
	same    bool // and the spin in which the prefix ends is still under way there
	slow    bool // the order comes to the bound on steps, but gets on
}

// goOn goes on from a prefix that ends in s, to the bound on steps; or to limit, unless that is 0,
// if all processes wait for time to pass. ok is false if they do not, or if enough has ended it
// before.
func (p *Executor) goOn(prefix []trace.Alt, s spin, limit int) (a afterwards, ok bool) {
	h := hashAlts(prefix)
	if known, ok := p.proofs[h]; ok {
		return known, true
	}
	c := &still{Script: explore.Script{Alts: prefix}, limit: limit}
	x := explore.Bound(p.ex, p.enough).Execute(c, false)
	if c.reached {
		x.End, x.Enabled = trace.Steps, c.enabled
		a = c.afterwards(x, s)
		return a, a.endless && waitsForTime(x.Events[len(x.Events)/2:])
	}
	if x.End == trace.Cut || x.Stuck {
		return a, false
	}
	a = c.afterwards(x, s)
	p.proofs[h] = a
	p.remember(x, c, a)
	return a, true
}

// afterwards is the continuation of a prefix that ends in s, as x, which c has chosen, shows it.
func (c *still) afterwards(x *trace.Execution, s spin) (a afterwards) {
	n := len(c.Alts)
	goesOn := x.End == trace.Steps && 2*n <= len(x.Events)
	a.slow = goesOn && x.Limits.HasCut(trace.GetsOn)
	a.endless = goesOn && !a.slow && explore.IsFair(x) && c.at >= len(x.Events)-1 && c.since <= n
	a.same = a.endless && s.within(x.Events[len(x.Events)/2:])
	return a
}

// run is an execution that went on, without forced moves, to the bound on steps.
type run struct {
	alts   []trace.Alt // how it begins
	since  int         // the clock has stood still since then
	events int
}

func (p *Executor) remember(x *trace.Execution, c *still, a afterwards) {
	if !a.endless {
		return
	}
	if len(p.runs) == maxRuns {
		p.runs = p.runs[1:]
	}
	alts := explore.Made(&trace.Execution{Events: x.Events[:min(len(x.Events), longestRun)]})
	p.runs = append(p.runs, run{alts, c.since, len(x.Events)})
}

// ran reports whether a known execution went on from a prefix as goOn would: goOn runs on in the
// same way, wherever its choices end.
func (p *Executor) ran(prefix []trace.Alt) bool {
	n := len(prefix)
	return slices.ContainsFunc(p.runs, func(r run) bool {
		return n <= len(r.alts) && r.since <= n && 2*n <= r.events &&
			slices.Equal(r.alts[:n], prefix)
	})
}

// still is an explore.Script that takes down since when the clock has stood still.
type still struct {
	explore.Script
	at      int // the last state that offered a forced move, or is amidst steps behind one
	since   int // and what it said
	limit   int // steps after which it ends the execution; 0: never
	reached bool
	enabled []int32 // the processes that could move in the second half; see trace.Execution
}

// Choose implements trace.Chooser.
func (c *still) Choose(s *trace.State) int {
	switch {
	case s.Forced > 0:
		c.at, c.since = s.Depth, s.Since
	case c.at == s.Depth-1 && amidst(s):
		c.at = s.Depth
	}
	switch {
	case c.limit == 0:
	case s.Depth >= c.limit:
		c.reached = true
		return -1
	case 2*s.Depth >= c.limit && 8*s.Depth < 7*c.limit:
		c.note(s)
	}
	return c.Script.Choose(s)
}

// amidst reports whether s offers no forced move because it is in the middle of steps that are one:
// of a section, or of the border's code.
func amidst(s *trace.State) bool {
	return s.Inner || s.Depth > 0 && s.Events[s.Depth-1].Op.Sectioned() != 0
}

func (c *still) note(s *trace.State) {
	for i := range s.Alts[:len(s.Alts)-s.Forced] {
		for _, q := range [...]int32{s.Alts[i].Proc, s.Alts[i].Partner} {
			if q >= 0 && !slices.Contains(c.enabled, q) {
				c.enabled = append(c.enabled, q)
			}
		}
	}
}

// proves reports whether time had to pass at the forced moves of x: at the first ones and the last
// ones.
func (p *Executor) proves(x *trace.Execution) bool {
	all, since := explore.Made(x), 0
	var prefixes [][]trace.Alt
	var kinds []uint64
	for i := range x.Events {
		if x.Events[i].Kind != trace.Fire {
			continue
		}
		if slices.Contains(x.Forced, int32(i)) {
			prefixes, kinds = append(prefixes, all[:i]),
				append(kinds, spinOf(x.Events[:i], since).kind())
		}
		since = i + 1
	}
	for n := len(kinds); n > maxProofsOf; n-- {
		prefixes, kinds = slices.Delete(prefixes, n/2, n/2+1), slices.Delete(kinds, n/2, n/2+1)
	}
	for i, k := range kinds {
		if p.sure[k] < provenOften && !p.prove(prefixes[i], k) {
			p.sure[k] = -maxProofs
			return false
		}
	}
	for _, k := range slices.Compact(slices.Sorted(slices.Values(kinds))) {
		p.sure[k]++
	}
	return true
}

// prove reports whether the order that goes on from a prefix has no end. The prefix ends in a spin
// of kind k.
func (p *Executor) prove(prefix []trace.Alt, k uint64) bool {
	if p.ran(prefix) {
		p.learn(k, true)
		return true
	}
	if _, known := p.proofs[hashAlts(prefix)]; !known && len(p.proofs) >= maxQuestions+maxProofs {
		return false
	}
	a, ok := p.goOn(prefix, spin{}, 0)
	if ok {
		p.learn(k, a.endless)
	}
	return a.endless
}

// pacer is the chooser of one execution. It can begin again and make the same choices.
type pacer struct {
	p    *Executor
	c    trace.Chooser
	done []int32 // the choices

	since   int     // the present instant
	next    int     // steps at it after which it is looked at
	looked  int     // the last state that offered a forced move, in units of often steps at it
	endless bool    // it has no end without a forced move
	pressed bool    // there is one now
	born    []int32 // by process: the number of events when it was first seen
	able    []int32 // by process: when it could last move, as far as was looked

	asks     bool // the execution has been cut off for the question
	question question
	spin     spin // that it is about
	late     bool // the spin has been under way for so long that any order without an end will do
	proven   bool
	wandered bool // it has been tried whether the execution escapes
}

func (r *pacer) again() {
	r.since, r.next, r.looked, r.endless, r.pressed = 0, 0, 0, false, false
	r.born, r.able = r.born[:0], r.able[:0]
}

// Choose implements trace.Chooser.
func (r *pacer) Choose(s *trace.State) int {
	for len(r.born) < len(s.Procs) {
		r.born, r.able = append(r.born, int32(s.Depth)), append(r.able, -1)
	}
	if s.Depth < len(r.done) {
		if s.Forced > 0 && !r.p.Follow {
			r.press(s) // for what it remembers
		}
		return int(r.done[s.Depth])
	}
	i := r.choose(s)
	if i >= 0 {
		r.done = append(r.done, int32(i))
	}
	return i
}

// choose lets the chooser choose among the alternatives that there are. The chooser may take one
// that is held back.
func (r *pacer) choose(s *trace.State) (i int) {
	if s.Forced == 0 || r.p.Follow {
		return r.c.Choose(s)
	}
	all, moves := s.Alts, len(s.Alts)-s.Forced
	defer func() { s.Alts, s.Held = all, nil }()
	s.Held = all
	switch press := r.press(s); {
	case r.asks:
		return -1
	case !press:
		if !r.endless {
			s.Forced = 0
		}
		s.Alts = all[:moves]
		return r.c.Choose(s)
	}
	s.Alts = all[moves:]
	if i = r.c.Choose(s); i >= 0 && len(s.Alts) < len(all) {
		i += moves
	}
	return i
}

// press reports whether time passes at s. If that is not known, it asks.
func (r *pacer) press(s *trace.State) bool {
	if r.since != s.Since {
		r.since, r.next, r.looked, r.endless, r.pressed = s.Since, 0, 0, false, false
	}
	r.note(s)
	n := s.Depth - s.Since
	// the state whose turn it is may offer nothing: then the next one is looked at
	due := n%often == 0 || r.looked > 0 && n/often > r.looked
	r.looked = n / often
	if r.pressed || n < r.next || !due {
		return r.pressed
	}
	now := spinOf(s.Events, s.Since)
	q := question{now.hash(), bits.Len(uint(n))}
	endless, known := r.p.answer(q, now.kind())
	switch {
	case known:
	case r.p.asked >= maxQuestions, r.p.enough != nil && r.p.enough():
		endless = n >= unasked
	default:
		r.asks, r.question, r.late = true, q, n >= unasked
		r.spin = now.without(func(q int32) bool { return int(r.born[q]) > s.Since })
		return false
	}
	r.endless = endless
	if !endless {
		r.next = 2 * n
		return false
	}
	r.pressed = n >= unasked || r.all(s, now)
	return r.pressed
}

// note takes down who can move at s.
func (r *pacer) note(s *trace.State) {
	for i := range s.Alts[:len(s.Alts)-s.Forced] {
		a := &s.Alts[i]
		r.able[a.Proc] = int32(s.Depth)
		if a.Partner >= 0 {
			r.able[a.Partner] = int32(s.Depth)
		}
	}
}

// all reports whether each process that can move at s, or could a few steps before, is a part of
// the spin.
func (r *pacer) all(s *trace.State, spin spin) bool {
	started := r.startsOn(s)
	for q := range s.Procs {
		if s.Procs[q] != nil && int(r.able[q]) > max(s.Depth-explore.Blink, s.Since) &&
			!spin.loops(int32(q)) &&
			!(started && int(r.born[q]) > s.Since) {
			return false
		}
	}
	return true
}

// answer returns what is known of a question about a spin of kind k. Once it is known, it stays so.
func (p *Executor) answer(q question, k uint64) (endless, known bool) {
	if endless, known = p.answers[q]; !known && p.slow[q.spin] {
		p.answers[q] = false
		return false, true
	} else if !known && (p.spins[q.spin] || p.trust[k] >= provenOften) {
		p.answers[q] = true
		return true, true
	}
	return endless, known
}

// startsOn reports whether processes have been started in each quarter of the steps since the clock
// came to where it is.
func (r *pacer) startsOn(s *trace.State) bool {
	var quarters [4]bool
	n := s.Depth - s.Since
	for i := len(r.born) - 1; i >= 0 && int(r.born[i]) > s.Since; i-- {
		quarters[min(3, 4*(int(r.born[i])-s.Since)/n)] = true
	}
	return quarters == [4]bool{true, true, true, true}
}

// hashAlts is FNV-1a over the alternatives.
func hashAlts(alts []trace.Alt) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	h := uint64(offset)
	for i := range alts {
		a := &alts[i]
		for _, v := range [...]int32{a.Proc, a.Case, a.Partner, a.PartnerCase, a.Takes.Sender,
			a.Takes.Number} {
			h = (h ^ uint64(uint32(v))) * prime
		}
	}
	return h
}
