package blocking

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// scope is a function that is run by itself, with unknown arguments.
type scope struct {
	prog *skeleton.Program
	root *ssa.Function
	base machine.Config // the bounds, and the other functions that are called

	// Of two functions: the one that is called at once with the root, where both must wait, and why
	// that may never happen.
	together *ssa.Function
	owed     bool // the second one owes the first one something
	meet     []token.Pos
	doubt    string

	edges []edge   // of all executions
	uses  []taking // channels of others that the root communicates on
	seen  map[[2]token.Pos]bool

	found    []*witness
	released map[string]bool    // locks of others that some path takes and unlocks, by name
	wanders  map[string]bool    // locks that a process unlocks without having locked them
	handed   map[token.Pos]bool // see handedOn
	returns  map[leaving]int    // how many executions return there, and with which locks
	served   map[token.Pos]bool // channels that some execution closes or sends to, by their making

	Executions int
	Over       bool
	Unfinished map[string]int
}

const (
	maxFindings = 4 // of one scope
	maxRoom     = 3 // the largest capacity of a channel that loops are to fill
)

// The budgets of the searches that judge a finding: with other bounds, and with one assumption
// negated.
var (
	again  = Budget{Executions: 1000, Work: 20_000}
	negate = Budget{Executions: 200, Work: 8_000}
)

// newScope is the scope of a function by itself.
func newScope(prog *skeleton.Program, root *ssa.Function) *scope {
	return &scope{prog: prog, root: root, base: defaults, released: map[string]bool{},
		wanders: map[string]bool{}}
}

// search finds what is wrong with the scope.
func (s *scope) search(b Budget) {
	s.returns, s.served = map[leaving]int{}, map[token.Pos]bool{}
	se := &search{prog: s.prog, root: s.root, cfg: s.base, note: s.noteEdges}
	se.run(b, s.visit)
	s.Executions, s.Over, s.Unfinished = se.Executions, se.Over, se.Unfinished
}

// explore finds what is wrong with the scope, and judges it.
func (s *scope) explore(b Budget) {
	s.search(b)
	n := room(s.root)
	filling := len(s.found) == 0 && !s.Over && n > 0 && n <= maxRoom
	if filling {
		s.base.Rounds = max(n, s.base.Rounds) + 1 // to fill the channel
		s.search(b)
	}
	for i, w := range s.found {
		if len(w.taken) > maxTaken {
			w = s.shorter(w)
			s.found[i] = w
		}
		all := w.taken
		w.why, w.mendable = s.judge(w), s.mendable(w)
		if filling && w.why == "" && !overfills(all, w.taken, int64(n)) {
			w.why = "nothing says that a loop may go round more often than its channel has room"
		}
		if w.why == "" && slices.ContainsFunc(s.found[:i], func(v *witness) bool {
			return repeats(w, v)
		}) {
			w.why = "another finding is about the same room"
		}
	}
}

// shorter returns w as it is found when loops of unknown length have one round at most; w itself if
// it is not.
func (s *scope) shorter(w *witness) *witness {
	cfg, short := s.base, w
	cfg.Rounds = 1
	s.finds(func(v *witness) bool {
		is := v.key == w.key
		if is {
			short = v
		}
		return is
	}, cfg, again)
	return short
}

// repeats reports whether both wait for the same channel, and its room says which wait comes first.
// The second one is sure.
func repeats(w, sure *witness) bool {
	return sure.why == "" && alike(w, sure) &&
		slices.ContainsFunc(w.taken, func(t taken) bool { return t.room })
}

// overfills reports whether a parameter or field that is larger than n is needed, and nothing else
// is taken to be larger than n, such as the length of a slice that was cut to fit.
func overfills(all, needed []taken, n int64) bool {
	larger := func(given bool) func(taken) bool {
		return func(t taken) bool { return t.least.Least > n && t.least.Given == given }
	}
	return slices.ContainsFunc(needed, larger(true)) && !slices.ContainsFunc(all, larger(false))
}

