package states

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"os"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/linear"
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// State comparison of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis, 2009),
// section 5.1: a state is the states of the actors and the messages under way.
//
//	paper                     here
//	JPF state comparison      plain: processes by their numbers, mailboxes as lists; the heap linearised
//	Actor state comparison    canonical: processes and mailboxes as sets, processes up to renaming
//	                          numbered: plain, but that mailboxes are sets, and nothing may be renamed
//	sorting set elements      order of processes: refine; of messages: picture.sorted
//
// Deviations. The state of an actor consists of the variables that its stack can still use: Frame.
// The reports of the test are a part of the state, for they are a part of the outcome. The paper
// sorts the elements of sets by their own content. Here their pointers are followed, and processes
// are also told apart by the objects that they share with others.
//
// LIMITS: equal states may have different fingerprints, see package linear. Of the world outside
// the program's memory, the environment and the working directory are a part of the state; files
// are not. Variables of packages that were not rewritten are no part of the state either. While a
// range loop runs, or a statement waits, another process may change its operands; nothing checks
// that.

// Fingerprint identifies a state: equal ones, in one run of the binary, have the same future, and
// have reported the same.
type Fingerprint [16]byte

// identity is a fingerprint, or the reason why there is none.
type identity struct {
	print Fingerprint
	why   string
	vague string // the reason why an equal state may have another one
}

// atRest is the identity of the state in which the latest execution came to rest.
var atRest identity

// StateNow returns the fingerprint of the present state, or of the state in which the latest
// execution came to rest. why says why there is no fingerprint; empty: there is one.
func StateNow() (f Fingerprint, why string) {
	if world.W.Active() {
		now := fingerprintNow()
		return now.print, now.why
	}
	return atRest.print, atRest.why
}

// SureNow is StateNow, with a reason also where equal states may have different fingerprints.
func SureNow() (f [16]byte, why string) {
	now := atRest
	if world.W.Active() {
		now = fingerprintNow()
	}
	return now.print, cmp.Or(now.why, now.vague)
}

func fingerprintNow() (l identity) {
	s := &picture{canonical: world.Setup.States == world.AsSets,
		numbered: world.Setup.States == world.ByNumber}
	text, why := s.write()
	h := fnv.New128a()
	h.Write(text)
	h.Sum(l.print[:0])
	l.why = why
	if s.Writer != nil {
		l.vague = s.Vague
	}
	return l
}

// picture is the writing of one state.
type picture struct {
	*linear.Writer
	canonical bool
	numbered  bool
	procs     []*sched.Proc // that have not ended, in the order in which they are written
	name      []int         // of each process, by number: its place in procs
}

// write returns the text of the state.
func (s *picture) write() (text []byte, why string) {
	s.find()
	if why := s.obstacle(); why != "" {
		return nil, why
	}
	if s.canonical {
		s.order()
	}
	s.Writer = linear.New(memoryWorld{s})
	s.Met, s.ByNumber = s.contents, s.numbered
	for _, p := range s.procs {
		s.process(s.Writer, p)
	}
	s.surroundings()
	if s.numbered {
		s.numbers()
	}
	return s.Text, s.Why
}

// find lists the processes.
func (s *picture) find() {
	for _, p := range world.W.All() {
		if !p.Ended() {
			s.procs = append(s.procs, p)
		}
	}
	s.rename()
}

// rename gives the processes their names.
func (s *picture) rename() {
	s.name = make([]int, len(world.W.All()))
	for i := range s.name {
		s.name[i] = -1
	}
	for i, p := range s.procs {
		if s.name[p.ID] = i; !s.canonical {
			s.name[p.ID] = int(p.ID)
		}
	}
}

// obstacle says why the state cannot be compared, as far as that shows before anything is written.
func (s *picture) obstacle() string {
	if living.spoilt != "" {
		return living.spoilt
	}
	if _, timed := world.W.Clock.Times(); timed {
		return "a timer is armed, or a process sleeps"
	}
	for _, p := range s.procs {
		switch {
		case p.Daemon():
		case p.Op.Kind == trace.Stop:
			return "the program is about to end"
		default:
			if why := livesOf(p).match(); why != "" {
				return why
			}
		}
	}
	return ""
}

