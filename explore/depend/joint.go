package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint receives. Two sends of equal values into one channel that has room for both leave the same
// buffer in either order. That alone does not make the sends commute. Take sends s1, s2 and a
// receive r: r takes the value of the send that came first. So r happens after one of the two, but
// which one is open; and "one of several" is no partial order.
//
// Vocabulary: a joint receive is a run of plain receives of one process from one channel. In
// between the process does nothing that anybody else can tell. The receives are of no group
// (trace.NoGroup) and take equal values, or they are of one group and take any values: their
// process only adds the values up. A joint receive is like one operation, "take k values, in any
// order", which happens after all k sends: that is a partial order again. So in a complete
// execution
//   - two sends commute if one joint receive takes the values of both;
//   - the last receive of a joint receive happens after all its sends;
//   - the other receives, which are within it, happen after the earlier events of their process,
//     and after no send: any of the sends, if it comes first, enables the first receive, and only
//     the last receive happens after them.
//
// All other pairs are ordered as before: sends whose values different joint receives take, a joint
// receive and another receive, and a send whose value is taken and one whose value is not.
//
// A run ends with any other event of the process, such as an operation on another channel, and with
// a process that it starts. It ends with an access to a variable that others may touch
// (trace.Touched), because the access may be in a data race only if the other send came first. It
// ends with a value that is not known to be equal, unless the receives are of one group, and with a
// receive of another group, or of none. It also ends with a barrier, before which everything
// possible has been received.
//
// Why nobody can tell executions of one such order apart. Take an execution with a joint receive of
// s1 .. sk. All its receives but the last can be done right before the last one. Their process does
// nothing else. No event of another process depends on them, as only this process looks at the
// channel, and the channel has room for all values even if none is received. Then all k sends come
// before the receives, and two adjacent sends can change places: the buffer is the same. If two
// sends are not adjacent and one happens before the other, they cannot, in either relation. The
// receiver gets the same values, and goes on in the same way after the last of them. The order of
// accesses to variables is the same, too: the receives pass on what all k senders know, and no
// access or event uses that before the last receive. A run may never be completed, because nothing
// more is sent. That makes no difference: its receives are the joint receive, and all sends are its
// own.
//
// If the values differ, the receiver gets them in another order. Package analysis/fanin proves
// three things of the receives of one group. Within the run, the values affect only the
// accumulators of the process, which nobody reads there. So in each order the run has as many
// receives, at the same places. None of the values makes the process panic. For each k, the state
// is the same after the last of k receives and the quiet steps after it. So the run may end
// anywhere. If it ends because nothing more comes, or the program ends, the state may depend on
// which sends have come, but not on their order. An event that ends a run inside of a group, such
// as an announced access, divides it into smaller runs. The content of the buffer does differ in
// between. Only the receiver could look there, and it does not before it has taken all values.
//
// Channels without joint receives: channels that are not Lazy (they lack room for all that is sent,
// or were made before the execution; for channels without any room, see meeting.go), and channels
// at which more than one process looks. Such a process could count the values while the run of
// another process goes on: it receives, asks for len, or has a select with a default branch and a
// case of the channel.
//
// LIMITS: operations of code that is not rewritten are not seen, nor are accesses that are not
// announced. If these are part of a data race, findings of the other order are lost. A value that
// is sent in a select has no number, so it equals no other value.

// jointReceives has the joint receives of an execution. Before Observe has found them, there are
// none.
type jointReceives struct {
	joint    []int32 // by event: what it has to do with joint receives; empty: all are alone
	spans    []span  // the joint receives
	replaced []int32 // scratch
}

// alone and within say how an event belongs to joint receives. Numbers from 0 on say of which joint
// receive it is a part: as one of the sends, or as the last receive.
const (
	alone  int32 = -1
	within int32 = -2
)

// span is a joint receive: the numbers (Event.Seq) of its first and last value.
type span struct {
	first, last int32
	group       int32 // of its receives; NoGroup: they take equal values
}

// Joins reports whether there is a joint receive.
func (r *jointReceives) Joins() bool { return len(r.spans) > 0 }