// room is the largest capacity of the channels that fn makes, as far as it is a constant.
func room(fn *ssa.Function) (n int) {
	for i := range kernel.All(fn) {
		if m, ok := i.(*ssa.MakeChan); ok {
			if c, ok := m.Size.(*ssa.Const); ok {
				n = max(n, int(c.Int64()))
			}
		}
	}
	return n
}

// visit looks at an execution, and reports whether the search is to go on.
func (s *scope) visit(m *machine.Machine, x *trace.Execution) bool {
	for _, o := range m.Objects() {
		if o.Foreign && o.Name != "" {
			s.released[o.Name] = s.released[o.Name] || len(o.Holders) == 0 && lockedIn(x, o.ID)
			s.wanders[o.Name] = s.wanders[o.Name] || o.Wanders
		}
	}
	s.leaves(m)
	s.serves(m, x)
	for _, w := range candidates(m, x) {
		if s.together != nil && !w.meets(s.meet) {
			continue
		}
		if !slices.ContainsFunc(s.found, func(f *witness) bool {
			return f.key == w.key || f.covers(w)
		}) {
			s.found = append(s.found, w)
		}
	}
	if s.together != nil && len(s.found) > 0 {
		s.found[0].together = s.calledAtOnce()
		if s.owed {
			s.found[0].owes = s.found[0].at(s.meet[1])
		}
		return false
	}
	return len(s.found) < maxFindings
}

// serves notes the channels that an execution closes or sends to.
func (s *scope) serves(m *machine.Machine, x *trace.Execution) {
	for _, e := range x.Events {
		if e.Obj >= 0 && (e.Kind == trace.Close || e.Kind == trace.Send) {
			s.served[m.Objects()[e.Obj].Pos] = true
		}
	}
}

// daemon reports whether each process that waits goes round to a select, and no execution of the
// scope closes, or sends to, a channel of that select. Nothing says that the process is to end.
func (s *scope) daemon(w *witness) bool {
	return !slices.ContainsFunc(w.stuck, func(a wait) bool {
		return !a.goes || slices.ContainsFunc(a.channels, func(o *heap.Object) bool {
			return s.served[o.Pos]
		})
	})
}

func lockedIn(x *trace.Execution, obj int32) bool {
	return slices.ContainsFunc(x.Events, func(e trace.Event) bool {
		if e.Obj != obj {
			return false
		}
		switch e.Kind {
		case trace.Lock, trace.WLock, trace.RLock:
			return true
		case trace.TryLock, trace.WTryLock, trace.RTryLock:
			return e.OK
		}
		return false
	})
}

// covers reports whether one of the processes that wait in w is the main one of v: that was
// reported already.
func (w *witness) covers(v *witness) bool {
	return slices.ContainsFunc(w.stuck, func(a wait) bool {
		return a.pos == v.stuck[0].pos &&
			a.where == v.stuck[0].where
	})
}

// shows reports whether a search under cfg finds w, too.
func (s *scope) shows(w *witness, cfg machine.Config, b Budget) bool {
	return s.finds(func(v *witness) bool { return v.key == w.key }, cfg, b)
}

// showsAlike reports whether a search under cfg finds w, too, or that its caller waits for the same
// channel at another place: that may depend on how many items there are.
func (s *scope) showsAlike(w *witness, cfg machine.Config) bool {
	return s.finds(func(v *witness) bool { return v.key == w.key || alike(v, w) }, cfg, again)
}

// alike reports whether the root waits for the same channel in both, in the same way.
func alike(w, v *witness) bool {
	return w.check == deadlockCheck && v.check == deadlockCheck && w.kind == v.kind &&
		w.object != nil && v.object != nil && w.object.Pos == v.object.Pos &&
		w.stuck[0].where == v.stuck[0].where
}

// finds reports whether a search under cfg finds a witness that is asked for.
func (s *scope) finds(is func(*witness) bool, cfg machine.Config, b Budget) bool {
	found := false
	se := &search{prog: s.prog, root: s.root, cfg: cfg}
	se.run(b, func(m *machine.Machine, x *trace.Execution) bool {
		found = found || slices.ContainsFunc(candidates(m, x), is)
		return !found
	})
	return found
}

