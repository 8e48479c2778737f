package library

import (
	"math"
	"reflect"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// keyNumber numbers a key of a sync.Map: equal keys have one number, in all executions. A key that
// only its address tells from others has none, as addresses differ between executions.
func keyNumber(k any) int32 {
	h := content(14695981039346656037)
	if !h.value(reflect.ValueOf(k)) {
		return trace.NoKey
	}
	return trace.HashKey(uint64(h))
}

// content is a hash of contents (FNV-1a).
type content uint64

func (h *content) text(s string) {
	h.number(uint64(len(s)))
	for i := range len(s) {
		*h = (*h ^ content(s[i])) * 1099511628211
	}
}

func (h *content) number(n uint64) {
	for range 8 {
		*h = (*h ^ content(n&0xff)) * 1099511628211
		n >>= 8
	}
}

func (h *content) bit(is bool) {
	if is {
		h.number(1)
	} else {
		h.number(0)
	}
}

// float adds f: the two zeros are equal keys.
func (h *content) float(f float64) {
	if f == 0 {
		f = 0
	}
	h.number(math.Float64bits(f))
}

// value adds v and its type. It reports whether contents tell v from all other values. It calls no
// method of the program.
func (h *content) value(v reflect.Value) bool {
	if !v.IsValid() {
		h.text("nil")
		return true
	}
	h.text(v.Type().String())
	switch v.Kind() {
	case reflect.Bool:
		h.bit(v.Bool())
	case reflect.String:
		h.text(v.String())
	case reflect.Interface:
		return h.value(v.Elem())
	case reflect.Array:
		return h.parts(v.Len(), v.Index)
	case reflect.Struct:
		return h.fields(v)
	default:
		return h.scalar(v)
	}
	return true
}

// scalar is value for numbers; all else is told by an address.
func (h *content) scalar(v reflect.Value) bool {
	switch {
	case v.CanInt():
		h.number(uint64(v.Int()))
	case v.CanUint():
		h.number(v.Uint())
	case v.CanFloat():
		h.float(v.Float())
	case v.CanComplex():
		h.float(real(v.Complex()))
		h.float(imag(v.Complex()))
	default:
		return false
	}
	return true
}

// fields adds those fields of a struct that == compares.
func (h *content) fields(v reflect.Value) bool {
	var list []int
	for i := range v.NumField() {
		if v.Type().Field(i).Name != "_" {
			list = append(list, i)
		}
	}
	return h.parts(len(list), func(i int) reflect.Value { return v.Field(list[i]) })
}

func (h *content) parts(n int, part func(int) reflect.Value) bool {
	for i := range n {
		if !h.value(part(i)) {
			return false
		}
	}
	return true
}