// Together reports whether events i and k, two sends or a send and the last receive, are parts of
// one joint receive.
func (r *jointReceives) Together(i, k int32) bool {
	return r.Joint(i) && int(k) < len(r.joint) && r.joint[i] == r.joint[k]
}

// Joint reports whether event k is a send, or the last receive, of a joint receive.
func (r *jointReceives) Joint(k int32) bool { return int(k) < len(r.joint) && r.joint[k] >= 0 }

// Within reports whether event k is a receive of a joint receive, and not the last one.
func (r *jointReceives) Within(k int32) bool {
	return int(k) < len(r.joint) && r.joint[k] == within
}

// forgetJoints makes every event alone.
func (r *jointReceives) forgetJoints() { r.joint, r.spans = r.joint[:0], r.spans[:0] }

// join replaces those of found[from:] that are sends into the channel of event k by the sends after
// which k comes. A receive within a joint receive comes after none. A send comes after the send
// before its own joint receive, if this takes both. Any other event comes after all sends of their
// joint receive, instead of its last one. sends has all sends into the channel so far.
func (r *jointReceives) join(events []trace.Event, k int32, found []int32, from int,
	sends lane) []int32 {
	kept, replaced := found[:from], r.replaced[:0]
	for _, p := range found[from:] {
		if events[p].Kind == trace.Send {
			replaced = append(replaced, p)
		} else {
			kept = append(kept, p)
		}
	}
	r.replaced = replaced
	for _, p := range replaced {
		switch {
		case r.Within(k):
		case events[k].Kind == trace.Send && r.Together(p, k):
			var before [1]int32
			first := r.spans[r.joint[k]].first
			for _, q := range slot(events, sends, first-1, before[:0]) {
				kept = r.members(events, q, sends, kept)
			}
		default:
			kept = r.members(events, p, sends, kept)
		}
	}
	return kept
}

// members appends event p, a send, and all sends whose values the same joint receive takes.
func (r *jointReceives) members(events []trace.Event, p int32, sends lane, dst []int32) []int32 {
	if !r.Joint(p) {
		return append(dst, p)
	}
	s := r.spans[r.joint[p]]
	for seq := s.first; seq <= s.last; seq++ {
		dst = slot(events, sends, seq, dst)
	}
	return dst
}

// run is a joint receive, of one process, that may go on.
type run struct {
	open  bool
	event int32 // the last receive
	span  int32 // alone: there has been only one receive so far
	// the group of all receives; NoGroup: they take equal values; of a single receive, its own
	// group
	group int32
}

// joints is the search for joint receives in one execution; its memory is reused.
type joints struct {
	x       *trace.Execution
	r       *jointReceives
	looker  []int32   // by channel: the process that looks at it, nobody, or several
	sends   [][]int32 // by channel: the sends that put a value into it
	runs    []run     // by process
	started []bool    // by event: a process was started after it
}

// joints.looker has these beside processes.
const (
	nobody  int32 = -1
	several int32 = -2 // more than one
)

// find finds the joint receives of x, and enters them in r, which has none.
func (j *joints) find(r *jointReceives, x *trace.Execution, least int32) {
	j.r, j.x = r, x
	j.begin()
	for k := range x.Events {
		e := &x.Events[k]
		if j.see(e.Proc, &e.Op); e.Partner >= 0 {
			j.see(e.Partner, &e.PartnerOp)
		}
		if e.Kind == trace.Send && Lazy(x, e, least) {
			j.reach(e.Obj)
			j.sends[e.Obj] = append(j.sends[e.Obj], int32(k))
		}
	}
	for q := range x.Procs {
		j.see(int32(q), &x.Procs[q].Pending)
	}
	for k := range x.Events {
		j.step(int32(k))
	}
}