// calledAtOnce says which two functions are.
func (s *scope) calledAtOnce() string {
	if s.owed || s.base.Then != nil {
		return ""
	}
	a, b := skeleton.Name(s.root), skeleton.Name(s.together)
	if a == b {
		return a + " is called twice at once"
	}
	return a + " and " + b + " are called at once"
}

// meets reports whether processes wait at all these places.
func (w *witness) meets(at []token.Pos) bool {
	return !slices.ContainsFunc(at, func(pos token.Pos) bool { return w.at(pos) == nil })
}

// at returns the process that waits for ever at a place, or nil.
func (w *witness) at(pos token.Pos) *wait {
	i := slices.IndexFunc(w.stuck, func(a wait) bool { return a.pos == pos })
	if i < 0 {
		return nil
	}
	return &w.stuck[i]
}

// maxAssumed bounds what a finding of level 1 assumes, and maxTaken what is looked at for that.
const (
	maxAssumed = 3
	maxTaken   = 10
)

// judge puts the gates of level 1 to a finding. It returns what keeps the finding from level 1, or
// nothing. It drops assumptions of the finding that are not needed.
func (s *scope) judge(w *witness) string {
	for _, gate := range []func(*witness) string{s.unlikely, s.unseen, s.assumed, s.counted,
		s.bounded} {
		if why := gate(w); why != "" {
			return why
		}
	}
	return ""
}

// unseen returns what a finding needs of code that is not seen.
func (s *scope) unseen(w *witness) string {
	takes := func(is func(taken) bool) bool { return slices.ContainsFunc(w.taken, is) }
	cfg := s.base
	if len(w.taken) > maxTaken {
		return "it assumes too much"
	}
	cfg.Roomy = true
	if takes(func(t taken) bool { return t.room }) && !s.showsAlike(w, cfg) {
		return "the capacity of a channel is not known"
	}
	cfg = s.base
	cfg.Lasting = true
	if w.own && !s.shows(w, cfg, again) {
		return "a context of the program's own type has to end"
	}
	if w.leaves() {
		return ""
	}
	if !s.showsFilled(w) {
		return "it depends on what other code has written"
	}
	cfg = s.base
	cfg.Endless = true
	if takes(func(t taken) bool { return t.leaves }) && !s.shows(w, cfg, again) {
		return "it needs the end of a loop over a function that is not seen"
	}
	return ""
}

// assumed returns what a finding assumes that nobody would believe. It drops the assumptions
// without which the finding is there, too, and then the steps that tell of them.
func (s *scope) assumed(w *witness) string {
	all := w.taken
	w.taken = s.needed(w)
	for _, t := range w.taken {
		if len(t.opaque) > 0 && t.contradicts(all) {
			return "what it assumes may contradict itself"
		}
	}
	for _, t := range w.taken {
		if t.empty {
			return "it needs a number that is less than one"
		}
	}
	for _, t := range w.taken {
		if t.equates {
			return "it takes an unknown value to be a certain one"
		}
	}
	n := len(w.taken)
	if w.outsiders {
		cfg := s.base
		cfg.Late = true
		if w.outsiders = !s.shows(w, cfg, negate); w.outsiders {
			n++
		}
	}
	w.steps = slices.DeleteFunc(w.steps, func(x step) bool {
		return x.decision != "" && (x.decision != byOutsider || !w.outsiders) &&
			!slices.ContainsFunc(w.taken, func(t taken) bool { return t.name == x.decision })
	})
	if n > maxAssumed {
		return "it assumes too much"
	}
	return ""
}

// contradicts reports whether t may contradict another decision u. That is so if t is about a
// number made of an unknown value in a way that is not understood, and u is about this value.
func (t taken) contradicts(all []taken) bool {
	return slices.ContainsFunc(all, func(u taken) bool {
		return !slices.Equal(u.opaque, t.opaque) && slices.ContainsFunc(u.sources,
			func(name string) bool { return slices.Contains(t.sources, name) })
	})
}