// process writes p: its place, the variables that it may use, and its declared operation.
func (s *picture) process(to *linear.Writer, p *sched.Proc) {
	if p.Daemon() {
		to.String("timer")
		return
	}
	if !s.canonical {
		to.Int(int(p.ID))
	}
	to.Int(boolean(p.Exiting()))
	l := livesOf(p)
	to.Any(l.held)
	for i, f := range l.frames {
		f.write(to, l.pcs[i])
	}
	s.operation(to, p)
	to.Int(world.W.Hidden.Made(p.ID))
	if int(p.ID) < len(world.Chance.Sequences) && world.Chance.Sequences[p.ID] != nil {
		text, _ := world.Chance.Sequences[p.ID].MarshalBinary() // it never fails
		to.Text = append(to.Text, text...)
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// write writes an activation that waits at pc.
func (f *Frame) write(to *linear.Writer, pc uintptr) {
	to.String("frame")
	to.Int(int(pc))
	for _, list := range [][]any{f.vars, f.args, f.temps, f.defers} {
		to.Int(len(list))
		for _, v := range list {
			to.Any(v)
		}
	}
	to.Int(len(f.loops))
	for _, l := range f.loops {
		to.Any(l.over)
		to.Int(l.turns)
	}
}

// operation writes the operation that p has declared.
func (s *picture) operation(to *linear.Writer, p *sched.Proc) {
	to.Int(int(p.Op.Kind))
	to.Int(boolean(p.Op.Default))
	to.Int(int(world.Scratch(p).Sync.Turn(&p.Op)))
	to.Model(p.Op.Obj)
	for _, c := range p.Op.Cases {
		to.Int(int(c.Kind))
		to.Model(c.Obj)
	}
	to.Any(p.Operand)
}

// contents writes the content of the model of an object that has just been met. Objects of package
// sync are written where they lie.
func (s *picture) contents(id int32) {
	c := world.W.Chans.ByNumber(id)
	if c == nil {
		return
	}
	kind, closed, letters, ok := c.Content()
	if !ok {
		s.Fail("a channel whose content is not known")
		return
	}
	s.Int(int(kind))
	s.Int(boolean(closed))
	s.Int(len(letters))
	for _, l := range s.sorted(kind, letters) {
		if kind == trace.Pairs || !s.canonical && trace.Mailbox(kind) {
			s.Int(s.sender(l))
		}
		if s.numbered {
			s.Int(int(l.Message.Number))
		}
		s.Any(l.Value)
	}
}

// sender names the process that sent l; all processes that have ended have one name, apart from the
// order of their messages.
func (s *picture) sender(l chans.Letter) int {
	if n := s.name[l.Message.Sender]; n >= 0 {
		return n
	}
	return -2 - int(l.Message.Sender)
}

// sorted returns the letters of a channel in the order in which the fingerprint has them. The
// letters of a mailbox are a set, or a list for each sender.
func (s *picture) sorted(kind int32, letters []chans.Letter) []chans.Letter {
	if !s.canonical && !s.numbered || !trace.Mailbox(kind) || len(letters) < 2 {
		return letters
	}
	letters = slices.Clone(letters)
	if s.numbered {
		slices.SortFunc(letters, func(a, b chans.Letter) int {
			return cmp.Or(cmp.Compare(a.Message.Sender, b.Message.Sender),
				cmp.Compare(a.Message.Number, b.Message.Number))
		})
		return letters
	}
	if kind == trace.Pairs {
		slices.SortStableFunc(letters,
			func(a, b chans.Letter) int { return cmp.Compare(s.sender(a), s.sender(b)) })
		return letters
	}
	texts := map[trace.Message][]byte{}
	for i := range letters {
		texts[letters[i].Message] = s.Shallow(reflect.ValueOf(&letters[i].Value).Elem())
	}
	slices.SortStableFunc(letters,
		func(a, b chans.Letter) int { return bytes.Compare(texts[a.Message], texts[b.Message]) })
	return letters
}

// surroundings writes the parts of the state that belong to no process.
func (s *picture) surroundings() {
	s.String("variables")
	for _, v := range state.kept {
		s.Any(v)
	}
	nows, _ := world.W.Clock.Times()
	for _, now := range nows {
		s.Int(int(now))
	}
	s.Any(world.W.Record)
	if gate.Touched {
		dir, _ := os.Getwd() // without one, it has no name
		s.String(dir)
		s.String(strings.Join(os.Environ(), "\n"))
	}
	if !s.canonical {
		s.Int(len(world.W.All()))
	}
}

// numbers writes the counts that decide later names, and the states of all objects of package sync,
// because some of these are in memory of unknown type.
func (s *picture) numbers() {
	for _, p := range world.W.All() {
		s.String(p.Path())
		s.Int(int(world.W.Chans.Posted(p.ID)))
	}
	s.Int(world.W.Objects())
	world.W.Syncs.Each(func(id int32, state [6]int) {
		s.Int(int(id))
		for _, n := range state {
			s.Int(n)
		}
	})
}

// memoryWorld implements linear.World.
type memoryWorld struct{ s *picture }

// Chan returns the number of the channel at an address.
func (memoryWorld) Chan(at unsafe.Pointer) (int32, bool) { return world.W.Chans.Number(at) }

// Sync returns the kind of the lock or similar at an address, and its state.
func (memoryWorld) Sync(at unsafe.Pointer, t reflect.Type) (int32, [6]int) {
	return world.W.Syncs.Look(at, t)
}

// Within returns the locks and similar in a piece of memory.
func (memoryWorld) Within(at unsafe.Pointer, size uintptr) []syncs.Part {
	return world.W.Syncs.Within(at, size)
}

// Proc returns the process that p is.
func (m memoryWorld) Proc(p any) (int, bool) {
	q, ok := p.(*sched.Proc)
	switch {
	case !ok:
		return 0, false
	case q == nil || int(q.ID) >= len(m.s.name):
		return -1, true
	}
	return m.s.name[q.ID], true
}

// Skip: the scheduler, and its own data, is no part of the program.
func (memoryWorld) Skip(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	path := t.PkgPath()
	return strings.HasSuffix(path, "/runtime/sched") && t.Name() != "Proc" ||
		strings.HasSuffix(path, "/runtime/model/groups")
}
