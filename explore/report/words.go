package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// verbs are the words of a chart for operations on one object.
var verbs = [trace.NumKinds]string{
	trace.Send: "send", trace.Recv: "recv", trace.Close: "close", trace.Len: "len",
	trace.Lock: "lock", trace.TryLock: "trylock", trace.Unlock: "unlock",
	trace.WLock: "wants", trace.WWait: "lock", trace.WTryLock: "trylock", trace.WUnlock: "unlock",
	trace.RLock: "rlock", trace.RTryLock: "tryrlock", trace.RUnlock: "runlock",
	trace.WgWait: "wait", trace.Once: "do", trace.OnceDone: "done", trace.Join: "join", trace.End: "end",
	trace.TimerStart: "start", trace.TimerStop: "stop", trace.TimerReset: "reset",
	trace.AtomicLoad: "load", trace.AtomicStore: "store", trace.AtomicUpdate: "update",
	trace.CondEnter: "enter", trace.CondWait: "woken by", trace.CondSignal: "signal", trace.CondBroadcast: "broadcast",
	trace.PoolGet: "get", trace.PoolPut: "put",
}

// did says in a few words what event i did; rendezvous and receives are drawn as arrows instead.
func (n *names) did(i int) string {
	e := &n.x.Events[i]
	switch e.Kind {
	case trace.Draw, trace.Pick:
		return n.chose(i)
	case trace.Default:
		return "default"
	case trace.Yield:
		return "yield"
	case trace.Stop:
		return "exit"
	case trace.Log:
		return "report"
	case trace.Now:
		return "now"
	case trace.Fire:
		return "fire"
	case trace.Settle:
		return "settled"
	case trace.Birth:
		return "go"
	case trace.Death:
		return "ended"
	case trace.Count:
		return "count goroutines"
	case trace.TimerStart, trace.TimerStop, trace.TimerReset:
		return verbs[e.Kind] + " timer"
	case trace.End:
		switch e.Op.N {
		case trace.Parked:
			return "park " + n.obj(e.Obj)
		case trace.Released:
			return "release subtests"
		}
	case trace.WLock:
		if e.OK {
			return "lock " + n.obj(e.Obj)
		}
	case trace.AtomicLoad, trace.AtomicStore:
		if e.Op.N == trace.Plain { // the accesses behind it have rows of their own
			return "pauses"
		}
	case trace.WgAdd:
		return fmt.Sprintf("%s %+d", n.obj(e.Obj), e.Op.N)
	}
	return verbs[e.Kind] + " " + n.obj(e.Obj) + numbered(e) + result(e)
}

// chose says what event i, a hidden choice, chose.
func (n *names) chose(i int) string {
	if i < len(n.x.Values) && !n.at.Secret {
		return n.x.Values[i]
	}
	if n.at.Secret {
		return n.x.Events[i].Kind.String()
	}
	return fmt.Sprintf("%v %d", n.x.Events[i].Kind, n.x.Events[i].Case)
}

// numbered says which message an event on a mailbox is about: which one of its sender's.
func numbered(e *trace.Event) string {
	if m := e.Message(); m.Number > 0 {
		return fmt.Sprintf(" #%d", m.Number)
	}
	return ""
}

func result(e *trace.Event) string {
	switch {
	case e.Closed && e.Kind == trace.Recv:
		return " (closed)"
	case e.Closed:
		return " (closed!)"
	}
	switch e.Kind {
	case trace.TryLock, trace.WTryLock, trace.RTryLock:
		if !e.OK {
			return " (no)"
		}
	case trace.Once:
		if !e.OK {
			return " (was done)"
		}
	case trace.AtomicUpdate:
		if !e.OK {
			return " (no change)"
		}
	case trace.PoolGet:
		if !e.OK {
			return " (empty)"
		}
	}
	return ""
}

