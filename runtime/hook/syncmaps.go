package hook

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/order"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// pair is an entry of a sync.Map.
type pair struct{ key, value any }

// mapRange is sync.Map.Range: one operation that takes a snapshot, which Go's own Range may return, too. What f does
// comes after it.
func mapRange(m unsafe.Pointer, each func(func(key, value any) bool), f func(key, value any) bool) {
	mapAccess(m, trace.AtomicLoad)
	list := snapshot(each)
	varied := len(list) > 1 && picks()
	if len(list) > 1 {
		usualOrder()
	}
	if n := len(list); varied && n > hidden.MaxKeys {
		varied = false
		if reversed(n) {
			slices.Reverse(list)
		}
	}
	for len(list) > 0 {
		i := 0
		if varied {
			i = pickOf(len(list), func() []string { return pairTexts(list) })
		}
		p := list[i]
		if list = slices.Delete(list, i, i+1); !f(p.key, p.value) {
			return
		}
	}
}

func pairTexts(list []pair) (texts []string) {
	for _, p := range list {
		texts = append(texts, "key "+keyText(p.key))
	}
	return texts
}

// snapshot lists the entries that each yields. The order of a sync.Map is random; this is the order of package order, so
// that executions can be repeated.
func snapshot(each func(func(key, value any) bool)) []pair {
	var list []pair
	each(func(key, value any) bool {
		list = append(list, pair{key, value})
		return true
	})
	c, typ := &order.Comparer{Chan: chanNumber}, reflect.TypeFor[any]()
	slices.SortStableFunc(list, func(a, b pair) int {
		return c.Compare(typ, unsafe.Pointer(&a.key), unsafe.Pointer(&b.key))
	})
	return list
}

func mapAccess(m unsafe.Pointer, kind trace.Kind) {
	p := w.Enter()
	w.syncs.Map(p, &scratch(p).sy, m, kind)
	p.Leave()
}

// isLibrary is library for a process. The hooks themselves call functions of the library that ask (fmt has a Pool), so
// it goes back to the context it came from.
func isLibrary(caller uintptr) bool {
	before := gate.RaceContext()
	w.Enter()
	is := library(caller)
	gate.SetRaceContext(before)
	return is
}

func init() {
	gate.Library = isLibrary
	gate.MapRead = func(m unsafe.Pointer) { mapAccess(m, trace.AtomicLoad) }
	gate.MapWrite = func(m unsafe.Pointer) { mapAccess(m, trace.AtomicUpdate) }
	gate.MapRange = mapRange
}
