package stable_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/stable"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// stage is a state in which processes wait, each for one mailbox, which has its number, and a view
// of it. Its messages have been sent by process 0.
type stage struct {
	class   []string          // by process
	mail    []mail            // under way
	holds   map[[2]int32]bool // the first process knows the second
	makes   map[[2]int32]bool // the first process has made the mailbox of the second
	carries map[[2]int32]bool // message of that number, from 1, leads to that process
}

type mail struct {
	to   int32
	task string // "" if that is not known
}

func (st *stage) At(*trace.State)                       {}
func (st *stage) Class(p int32) string                  { return st.class[p] }
func (st *stage) Carries(m trace.Message, a int32) bool { return st.carries[[2]int32{m.Number, a}] }
func (st *stage) Holds(p, a int32) bool {
	return st.Told(p, a) || st.makes[[2]int32{p, a}]
}
func (st *stage) Told(p, a int32) bool { return st.holds[[2]int32{p, a}] }

func (st *stage) Targets(p int32, m trace.Message) []facts.Target {
	if task := st.mail[m.Number-1].task; task != "" {
		return []facts.Target{{Actor: st.class[p], Handler: task}}
	}
	return nil
}

// state is what a scheduler would show.
func (st *stage) state() *trace.State {
	s := &trace.State{Depth: len(st.mail)}
	for p := range st.class {
		s.Procs = append(s.Procs, &trace.Op{Kind: trace.Recv, Obj: int32(p)})
	}
	for i, m := range st.mail {
		number := int32(i + 1)
		e := trace.Event{}
		e.Kind, e.Obj, e.Cap, e.Seq = trace.Send, m.to, trace.Bag, number
		s.Events = append(s.Events, e)
		s.Alts = append(s.Alts,
			trace.Alt{Proc: m.to, Partner: -1, Takes: trace.Message{Number: number}})
	}
	return s
}

func call(from, m, to, n string) facts.Call {
	return facts.Call{From: facts.Target{Actor: from, Handler: m},
		To: facts.Target{Actor: to, Handler: n}}
}

// The actors of the tests: a target, and others that may send to it.
const (
	target = 0
	sender = 1
	other  = 2
)

// TestTheorem has the conditions of Theorem 1, one by one: a task breaks the stability of the
// target only if it may cause one of the target's class, and its actor, or one on the way, may know
// the target.
func TestTheorem(t *testing.T) {
	calls := []facts.Call{call("Sender", "send", "Target", "m"),
		call("Sender", "ask", "Other", "pass"), call("Other", "pass", "Target", "m")}
	knows := func(p, a int32) map[[2]int32]bool { return map[[2]int32]bool{{p, a}: true} }
	for _, c := range []struct {
		name    string
		mail    []mail
		holds   map[[2]int32]bool
		carries map[[2]int32]bool
		stable  bool
	}{
		{name: "its own tasks break nothing", mail: []mail{{target, "m"}, {target, ""}},
			stable: true},
		{name: "the task causes nothing", mail: []mail{{sender, "idle"}},
			holds:  knows(sender, target),
			stable: true},
		{name: "nobody knows the target", mail: []mail{{sender, "send"}, {sender, "ask"}},
			stable: true},
		{name: "the actor holds it", mail: []mail{{sender, "send"}}, holds: knows(sender, target)},
		{name: "the message carries it", mail: []mail{{sender, "send"}}, carries: knows(1, target)},
		{name: "somebody on the way holds it", mail: []mail{{sender, "ask"}},
			holds: knows(other, target)},
		{name: "somebody who is not on the way holds it", mail: []mail{{sender, "send"}},
			holds: knows(other, target), stable: true},
		{name: "another message tells the one on the way",
			mail:    []mail{{sender, "ask"}, {other, "keep"}},
			carries: knows(2, target)},
		{name: "a task of which nothing is known", mail: []mail{{sender, ""}}},
	} {
		st := &stage{class: []string{"Target", "Sender", "Other"}, mail: c.mail, holds: c.holds,
			carries: c.carries}
		if got := stable.New(calls, st).Stable(st.state(), target); got != c.stable {
			t.Errorf("%s: stable %v, want %v", c.name, got, c.stable)
		}
	}
}