// begin makes j empty.
func (j *joints) begin() {
	for obj := range j.looker {
		j.looker[obj], j.sends[obj] = nobody, j.sends[obj][:0]
	}
	j.runs, j.started = cleared(j.runs, len(j.x.Procs)), cleared(j.started, len(j.x.Events))
	for q := range j.x.Procs {
		for _, since := range [...]int32{j.x.Procs[q].Born, j.x.Procs[q].After} {
			if since > 0 {
				j.started[since-1] = true
			}
		}
	}
	for range j.x.Events {
		j.r.joint = append(j.r.joint, alone)
	}
}

// cleared returns n zeros in the memory of s.
func cleared[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// reach makes room for a channel.
func (j *joints) reach(obj int32) {
	for int(obj) >= len(j.looker) {
		j.looker, j.sends = append(j.looker, nobody), append(j.sends, nil)
	}
}

// see takes down at which channels process q looks with an operation that it has declared.
func (j *joints) see(q int32, op *trace.Op) {
	if op.Kind == trace.Recv || op.Kind == trace.Len {
		j.looks(q, op.Obj)
	}
	for _, c := range op.Cases {
		if op.Default || c.Kind == trace.Recv {
			j.looks(q, c.Obj)
		}
	}
}

func (j *joints) looks(q, obj int32) {
	if obj < 0 {
		return
	}
	if j.reach(obj); j.looker[obj] != nobody && j.looker[obj] != q {
		q = several
	}
	j.looker[obj] = q
}

// step goes on with event k.
func (j *joints) step(k int32) {
	e := &j.x.Events[k]
	if IsBarrier(e) {
		clear(j.runs)
	}
	if e.Partner >= 0 {
		j.runs[e.Partner].open = false
	}
	at := &j.runs[e.Proc]
	if e.Op.Kind == trace.Recv && effectOf(e) == received && j.isPlain(e) {
		j.receive(at, k)
	} else {
		at.open = false
	}
	if j.started[k] {
		at.open = false
	}
}

// isPlain reports whether e, a receive, may be a part of a joint receive. This is so if no other
// process looks at its channel, the channel has room for all that is sent, and a plain send has
// sent the value that e takes.
func (j *joints) isPlain(e *trace.Event) bool {
	if e.Obj < 0 || int(e.Obj) >= len(j.sends) || int(e.Seq) >= len(j.sends[e.Obj]) ||
		j.looker[e.Obj] == several {
		return false
	}
	return j.sendOf(e).Kind == trace.Send
}

// sendOf returns the operation that sent the value of e, a plain receive.
func (j *joints) sendOf(e *trace.Event) *trace.Op { return &j.x.Events[j.sends[e.Obj][e.Seq]].Op }

// receive adds event k to a run, or begins another one.
func (j *joints) receive(at *run, k int32) {
	e := &j.x.Events[k]
	group, goesOn := j.goesOn(at, e)
	if !goesOn {
		*at = run{open: true, event: k, span: alone, group: groupOf(e)}
		return
	}
	r, sends := j.r, j.sends[e.Obj]
	if at.span == alone {
		at.span, at.group = int32(len(r.spans)), group
		r.spans = append(r.spans, span{first: e.Seq - 1, group: group})
		r.joint[sends[e.Seq-1]] = at.span
	}
	r.spans[at.span].last = e.Seq
	r.joint[at.event], r.joint[k], r.joint[sends[e.Seq]] = within, at.span, at.span
	at.event = k
}

// goesOn reports whether e continues a run, and the group of the run if it does. All receives of a
// run are of one group, or all are of none and take one value. For example, let receives take a, a,
// b, and let only the second and the third be of one group. Then these two may come in the other
// order, and the two values a are no longer adjacent.
func (j *joints) goesOn(at *run, e *trace.Event) (group int32, ok bool) {
	if !at.open {
		return trace.NoGroup, false
	}
	before := &j.x.Events[at.event]
	group, touched := e.Op.Group()
	if touched || group != at.group || before.Obj != e.Obj || before.Seq+1 != e.Seq {
		return trace.NoGroup, false
	}
	value := j.sendOf(e).N
	return group, group != trace.NoGroup || value != trace.NoValue && value == j.sendOf(before).N
}

func groupOf(e *trace.Event) int32 {
	group, _ := e.Op.Group()
	return group
}
