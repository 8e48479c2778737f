package explore

import "github.com/rehearse-go/rehearse/runtime/trace"

// turn is the number of steps after which an execution that goes on by itself goes on elsewhere:
// two processes that exchange messages for ever must not keep a third one waiting. It is a prime:
// after each 256 steps, a loop of four steps that holds a mutex for two of them might hold it each
// time.
const turn = 257

// Onward is the choice if nothing else decides: the process that moved last goes on if it can and
// if that leads anywhere, else the first one that can. Executions that go on in this way have few
// switches. They are fair: a process that polls in vain lets the others go first, and now and then
// another process has its turn anyway. Timers fire last.
func Onward(s *trace.State) int { return OnwardBut(s, func(int) bool { return false }) }

// OnwardBut is Onward among the alternatives that skip does not reject; -1 if there is none.
func OnwardBut(s *trace.State, skip func(i int) bool) int {
	moves := len(s.Alts)
	for moves > 0 && s.Procs[s.Alts[moves-1].Proc].Kind.Late() {
		moves--
	}
	if i := onwardOf(s, s.Alts[:moves], skip); i >= 0 {
		return i
	}
	return firstFrom(s.Alts, moves, skip)
}

// onwardOf is OnwardBut among alts, which is a prefix of s.Alts.
func onwardOf(s *trace.State, alts []trace.Alt, skip func(i int) bool) int {
	switch {
	case len(alts) == 0:
		return -1
	case s.Announces && announcement(s, alts, skip) >= 0:
		return announcement(s, alts, skip)
	case s.Depth%turn == turn-1:
		return firstFrom(alts, usual(s, alts, int(scatter(s.Depth/turn)%uint32(len(alts)))), skip)
	case polls(s):
		return firstFrom(alts, after(alts, s.Last), skip)
	}
	first := -1
	for i := range alts {
		a := &alts[i]
		if first >= 0 && !a.Involves(s.Last) || skip(i) {
			continue
		}
		if a.Involves(s.Last) {
			return i
		}
		first = i
	}
	return first
}

// announcement returns the first alternative that announces something; -1 if there is none.
func announcement(s *trace.State, alts []trace.Alt, skip func(i int) bool) int {
	for i := range alts {
		if op := s.Procs[alts[i].Proc]; op.Kind == trace.Yield && op.N == trace.Announced &&
			!skip(i) {
			return i
		}
	}
	return -1
}

// polls reports whether the process that moved last gets nowhere: it yielded, or was idle twice. A
// Yield by which it announces something, or leaves a loop (Op.N), is no poll.
func polls(s *trace.State) bool {
	if s.Depth == 0 || !s.Events[s.Depth-1].Idle() ||
		s.Events[s.Depth-1].Op.N != 0 && s.Events[s.Depth-1].Kind == trace.Yield {
		return false
	}
	return s.Events[s.Depth-1].Kind == trace.Yield ||
		s.Depth > 1 && s.Events[s.Depth-2].Idle() && s.Events[s.Depth-2].Proc == s.Last
}

// usual goes from an alternative of a hidden choice back to its first one, which is taken without
// such choices.
func usual(s *trace.State, alts []trace.Alt, i int) int {
	for i > 0 && alts[i-1].Proc == alts[i].Proc && s.Procs[alts[i].Proc].Kind.Hidden() {
		i--
	}
	return i
}

// firstFrom returns the first alternative from number start on, round the end, that skip does not
// reject.
func firstFrom(alts []trace.Alt, start int, skip func(i int) bool) int {
	n := len(alts)
	for i := range n {
		if k := (start + i) % n; !skip(k) {
			return k
		}
	}
	return -1
}

// after returns the first alternative of a process with a higher number than p, or 0.
func after(alts []trace.Alt, p int32) int {
	for i, a := range alts {
		if a.Proc > p {
			return i
		}
	}
	return 0
}

// scatter keeps turns from falling into step with the program.
func scatter(n int) uint32 {
	h := uint32(n+1) * 0x9e3779b1
	return (h ^ h>>15) * 0x85ebca77 >> 8
}

// Made returns the alternatives that made x.
func Made(x *trace.Execution) []trace.Alt {
	alts := make([]trace.Alt, len(x.Events))
	for i := range x.Events {
		alts[i] = x.Events[i].Alt
	}
	return alts
}

// Choices returns the alternatives that make x in a search that serves no channel (trace.Served):
// there a send and the receive of its value are a rendezvous, or two steps.
func Choices(x *trace.Execution) []trace.Alt {
	alts, silent := make([]trace.Alt, 0, len(x.Events)), x.Silent
	for i := range x.Events {
		for ; len(silent) > 0 && int(silent[0].After) <= i; silent = silent[1:] {
			alts = append(alts, silent[0].Alt)
		}
		e := &x.Events[i]
		if e.Op.IsLeave() {
			continue
		}
		alts = append(alts, e.Alt)
		switch q, is := e.Server(); {
		case is && e.Cap == trace.Served:
			alts[len(alts)-1].Partner = q
			alts[len(alts)-1].PartnerCase = awaitedIn(x, i, q, e.Obj)
		case is:
			alts = trace.Alone(alts, q, 0)
		case e.Partner >= 0 && e.Op.Cap == trace.Serviced:
			alts[len(alts)-1].Partner = -1
			alts = trace.Alone(alts, e.Partner, 0)
		}
	}
	for _, s := range silent {
		alts = append(alts, s.Alt)
	}
	return alts
}

// awaitedIn returns the case in which process q receives from an object at its next operation after
// event i, which it had declared before event i, too.
func awaitedIn(x *trace.Execution, i int, q, obj int32) int32 {
	for k := i + 1; k < len(x.Events); k++ {
		switch e := &x.Events[k]; q {
		case e.Proc:
			return max(e.Op.ReceivesIn(obj), 0)
		case e.Partner:
			return max(e.PartnerOp.ReceivesIn(obj), 0)
		}
	}
	return max(x.Procs[q].Pending.ReceivesIn(obj), 0)
}

// Script makes given choices, and then lets the execution run on. It cuts the execution off if a
// choice is not possible. One that is only held back is possible: whether it is may depend on
// whether sections commute in the search that made it.
type Script struct {
	Alts   []trace.Alt
	Missed int    // 1 + the depth at which the choice was not possible; 0 if there is none
	Got    string // what was possible there
}

// Choose implements trace.Chooser.
func (c *Script) Choose(s *trace.State) int {
	if s.Depth == 0 {
		c.Missed = 0
	}
	if s.Depth >= len(c.Alts) {
		return Onward(s)
	}
	i := index(s.Alts, c.Alts[s.Depth])
	if j := index(s.Held, c.Alts[s.Depth]); i < 0 && j >= 0 {
		s.Alts, i = s.Held, j
	}
	if i < 0 {
		c.Missed, c.Got = s.Depth+1, possible(s)
	}
	return i
}

func index(alts []trace.Alt, a trace.Alt) int {
	for i := range alts {
		if alts[i] == a {
			return i
		}
	}
	return -1
}