// TestTells: an actor that has nobody to tell of the target keeps it to itself.
func TestTells(t *testing.T) {
	calls := []facts.Call{call("Sender", "ask", "Other", "pass"),
		call("Other", "pass", "Target", "m")}
	st := &stage{class: []string{"Target", "Sender", "Other"}, mail: []mail{{sender, "ask"}},
		holds: map[[2]int32]bool{{sender, target}: true}}
	if o := stable.New(calls, st); o.Stable(st.state(), target) {
		t.Error("stable although the sender may tell the other one of it")
	}
	o := stable.New(calls, st).Tells(func(from, to string) bool { return false })
	if !o.Stable(st.state(), target) {
		t.Error("not stable although no call carries a reference")
	}
}

// TestEarly: what a goroutine does before it waits for anything has been done.
func TestEarly(t *testing.T) {
	early := call("Other", "pass", "Target", "m")
	early.Early = true
	st := &stage{class: []string{"Target", "Sender", "Other"}, mail: []mail{{sender, "ask"}},
		holds: map[[2]int32]bool{{other, target}: true}}
	if o := stable.New([]facts.Call{call("Sender", "ask", "Other", "pass"), early},
		st); !o.Stable(st.state(), target) {
		t.Error("not stable although the other one has sent what it sends")
	}
}

// TestLevels has ka, kb and kc of Def. 3, a call under a condition, and tasks of one actor, which
// count once.
func TestLevels(t *testing.T) {
	conditional := call("Sender", "may", "Target", "m")
	conditional.Depth = 1
	calls := []facts.Call{call("Sender", "send", "Target", "m"), conditional,
		call("Sender", "ask", "Other", "pass"), call("Other", "pass", "Target", "m")}
	for _, c := range []struct {
		name string
		mail []mail
		by   int32 // who knows the target
		want float64
	}{
		{"ka", []mail{{sender, "send"}}, sender, 100},
		{"ka, under a condition", []mail{{sender, "may"}}, sender, 50},
		{"kb", []mail{{sender, "ask"}}, sender, 10},
		{"kc", []mail{{sender, "ask"}}, other, 1},
		{"two of one actor", []mail{{sender, "send"}, {sender, "send"}, {sender, "ask"}}, sender,
			100},
		{"two actors", []mail{{sender, "ask"}, {other, "pass"}}, other, 101},
		{"none", []mail{{sender, "send"}}, target, 0},
		{"a task of which nothing is known", []mail{{sender, ""}}, sender, 1},
	} {
		st := &stage{class: []string{"Target", "Sender", "Other"}, mail: c.mail,
			holds: map[[2]int32]bool{{c.by, target}: true}}
		if got := stable.New(calls, st).Level(st.state(), target); got != c.want {
			t.Errorf("%s: level %v, want %v", c.name, got, c.want)
		}
	}
}

// TestMade: that a task of which nothing is known may send to the target says nothing if its actor
// has only made the target's mailbox.
func TestMade(t *testing.T) {
	level := func(st stage) float64 {
		st.class, st.mail = []string{"Target", "Sender", "Other"}, []mail{{sender, ""}}
		return stable.New(nil, &st).Level(st.state(), target)
	}
	knows := map[[2]int32]bool{{sender, target}: true}
	if made, told := level(stage{makes: knows}), level(stage{holds: knows}); made != 0 ||
		told == 0 {
		t.Errorf("levels %v and %v", made, told)
	}
}

// TestRank: what is proved comes first, then what is less unstable.
func TestRank(t *testing.T) {
	calls := []facts.Call{call("Sender", "send", "Target", "m"),
		call("Other", "pass", "Sender", "send")}
	st := &stage{class: []string{"Target", "Sender", "Other"},
		mail:  []mail{{target, "m"}, {sender, "send"}, {other, "pass"}},
		holds: map[[2]int32]bool{{sender, target}: true, {other, sender}: true}}
	got := stable.New(calls, st).Rank(st.state(), nil)
	if len(got) != 3 || got[other] != 0 || got[target] == 0 || got[sender] == 0 {
		t.Errorf("ranks of target, sender and other: %v; only the other one is stable", got)
	}
}
