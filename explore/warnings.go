package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Warnings: the end of an execution of actors may look suspicious and need not be wrong. M. Dotta,
// "State Exploration of Scala Actor Programs" (MSc thesis, 2009), sections 3.2, 4.1 and 4.3.
//
//	thesis                                 here
//	TERMINATED, DESTROYED                  Terminated: nothing starts a process again
//	IDLE: waits for a message              Idle
//	BLOCKED: waits for an answer           Blocked: it waits, and sent a message right before, or waits for something else
//	RUNNING, SUSPENDED                     Running: a process begins at once
//	undelivered message, actor not alive   dead-letter
//	circular dependency of BLOCKED ones    circular-wait

// Life is the state of an actor's life.
type Life string

// The states of an actor's life.
const (
	Running    Life = "running"
	Idle       Life = "idle"
	Blocked    Life = "blocked"
	Terminated Life = "terminated"
)

// Warning kinds.
const (
	DeadLetter   = "dead-letter"   // a message that was never received, to an actor that has ended
	Orphan       = "orphan"        // a message that was never received, to one that has not
	CircularWait = "circular-wait" // actors that wait for each other's answers, or locks
)

// Warnings lists what is suspicious about the end of x, each once, with its kind in front: nothing
// unless all is at rest. Only mailboxes count, which need a delivery model other than Go's: a
// channel that is not empty in the end means little.
func Warnings(x *trace.Execution) []string {
	if x.End != trace.Quiet {
		return nil
	}
	h := newHistory(x)
	var list []string
	for _, text := range append(h.undelivered(), h.circles()...) {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// history is what an execution tells about its actors.
type history struct {
	x         *trace.Execution
	mailboxes []int32                   // with messages, in the order of their first ones
	pending   map[int32][]trace.Message // of a mailbox
	receivers map[int32][]int32         // of a mailbox: who has received, or waits to
	last      map[int32]*trace.Event    // of a process
	holders   map[int32]int32           // of a lock
}

func newHistory(x *trace.Execution) *history {
	h := &history{x, nil, map[int32][]trace.Message{}, map[int32][]int32{},
		map[int32]*trace.Event{},
		map[int32]int32{}}
	for i := range x.Events {
		h.add(&x.Events[i])
	}
	for p := range x.Procs {
		h.waits(int32(p), &x.Procs[p].Pending)
	}
	return h
}

func (h *history) add(e *trace.Event) {
	h.last[e.Proc] = e
	if e.Partner >= 0 {
		h.last[e.Partner] = e
	}
	switch m := e.Message(); {
	case m.Number > 0 && e.Kind == trace.Send:
		if _, known := h.pending[e.Obj]; !known {
			h.mailboxes = append(h.mailboxes, e.Obj)
		}
		h.pending[e.Obj] = append(h.pending[e.Obj], m)
	case m.Number > 0:
		h.pending[e.Obj] = slices.DeleteFunc(h.pending[e.Obj],
			func(n trace.Message) bool { return n == m })
		h.receives(e.Proc, e.Obj)
	case e.Kind == trace.Lock || e.Kind == trace.TryLock && e.OK:
		h.holders[e.Obj] = e.Proc
	case e.Kind == trace.Unlock:
		delete(h.holders, e.Obj)
	}
}

// waits notes the mailboxes that p waits to receive from.
func (h *history) waits(p int32, op *trace.Op) {
	if op.Kind == trace.Recv && trace.Mailbox(op.Cap) {
		h.receives(p, op.Obj)
	}
	for _, c := range op.Cases {
		if c.Kind == trace.Recv && trace.Mailbox(c.Cap) {
			h.receives(p, c.Obj)
		}
	}
}

func (h *history) receives(p, mailbox int32) {
	if !slices.Contains(h.receivers[mailbox], p) {
		h.receivers[mailbox] = append(h.receivers[mailbox], p)
	}
}

// undelivered lists the mailboxes in which messages are left.
func (h *history) undelivered() (texts []string) {
	for _, obj := range h.mailboxes {
		n, receivers := len(h.pending[obj]), h.receivers[obj]
		alive := slices.IndexFunc(receivers, func(p int32) bool { return !h.x.Procs[p].Ended })
		what := fmt.Sprintf("%d messages are", n)
		if n == 1 {
			what = "a message is"
		}
		switch {
		case n == 0:
		case len(receivers) == 0:
			texts = append(texts, fmt.Sprintf("%s: %s in a mailbox that nobody receives from",
				Orphan, what))
		case alive >= 0:
			texts = append(texts, fmt.Sprintf("%s: %s left for %s, which goes on", Orphan, what,
				h.x.Procs[receivers[alive]].Name))
		default:
			texts = append(texts, fmt.Sprintf("%s: %s left for %s, which has ended", DeadLetter,
				what,
				h.x.Procs[receivers[0]].Name))
		}
	}
	return texts
}

// life returns the state of p's life.
func (h *history) life(p int32) Life {
	op := &h.x.Procs[p].Pending
	switch {
	case h.x.Procs[p].Ended:
		return Terminated
	case !slices.Contains(h.x.Blocked, p):
		return Running
	case receives(op) && !h.asked(p):
		return Idle
	}
	return Blocked
}

// receives reports whether op waits for a message, whoever sends it.
func receives(op *trace.Op) bool {
	return op.Kind == trace.Recv ||
		len(op.Cases) > 0 && !slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
			return c.Kind != trace.Recv
		})
}

// asked reports whether the last thing that p has done was to send a message.
func (h *history) asked(p int32) bool {
	e := h.last[p]
	return e != nil && e.Kind == trace.Send && e.Proc == p && trace.Mailbox(e.Cap)
}

// awaits returns the process that p, which is Blocked, waits for; -1 if that is not known.
func (h *history) awaits(p int32) int32 {
	op := &h.x.Procs[p].Pending
	if op.Kind == trace.Lock {
		if holder, held := h.holders[op.Obj]; held {
			return holder
		}
		return -1
	}
	if receives(op) && h.asked(p) {
		if to := h.receivers[h.last[p].Obj]; len(to) == 1 && to[0] != p {
			return to[0]
		}
	}
	return -1
}

// circles lists the circles of processes that wait for each other.
func (h *history) circles() (texts []string) {
	seen := map[int32]bool{}
	for _, p := range h.x.Blocked {
		var path []int32
		for q := p; q >= 0 && h.life(q) == Blocked; q = h.awaits(q) {
			if i := slices.Index(path, q); i >= 0 {
				texts = append(texts, h.circle(path[i:]))
				break
			}
			if seen[q] {
				break
			}
			path = append(path, q)
		}
		for _, q := range path {
			seen[q] = true
		}
	}
	return texts
}

func (h *history) circle(path []int32) string {
	var names []string
	for _, p := range append(path, path[0]) {
		names = append(names, h.name(p))
	}
	return CircularWait + ": " + strings.Join(names, " waits for ")
}

// name is that of a process, with a number where several have it.
func (h *history) name(p int32) string {
	name, nth, all := h.x.Procs[p].Name, 0, 0
	for q := range h.x.Procs {
		if h.x.Procs[q].Name == name {
			all++
			if int32(q) <= p {
				nth++
			}
		}
	}
	if all == 1 {
		return name
	}
	return fmt.Sprintf("%s#%d", name, nth)
}
