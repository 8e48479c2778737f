package library

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/order"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Pair is an entry of a sync.Map.
type Pair struct{ Key, Value any }

// mapRange is sync.Map.Range. It takes a snapshot in one operation. If any process has made a step
// since, it looks again, in an operation, before it goes on. A deleted key is not visited, as in
// Go, and a stored key is visited with its present value. An added key is not visited, which Go
// leaves open. A key that Clear removes is visited all the same, as in Go, where Clear gives the
// Map a new tree and Range goes on in the old one.
func mapRange(m unsafe.Pointer, each func(func(key, value any) bool), f func(key, value any) bool) {
	mapAccess(m, trace.AtomicLoad, trace.NoKey)
	r := &ranging{m: m, each: each}
	defer r.begin()()
	list, seen := snapshot(each), steps()
	varied := len(list) > 1 && Picks()
	if len(list) > 1 {
		list = UsualOrder(list)
	}
	if n := len(list); varied && n > hidden.MaxKeys {
		varied = false
		if Reversed(n) {
			slices.Reverse(list)
		}
	}
	known := map[any]bool{}
	for _, p := range list {
		known[p.Key] = true
	}
	for len(list) > 0 {
		i := 0
		if varied {
			i = PickOf(len(list), func() []string { return pairTexts(list) })
		}
		p := list[i]
		if list = slices.Delete(list, i, i+1); !f(p.Key, p.Value) {
			return
		}
		switch {
		case steps() == seen:
			if len(list) > 0 {
				oneTime()
			}
		case len(list) == 0:
			renewed(nil, known, r.entries) // for what has been added
		default:
			if !r.cleared {
				mapAccess(m, trace.AtomicLoad, trace.NoKey)
			}
			list, seen = renewed(list, known, r.entries), steps()
		}
	}
}

// ranging is a Range of a sync.Map that has not ended.
type ranging struct {
	m       unsafe.Pointer
	each    func(func(key, value any) bool) // yields what is in the Map now
	cleared bool                            // the Map has been cleared since,
	old     []Pair                          // and had these entries
}

// rangings are those of the present execution.
var rangings []*ranging

func (r *ranging) begin() (end func()) {
	p := world.W.Enter()
	rangings = append(rangings, r)
	p.Leave()
	return func() {
		p := world.W.Enter()
		i := slices.Index(rangings, r)
		rangings = slices.Delete(rangings, i, i+1)
		p.Leave()
	}
}

// entries yields what the tree has that r goes through.
func (r *ranging) entries(f func(key, value any) bool) {
	if !r.cleared {
		r.each(f)
		return
	}
	for _, p := range r.old {
		if !f(p.Key, p.Value) {
			return
		}
	}
}

// keep tells the Ranges of m that m is about to be cleared.
func keep(m unsafe.Pointer) {
	for _, r := range rangings {
		if r.m == m && !r.cleared {
			r.old, r.cleared = snapshot(r.each), true
		}
	}
}

// steps counts what all processes have done.
func steps() int {
	p := world.W.Enter()
	n := world.W.Steps()
	p.Leave()
	return n
}

// renewed returns the entries of list that are still there, with their present values. known has
// all keys that were there at first.
func renewed(list []Pair, known map[any]bool, each func(func(key, value any) bool)) []Pair {
	now, added := map[any]any{}, false
	each(func(key, value any) bool {
		now[key] = value
		added = added || !known[key]
		return true
	})
	if added {
		fix("what is added to a sync.Map during Range is not visited")
	}
	left := list[:0]
	for _, p := range list {
		if value, ok := now[p.Key]; ok {
			left = append(left, Pair{p.Key, value})
		}
	}
	return left
}

// oneTime notes that all entries of a Range are those of one time, if anybody else could have
// changed them.
func oneTime() {
	p := world.W.Enter()
	alone := len(world.W.All()) == 1
	p.Leave()
	if !alone {
		fix(
			"sync.Map.Range looks at all entries at one time, unless its function does an operation")
	}
}

func fix(what string) {
	p := world.W.Enter()
	world.W.Fix(what)
	p.Leave()
}

func pairTexts(list []Pair) (texts []string) {
	for _, p := range list {
		texts = append(texts, "key "+KeyText(p.Key))
	}
	return texts
}

// snapshot lists the entries that each yields. The order of a sync.Map is random; this is the order
// of package order, so that executions can be repeated.
func snapshot(each func(func(key, value any) bool)) []Pair {
	var list []Pair
	each(func(key, value any) bool {
		list = append(list, Pair{key, value})
		return true
	})
	c, typ := Order(), reflect.TypeFor[any]()
	slices.SortStableFunc(list, func(a, b Pair) int {
		return c.Compare(typ, unsafe.Pointer(&a.Key), unsafe.Pointer(&b.Key))
	})
	return list
}

func mapAccess(m unsafe.Pointer, kind trace.Kind, key int32) {
	p := world.W.Enter()
	world.W.Syncs.Map(p, &world.Scratch(p).Sync, m, kind, key)
	p.Leave()
}

// mapMethod declares a method of a sync.Map.
func mapMethod(m unsafe.Pointer, k any, keyed, write bool) {
	kind, key := trace.AtomicLoad, trace.NoKey
	if write {
		kind = trace.AtomicUpdate
	}
	if keyed {
		key = keyNumber(k)
	}
	mapAccess(m, kind, key)
	if write && !keyed {
		keep(m)
	}
}

// mapKept notes that the update of a sync.Map that the calling process has just declared changes
// nothing.
func mapKept() {
	p := world.W.Enter()
	world.W.Syncs.OnlyRead()
	world.W.Races.OnlyRead()
	world.W.Clock.OnlyRead()
	p.Leave()
}

// isLibrary is library for a process. The hooks themselves call functions of the library that ask
// (fmt has a Pool), so it goes back to the context it came from.
func isLibrary(caller uintptr) bool { return asks(world.Library, caller) }

func ownPool(caller uintptr) bool { return asks(world.OwnPool, caller) }

func asks(which func(pc uintptr) bool, caller uintptr) bool {
	before := gate.RaceContext()
	world.W.Enter()
	is := which(caller)
	gate.SetRaceContext(before)
	return is
}

func init() {
	gate.Library, gate.OwnPool = isLibrary, ownPool
	gate.MapAccess, gate.MapKept = mapMethod, mapKept
	gate.MapRange = mapRange
}

// Order returns what puts the keys of a map into an order.
func Order() *order.Comparer { return &order.Comparer{Chan: chanNumber, Object: objectNumber} }

// objectNumber is the number of an object of package sync in this execution; those that it does
// not know yet tie.
func objectNumber(at unsafe.Pointer) int32 {
	defer world.W.Enter().Leave()
	return world.W.Syncs.Number(at)
}

// chanNumber is a channel's number in this execution; those that it does not know yet tie.
func chanNumber(ch unsafe.Pointer) int32 {
	defer world.W.Enter().Leave()
	if id, ok := world.W.Chans.ID(ch); ok {
		return id
	}
	return -1
}
