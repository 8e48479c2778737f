package notes

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/world"
	"math"
	"reflect"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Payloads says, on request, which sent values are equal, and which receives do not depend on the
// order of values. A strategy can take such sends to commute. Two values are equal if no program
// can tell them from each other: they have one dynamic type and the same bits, strings the same
// content. Pointers are equal if they are the same, and so are channels. Some values cannot be
// compared in this way and have no number: a function, a map, a slice, a NaN, a negative zero,
// which == takes for the positive one, and any value that contains one of these.
var Payloads struct {
	on     bool // one of those below is
	values bool // values are numbered
	drops  bool // receives that drop their values are of a group
	// from 1; it keeps the objects of pointers, lest another object gets the same address
	numbers map[any]int32
	// by process: how many steps had been done when it touched a shared variable last
	touched []int
	touches []trace.Touch            // each of these
	group   func(place string) int32 // see Config.Group
	groups  map[[depth]uintptr]int32 // by stack, as far as they have been asked for
}

// TakePayloads says whether values are numbered, and whether receives that drop their values have a
// group of their own. group says which group any other receive at a place has.
func TakePayloads(values, drops bool, group func(place string) int32) {
	Payloads.values, Payloads.drops, Payloads.group = values, drops, group
	Payloads.on = values || group != nil
}

// RenewPayloads forgets the groups of an earlier executor.
func RenewPayloads() { Payloads.groups = map[[depth]uintptr]int32{} }

// StartPayloads begins an execution.
func StartPayloads() {
	if !Payloads.on {
		return
	}
	Payloads.numbers = map[any]int32{}
	Payloads.touches = Payloads.touches[:0]
	for p := range Payloads.touched {
		Payloads.touched[p] = -1
	}
}

// Touches returns the touches of the execution that has ended; nil if none are noted.
func Touches() []trace.Touch {
	if !Payloads.on {
		return nil
	}
	return Payloads.touches
}

// Numbered notes the value of the send that p has declared.
func Numbered[T any](p *sched.Proc, v T) {
	if Payloads.values {
		p.Op.N = numberOf(any(v))
	}
}

func numberOf(v any) int32 {
	if !exact(reflect.ValueOf(v)) {
		return trace.NoValue
	}
	n, known := Payloads.numbers[v]
	if !known {
		n = int32(len(Payloads.numbers)) + 1
		Payloads.numbers[v] = n
	}
	return n
}

// exact reports whether each value that is == v is one that nobody can tell from v.
func exact(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Func, reflect.Map, reflect.Slice:
		return false
	case reflect.Float32, reflect.Float64:
		return exactFloat(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return exactFloat(real(v.Complex())) && exactFloat(imag(v.Complex()))
	case reflect.Interface:
		return v.IsNil() || exact(v.Elem())
	case reflect.Array:
		for i := range v.Len() {
			if !exact(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !exact(v.Field(i)) {
				return false
			}
		}
	}
	return true // the zero Value stands for a nil interface
}

func exactFloat(f float64) bool { return f == f && math.Float64bits(f) != 1<<63 }

// Touch notes that p touches a variable that others may touch.
func Touch(p *sched.Proc) {
	if !Payloads.on {
		return
	}
	for len(Payloads.touched) <= int(p.ID) {
		Payloads.touched = append(Payloads.touched, -1)
	}
	if at := world.W.Steps(); Payloads.touched[p.ID] != at {
		Payloads.touched[p.ID] = at
		Payloads.touches = append(Payloads.touches, trace.Touch{Proc: p.ID, After: int32(at)})
	}
}

// Sorted notes, with the receive that p has declared, its group, and whether p has touched such a
// variable since its last step. The last step is here the last one of all processes. dropped says
// that p does not use the value.
func Sorted(p *sched.Proc, dropped bool) {
	if !Payloads.on {
		return
	}
	group := trace.NoGroup
	switch {
	case dropped && Payloads.drops:
		group = trace.Dropped
	case Payloads.group != nil:
		group = groupHere()
	}
	p.Op.N = trace.Symmetric(group,
		int(p.ID) < len(Payloads.touched) && Payloads.touched[p.ID] == world.W.Steps())
}

// groupHere returns the group of the receive that has called a hook, which has called a function
// that has called sorted.
func groupHere() int32 {
	var stack [depth]uintptr
	n := gate.Callers(4, stack[:])
	group, known := Payloads.groups[stack]
	if !known {
		group = Payloads.group(sched.SiteOf(stack[:n]))
		Payloads.groups[stack] = group
	}
	return group
}
