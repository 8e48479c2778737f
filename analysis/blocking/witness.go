package blocking

import (
	"go/token"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The checks.
const (
	leakCheck     = "leak"
	deadlockCheck = "deadlock"
	lockCheck     = "lockpath"
	closeCheck    = "closetwice"
)

// key tells findings of a scope apart.
type key struct {
	check string
	pos   token.Pos
}

// witness is an execution that shows a finding.
type witness struct {
	key
	stuck     []wait  // who waits for ever, the main one first
	steps     []step  // in their order
	taken     []taken // decisions that assume something
	outsiders bool    // a timer has fired, or a context of others has ended, before the last step
	scaled    bool    // a counted loop was cut short, and that may matter
	tested    bool    // a test has failed, or was skipped
	own       bool    // there is a context of a type of the program
	vague     bool    // a number was decided by itself that depends on others
	owes      *wait   // who is to end the wait of the main one, and waits itself; nil: nobody
	started   bool    // another package has started the main one
	together  string  // which two functions are called at once; empty: it is one
	why       string  // what keeps it from level 1; empty: nothing
	mendable  bool    // an unlock before the return changes nothing else
	saved     bool    // the main one has recovered a panic, and returns
	fatal     bool    // the main one panics, or ends the program: it does not wait

	freed     token.Pos // of an unlock too many: where the process has unlocked before
	otherwise bool      // it has locked there instead: to read, or to write

	object *heap.Object // that the main one waits for; nil: none, or several
	kind   trace.Kind   // what it waits to do
	cases  []trace.Kind // of a select
}

// wait is a process that waits for ever.
type wait struct {
	name   string // of the process
	where  string // the function that it is in
	pos    token.Pos
	site   token.Pos // in this package: see heap.Process.Call
	start  token.Pos // of the go statement; NoPos for the root
	kind   trace.Kind
	goes   bool // it goes round to its select again and again
	tokens bool // it acquires from a semaphore
	// channels are those of its select, but for the ones of timers.
	channels []*heap.Object
}

// step is a place that an execution came to.
type step struct {
	time int // see before and when
	fn   string
	pos  token.Pos
	site token.Pos // in this package, if pos is not; otherwise none
	text string
	// name of the decision, if it is one
	decision string
	stays    bool // here somebody waits for ever, has taken a lock that is left locked, or crashes
}

// before is the time between event i-1 and event i: something is made or started. when is the time
// of event i.
func before(i int) int { return 2 * i }
func when(i int) int   { return 2*i + 1 }

// taken is a decision.
type taken struct {
	name    string
	answer  int // see machine.Config.Answers
	text    string
	pos     token.Pos
	equates bool // an unknown value is a certain one
	filled  bool // it is about what code that is not seen has written
	room    bool // it is the capacity of a channel
	empty   bool // a counted loop has no round
	leaves  bool // it is about a loop that may be endless
	least   machine.Bound
	// see machine.Decision
	sources, opaque []string
}

// candidates returns a witness for each mistake in an execution.
func candidates(m *machine.Machine, x *trace.Execution) []*witness {
	if m.Crash != nil {
		return crashed(m, x)
	}
	var out []*witness
	if list := stuck(m, x); len(list) > 0 {
		out = append(out, waiting(m, x, list))
	}
	return append(out, returnsLocked(m, x)...)
}

// crashed is a witness of a second close, or of a send after a close.
func crashed(m *machine.Machine, x *trace.Execution) []*witness {
	f := m.Crash
	if f.Obj != nil && primitive.Fatal(x.Events[f.Event].Kind) {
		return unlocks(m, x)
	}
	if f.Obj == nil || f.Obj.Foreign || f.Text != "close of closed channel" &&
		f.Text != "send on closed channel" {
		return nil
	}
	w := newWitness(m, key{closeCheck, f.Site})
	w.fails(f, x)
	for i, e := range x.Events[:f.Event] {
		if e.Kind == trace.Close && e.Obj == f.Obj.ID {
			w.note(m, i, "close")
		}
	}
	return []*witness{w}
}

// fails notes what the main process did when it failed.
func (w *witness) fails(f *machine.Failure, x *trace.Execution) {
	w.object, w.kind, w.fatal = f.Obj, x.Events[f.Event].Kind, true
	if p := f.Proc; p.Parent != nil && p.Pos.IsValid() {
		w.steps = append(w.steps, starts(p))
	}
	w.stuck = []wait{{name: f.Proc.Name, where: machine.Within(f.Proc), pos: f.Pos, site: f.Site,
		start: f.Proc.Pos, kind: w.kind}}
}

// starts is the step that starts p.
func starts(p *machine.Proc) step {
	return step{time: before(p.Born()), fn: p.Parent.Name, pos: p.Pos, site: p.Site,
		text: "starts " + p.Name}
}

// unlocks is a witness of an unlock by a process that has unlocked before, or has locked in another
// way.
func unlocks(m *machine.Machine, x *trace.Execution) []*witness {
	f := m.Crash
	read := x.Events[f.Event].Kind == trace.RUnlock
	h, misused := f.Obj.Misused(&f.Proc.Process, read)
	if !misused {
		return nil
	}
	w := newWitness(m, key{lockCheck, f.Site})
	w.fails(f, x)
	for i, e := range x.Events[:f.Event] {
		if e.Obj == f.Obj.ID && m.Steps[i].Pos.IsValid() {
			w.note(m, i, does(e))
		}
	}
	if at := f.Leaves(); at.IsValid() {
		w.steps = append(w.steps, step{time: when(f.Event), fn: machine.Within(f.Proc), pos: at,
			text: "returns", stays: true})
	}
	w.freed, w.otherwise = h.Call, h.Read != read
	return []*witness{w}
}

// waiting is a witness of processes that wait for ever. The root is the main one, or else a process
// that waits for no lock: no other process explains its wait.
func waiting(m *machine.Machine, x *trace.Execution, list []*machine.Proc) *witness {
	main := list[0]
	for _, p := range list {
		if isLock(main.Operation().Kind) && !isLock(p.Operation().Kind) && main.Parent != nil {
			main = p
		}
	}
	if list[0].Parent == nil {
		main = list[0]
	}
	locks := !slices.ContainsFunc(list,
		func(p *machine.Proc) bool { return !isLock(p.Operation().Kind) })
	k := key{leakCheck, main.Site}
	switch {
	case locks:
		k = key{lockCheck, main.Call}
	case main.Parent == nil:
		k = key{deadlockCheck, main.Call}
	}
	w := newWitness(m, k)
	w.kind = main.Operation().Kind
	if id := main.Operation().Obj; id >= 0 {
		w.object = m.Objects()[id]
	}
	for _, c := range main.Operation().Cases {
		w.cases = append(w.cases, c.Kind)
	}
	w.stuck = append(w.stuck, waitOf(m, main))
	w.started = main.Site != main.Pos
	for _, p := range list {
		if p != main {
			w.stuck = append(w.stuck, waitOf(m, p))
		}
	}
	w.describe(m, x, list)
	return w
}

func isLock(k trace.Kind) bool {
	return k == trace.Lock || k == trace.WLock || k == trace.RLock || k == trace.WWait ||
		k == trace.Once
}

func waitOf(m *machine.Machine, p *machine.Proc) wait {
	start := p.Pos
	if p.Parent == nil {
		start = token.NoPos
	}
	var channels []*heap.Object
	for _, c := range p.Operation().Cases {
		if c.Obj >= 0 && !m.Objects()[c.Obj].Ticks && !m.Objects()[c.Obj].Timed {
			channels = append(channels, m.Objects()[c.Obj])
		}
	}
	op := p.Operation()
	return wait{channels: channels, name: p.Name, where: machine.Within(p), pos: p.At,
		site: p.Call, start: start, kind: op.Kind, goes: p.Rounds,
		tokens: op.Obj >= 0 && m.Objects()[op.Obj].Tokens}
}

// newWitness notes the decisions of an execution.
func newWitness(m *machine.Machine, k key) *witness {
	w := &witness{key: k, own: m.Own, vague: m.Vague, tested: m.TestEnded}
	last := len(m.Steps)
	for last > 0 && m.Steps[last-1].Proc.Outsider {
		last--
	}
	for i, st := range m.Steps {
		if st.Proc.Outsider && i < last {
			x := moves(m, i)
			w.outsiders = true
			if !slices.ContainsFunc(w.steps, func(y step) bool {
				return y.text == x.text && y.pos == x.pos
			}) {
				w.steps = append(w.steps, x)
			}
		}
		d := st.Decision
		if d == nil || st.Choice >= len(d.Text) {
			continue
		}
		t := taken{name: d.Name, answer: d.Answer(st.Choice), text: d.Text[st.Choice], pos: d.Pos,
			filled: d.Filled, room: d.Room, empty: st.Choice == d.Empty,
			leaves: d.Leaves, sources: d.Sources, opaque: d.Opaque}
		t.equates = st.Choice < len(d.Equates) && d.Equates[st.Choice]
		if len(d.Least) > st.Choice {
			t.least = d.Least[st.Choice]
		}
		if len(d.At) > st.Choice {
			t.pos = d.At[st.Choice]
		}
		w.taken = append(w.taken, t)
		made := step{time: when(i), fn: st.Func, pos: t.pos, text: t.text, decision: t.name}
		if st.Site != st.Pos {
			made.site = st.Site
		}
		w.steps = append(w.steps, made)
	}
	return w
}

// moves is the step of an outsider in event i.
func moves(m *machine.Machine, i int) step {
	p, text := m.Steps[i].Proc, "the timer fires first"
	if p.Name == machine.Signal {
		text = "a signal comes first"
	}
	if name, ends := strings.CutPrefix(m.Steps[i].Func, machine.EndOf); ends {
		text = name + " ends first"
		if of, result := strings.CutPrefix(name, "what "); result {
			text = "the context that " + of + " ends first"
		}
	}
	return step{time: when(i), fn: p.Parent.Name, pos: p.Pos, site: p.Site, text: text,
		decision: byOutsider}
}

// byOutsider is the decision of an outsider to move.
const byOutsider = "outsider"

// note makes event i a step.
func (w *witness) note(m *machine.Machine, i int, text string) {
	st := m.Steps[i]
	w.steps = append(w.steps,
		step{time: when(i), fn: st.Func, pos: st.Pos, site: st.Site, text: text})
	if st.Partner != nil {
		w.steps = append(w.steps, step{time: when(i), fn: st.Partner.Name, pos: st.PartnerPos,
			text: "takes it"})
	}
}

// describe makes the steps that matter to processes that wait: where they were started, where the
// objects that they wait for were made, and the operations on these.
func (w *witness) describe(m *machine.Machine, x *trace.Execution, list []*machine.Proc) {
	objects := map[int32]bool{}
	for _, p := range list {
		op := p.Operation()
		if op.Obj >= 0 {
			objects[op.Obj] = true
		}
		for _, c := range op.Cases {
			if c.Obj >= 0 {
				objects[c.Obj] = true
			}
		}
	}
	for id, o := range m.Objects() {
		if !objects[int32(id)] {
			continue
		}
		if o.Maker != nil && o.Class == trace.Channel && !o.Tokens && o.Pos.IsValid() {
			w.steps = append(w.steps,
				step{time: before(o.Born), fn: o.Maker.Name, pos: o.Pos, text: makes(o)})
		}
		if s := m.Scaled; s != nil && (o.Maker == nil || o.Maker == &s.Process ||
			o.Maker.Parent == nil) {
			w.scaled = true
		}
	}
	for i, e := range x.Events {
		p := m.Steps[i].Proc
		asks := e.Kind == trace.WLock && p.Operation().Kind == trace.WWait && p.At == m.Steps[i].Pos
		if e.Obj >= 0 && objects[e.Obj] && m.Steps[i].Pos.IsValid() && !p.Outsider && !asks {
			w.note(m, i, does(e))
		}
	}
	for _, p := range list {
		if p.Parent != nil && p.Pos.IsValid() {
			w.steps = append(w.steps, starts(p))
		}
	}
	slices.SortStableFunc(w.steps, func(a, b step) int { return a.time - b.time })
	for _, p := range list {
		w.steps = append(w.steps, calledBy(p)...)
		w.steps = append(w.steps, step{time: when(len(x.Events)), fn: p.Where(), pos: p.At,
			site: p.Call, text: "waits for ever " + waitsTo(p.Operation()), stays: true})
	}
}

// calledBy makes steps of the calls that a process is in, and that this package makes.
func calledBy(p *machine.Proc) (out []step) {
	for _, c := range p.Calls() {
		if c.Pos.IsValid() && !c.Foreign {
			out = append(out, step{fn: c.From, pos: c.Pos, text: "calls " + c.To})
		}
	}
	return out
}

func makes(o *heap.Object) string {
	if o.Cap == 0 {
		return "makes the channel, without a buffer"
	}
	return "makes the channel"
}

// does says in a word what an event did.
func does(e trace.Event) string {
	if e.Kind == trace.WgAdd && e.Op.N < 0 {
		return "is done with the group"
	}
	return doing[e.Kind]
}

var doing = map[trace.Kind]string{
	trace.Send: "sends", trace.Recv: "receives", trace.Close: "closes the channel",
	trace.Lock: "locks", trace.Unlock: "unlocks",
	trace.WLock: "locks", trace.WWait: "locks", trace.WUnlock: "unlocks", trace.RLock: "read-locks",
	trace.RUnlock: "read-unlocks",
	trace.WgAdd:   "adds to the group", trace.WgWait: "has waited for the group",
	trace.Once: "enters Do", trace.OnceDone: "leaves Do",
	trace.CondEnter: "begins to wait", trace.CondSignal: "signals",
	trace.CondBroadcast: "broadcasts", trace.CondWait: "is woken",
	trace.TryLock: "tries to lock", trace.WTryLock: "tries to lock",
	trace.RTryLock: "tries to lock",
}

// waitsTo says what an operation waits to do.
func waitsTo(op *trace.Op) string {
	switch op.Kind {
	case trace.Send:
		return "to send"
	case trace.Recv:
		return "to receive"
	case trace.Select:
		if len(op.Cases) == 0 {
			return "in a select without cases"
		}
		return "in a select"
	case trace.WgWait:
		return "for the group"
	case trace.CondWait:
		return "to be woken"
	case trace.Once:
		return "for Do, which is under way"
	}
	return "for the lock"
}

// leaves reports whether w is a lock that a function leaves locked.
func (w *witness) leaves() bool {
	return w.check == lockCheck && w.kind == trace.Unlock && !w.fatal
}

// returnsLocked lists the locks of others that the root function has taken, and has left locked.
func returnsLocked(m *machine.Machine, x *trace.Execution) []*witness {
	if x.End != trace.Quiet || len(m.Procs) == 0 || !m.Procs[0].Ended || !m.Left.IsValid() {
		return nil
	}
	var out []*witness
	root := &m.Procs[0].Process
	for _, o := range m.Objects() {
		for _, h := range o.Holders {
			if !o.Foreign || o.Wanders || h.Proc != root || o.Class == trace.OnceGuard {
				continue
			}
			w := newWitness(m, key{lockCheck, m.Left})
			w.object, w.kind = o, trace.Unlock
			w.steps = append(w.steps,
				step{time: when(len(x.Events)), fn: h.Proc.Name, pos: h.Pos, site: h.Call,
					text: "locks", stays: true})
			w.stuck = []wait{{name: h.Proc.Name, where: h.Proc.Name, pos: m.Left, site: m.Left,
				kind: trace.Unlock}}
			text := "returns, and has not unlocked"
			if w.saved = m.Saved; w.saved {
				text = "panics, recovers, and has not unlocked"
			}
			w.steps = append(w.steps,
				step{time: when(len(x.Events)), fn: h.Proc.Name, pos: m.Left, text: text})
			out = append(out, w)
		}
	}
	return out
}