// waits says what a process that declared op waits for, to follow the process's name.
func (n *names) waits(op *trace.Op) string {
	switch op.Kind {
	case trace.Send:
		return "waits to send to " + n.object(op.Obj)
	case trace.Recv:
		return "waits to receive from " + n.object(op.Obj)
	case trace.Select:
		return n.waitsInSelect(op)
	case trace.Lock:
		return "waits to lock " + n.object(op.Obj) + n.holder(op.Obj, trace.Lock, trace.TryLock, trace.Unlock)
	case trace.WLock:
		return "waits to lock " + n.object(op.Obj) + n.holder(op.Obj, trace.WLock, trace.WTryLock, trace.WUnlock)
	case trace.WWait:
		return "waits to lock " + n.object(op.Obj) + n.readers(op.Obj)
	case trace.RLock:
		return "waits to read-lock " + n.object(op.Obj) + n.holder(op.Obj, trace.WLock, trace.WTryLock, trace.WUnlock)
	case trace.WgWait:
		return fmt.Sprintf("waits for %s, whose counter is %d", n.object(op.Obj), n.counter(op.Obj))
	case trace.Once:
		return "waits for " + n.object(op.Obj) + ", which another process is running"
	case trace.Fire:
		return "sleeps"
	case trace.Join:
		return "waits for " + n.object(op.Obj)
	case trace.Settle:
		return "waits until all others of its bubble are durably blocked"
	case trace.CondWait:
		return "waits to be woken by " + n.object(op.Obj)
	}
	return "is about to " + op.Kind.String()
}

func (n *names) waitsInSelect(op *trace.Op) string {
	if len(op.Cases) == 0 {
		return "waits in a select without cases"
	}
	var cases []string
	for _, c := range op.Cases {
		cases = append(cases, verbs[c.Kind]+" "+n.obj(c.Obj))
	}
	return "waits in a select: " + strings.Join(cases, ", ")
}

// holder finds the process that took object o last and has not given it back.
func (n *names) holder(o int32, take, try, release trace.Kind) string {
	last := -1
	for i := range n.x.Events {
		e := &n.x.Events[i]
		switch {
		case e.Obj != o:
		case e.Kind == take || e.Kind == try && e.OK:
			last = i
		case e.Kind == release:
			last = -1
		}
	}
	switch {
	case last >= 0 && n.announced(last):
		return ", for which " + n.proc(n.x.Events[last].Proc) + " waits to write" + n.since(last)
	case last >= 0:
		return ", held by " + n.proc(n.x.Events[last].Proc) + n.since(last)
	case n.x.Began(o).Held && !n.released(o, release):
		return ", which was locked when it was first used"
	}
	return ""
}

// announced reports whether an event is a writer's that keeps readers out of an RWMutex, and still
// waits for those that are in.
func (n *names) announced(event int) bool {
	e := &n.x.Events[event]
	if e.Kind != trace.WLock || e.OK || int(e.Proc) >= len(n.x.Procs) {
		return false
	}
	p := &n.x.Procs[e.Proc]
	return !p.Ended && p.Pending.Kind == trace.WWait && p.Pending.Obj == e.Obj
}

// released reports whether somebody has unlocked object o.
func (n *names) released(o int32, release trace.Kind) bool {
	return slices.ContainsFunc(n.x.Events, func(e trace.Event) bool { return e.Obj == o && e.Kind == release })
}

func (n *names) since(event int) string {
	if event >= len(n.x.Sites) || n.x.Sites[event] == "" {
		return ""
	}
	return " since " + n.at.Line(n.x.Sites[event])
}

// readers says how many readers keep the announced writer out of object o.
func (n *names) readers(o int32) string {
	count := int(n.x.Began(o).Readers)
	for i := range n.x.Events {
		e := &n.x.Events[i]
		switch {
		case e.Obj != o:
		case e.Kind == trace.RLock || e.Kind == trace.RTryLock && e.OK:
			count++
		case e.Kind == trace.RUnlock:
			count--
		}
	}
	return ", which has " + plural(count, "reader")
}

func (n *names) counter(o int32) int {
	sum := int(n.x.Began(o).Count)
	for i := range n.x.Events {
		if e := &n.x.Events[i]; e.Kind == trace.WgAdd && e.Obj == o {
			sum += int(e.Op.N)
		}
	}
	return sum
}