// needed returns the assumptions without which the search does not find w. One that says that a
// number is large stands for those that say that it is less large.
func (s *scope) needed(w *witness) []taken {
	var out []taken
	for _, t := range slices.Backward(w.taken) {
		implied := slices.ContainsFunc(out, func(u taken) bool {
			return t.least.Of != "" && u.least.Of == t.least.Of && u.least.Least >= t.least.Least
		})
		cfg := s.base
		cfg.Answers = maps.Clone(s.base.Answers)
		if cfg.Answers == nil {
			cfg.Answers = map[string]int{}
		}
		cfg.Answers[t.name] = ^t.answer
		if !implied && t.text != "" && !s.shows(w, cfg, negate) {
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return out
}

// bounded returns what a finding needs of the bounds of loops.
func (s *scope) bounded(w *witness) string {
	cfg := s.base
	cfg.Rounds++
	if !s.shows(w, cfg, again) {
		return "it depends on the bounds of loops"
	}
	if w.check != leakCheck && w.check != deadlockCheck {
		return ""
	}
	even, never := s.base, s.base
	even.Even = true
	never.Even, never.Rounds = true, 0
	if !s.showsAlike(w, even) && !s.showsAlike(w, never) {
		return "it needs loops that go round differently often"
	}
	return ""
}

// showsFilled reports whether w is there whatever code that is not seen has written.
func (s *scope) showsFilled(w *witness) bool {
	if !slices.ContainsFunc(w.taken, func(t taken) bool { return t.filled }) {
		return true
	}
	for _, how := range []machine.Filling{machine.Usual, machine.Unusual} {
		cfg := s.base
		cfg.Filled = how
		if !s.shows(w, cfg, again) {
			return false
		}
	}
	return true
}

// unlikely returns why nobody would want to see a finding, if that is so.
func (s *scope) unlikely(w *witness) string {
	main := w.stuck[0]
	switch {
	case w.started && s.prog.Foreign(main.pos) && (w.object == nil || s.prog.Foreign(w.object.Pos)):
		return "it is a matter of another package alone"
	case s.doubt != "":
		return s.doubt
	case w.scaled:
		return "a loop was cut short"
	case s.daemon(w):
		return "it may be meant to go round for ever"
	case w.tested && w.check == leakCheck:
		return "the test has ended"
	case w.vague:
		return "a number is not known"
	case main.start.IsValid() && s.root.Name() == "main" && s.root.Pkg.Pkg.Name() == "main":
		return "the program ends when main returns"
	case w.fatal && w.check == lockCheck && s.wanders[w.object.Name]:
		return "the lock is handed on"
	case w.leaves():
		if s.wanders[w.object.Name] || s.handed[w.lockedAt()] ||
			!s.released[w.object.Name] {
			return "the lock is handed on"
		}
		return namedForLocks(s.root)
	}
	return ""
}

// namedForLocks says so if a function has a name by which its callers know that it leaves a lock
// locked.
func namedForLocks(fn *ssa.Function) string {
	name := strings.ToLower(fn.Name())
	for _, word := range []string{"lock", "acquire", "begin", "start", "enter", "hold"} {
		if strings.Contains(name, word) {
			return "its name says that it locks"
		}
	}
	for result := range fn.Signature.Results().Variables() {
		if _, is := result.Type().Underlying().(*types.Signature); is {
			return "it returns a function, which may unlock"
		}
		named := kernel.NamedOf(result.Type())
		if named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
			return "it returns a lock, which its caller may unlock"
		}
	}
	return ""
}

// roots lists the functions of a package that are scopes: those that make something to wait for and
// start a goroutine, those that lock, and those that call functions which lock, as Lends, Owns and
// Doubles say. A function literal is one if others call it.
func roots(prog *skeleton.Program, funcs []*ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range funcs {
		if fn.Synthetic != "" || fn.Origin() != nil || fn.Name() == "init" {
			continue
		}
		if fn.Parent() != nil && !handedOut(prog, fn) {
			continue
		}
		if prog.Closed(fn) || prog.Locks(fn) || prog.Lends(fn) || prog.Owns(fn) ||
			prog.Doubles(fn) {
			out = append(out, fn)
		}
	}
	slices.SortStableFunc(out, func(a, b *ssa.Function) int {
		return cmp.Compare(a.Pos(), b.Pos())
	})
	return out
}

// position is where a finding is reported.
func (w *witness) position() token.Pos { return w.key.pos }
