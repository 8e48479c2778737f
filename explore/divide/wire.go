package divide

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Between machines, each task and each report is a message that can be decoded by itself, unlike
// the streams between a helper and the process that has started it.

// Largest bounds a message, in bytes.
const Largest = 16 << 20

// longest bounds the levels of an item's path, and mostProcs the number of a process.
const (
	longest   = 1 << 20
	mostProcs = 1 << 24
)

// order is a task of an item as it travels. It names a test, and nothing else of a machine.
type order struct {
	Test         string
	Item         dpor.Item
	Hungry, Most int
	For          time.Duration // see Task.Until: clocks of machines differ
	Ordinary     *sections.Ordinary
	Check        bool
}

// reported is a report on an item as it travels.
type reported struct {
	Part      explore.Part
	Left      dpor.Left
	Odd, Last bool
	Check     uint64
}

var (
	errLarge  = fmt.Errorf("a message of more than %d MB", Largest>>20)
	errTask   = errors.New("a task that is none")
	errReport = errors.New("a report that is none")
)

// EncodeTask makes a message of a task of an item, which is to take so long.
func EncodeTask(t *Task, slice time.Duration) ([]byte, error) {
	return encode(order{t.Test, *t.Item, t.Hungry, t.Most, slice, t.Ordinary, t.Check})
}

// DecodeTask reads a message of EncodeTask. The time of the task begins now.
func DecodeTask(text []byte) (Task, error) {
	var o order
	if err := decode(text, &o); err != nil {
		return Task{}, err
	}
	if o.Hungry < 0 || o.Most < 0 || o.For < 0 || !fitsItem(&o.Item) {
		return Task{}, errTask
	}
	return Task{Test: o.Test, Item: &o.Item, Hungry: o.Hungry, Most: o.Most, Check: o.Check,
		Ordinary: o.Ordinary, Until: time.Now().Add(o.For)}, nil
}

// EncodeReport makes a message of a report on an item, without specimens: these are no result.
func EncodeReport(r *Report) ([]byte, error) {
	part := r.Part
	part.Specimens = nil
	return encode(reported{part, r.Left, r.Odd, r.Last, r.Check})
}

// DecodeReport reads a message of EncodeReport. Whether it fits the item, items.Keeper knows.
func DecodeReport(text []byte) (Report, error) {
	var r reported
	if err := decode(text, &r); err != nil {
		return Report{}, err
	}
	if !fitsPart(&r.Part) || !fitsLeft(&r.Left) {
		return Report{}, errReport
	}
	return Report{Part: r.Part, Left: r.Left, Odd: r.Odd, Last: r.Last, Check: r.Check}, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	if b.Len() > Largest {
		return nil, errLarge
	}
	return b.Bytes(), nil
}

func decode(text []byte, v any) error {
	if len(text) > Largest {
		return errLarge
	}
	return gob.NewDecoder(bytes.NewReader(text)).Decode(v)
}

// fitsPart reports whether a part that has been read can be added to others.
func fitsPart(p *explore.Part) bool {
	for _, n := range []int{p.Executions, p.Sampled, p.Blocked, p.Skipped, p.Traces, p.Unlisted,
		p.Stuck} {
		if n < 0 {
			return false
		}
	}
	return len(p.Keys) == len(p.Outcomes) &&
		!slices.ContainsFunc(p.Specimens, func(list []trace.Alt) bool { return !fitAlts(list) }) &&
		!slices.ContainsFunc(p.Spots, func(s explore.Spot) bool { return !fitAlts(s.Alts) })
}

func fitsItem(it *dpor.Item) bool {
	if len(it.Path) > longest || it.Nodes < 0 || it.Nodes > len(it.Path) ||
		it.Learn && it.Nodes == 0 {
		return false
	}
	return fitLevels(it.Path) && fitSlept(it.Sleep) && fitSlept(it.Claims)
}

func fitsLeft(l *dpor.Left) bool {
	for _, a := range l.Asks {
		if a.Depth < 0 || a.Depth >= longest || !isProc(a.Add) || !areProcs(a.Any) {
			return false
		}
	}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		uneven := len(n.Kinds) != len(n.Alts) || n.Waits != nil && len(n.Waits) != len(n.Alts)
		if uneven || n.Taken < 0 || n.Taken >= len(n.Alts) || !fitAlts(n.Alts) ||
			!fitKinds(n.Kinds) || !areProcs(n.Wanted) || !fitSlept(n.Sleep) || !fitSlept(n.Done) ||
			n.Event != nil && !fitsSlept(n.Event) {
			return false
		}
	}
	return len(l.Own) <= longest && fitLevels(l.Own) && l.Planned >= 0 &&
		(l.Learned == nil || fitsSlept(l.Learned))
}

func fitLevels(list []dpor.Level) bool {
	for i := range list {
		l := &list[i]
		if !fitsAlt(&l.Alt) || l.Kind >= trace.NumKinds || !areProcs(l.Wanted) ||
			!areProcs(l.Ends) || !fitSlept(l.Done) {
			return false
		}
	}
	return true
}

func fitSlept(list []dpor.Slept) bool {
	for i := range list {
		if !fitsSlept(&list[i]) {
			return false
		}
	}
	return true
}

func fitsSlept(z *dpor.Slept) bool {
	e := &z.Event
	return fitsAlt(&e.Alt) && e.Kind < trace.NumKinds && fitsOp(&e.Op) && fitsOp(&e.PartnerOp)
}

func fitsOp(op *trace.Op) bool {
	for i := range op.Cases {
		if op.Cases[i].Kind >= trace.NumKinds {
			return false
		}
	}
	return op.Kind < trace.NumKinds
}

func fitKinds(list []trace.Kind) bool {
	return !slices.ContainsFunc(list, func(k trace.Kind) bool { return k >= trace.NumKinds })
}

func fitAlts(list []trace.Alt) bool {
	for i := range list {
		if !fitsAlt(&list[i]) {
			return false
		}
	}
	return true
}

func fitsAlt(a *trace.Alt) bool {
	return isProc(a.Proc) && (a.Partner == -1 || isProc(a.Partner))
}

func isProc(p int32) bool { return p >= 0 && p < mostProcs }

func areProcs(list []int32) bool {
	return !slices.ContainsFunc(list, func(p int32) bool { return !isProc(p) })
}
