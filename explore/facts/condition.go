package facts

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Atom compares an operand of the first message with one of the second.
type Atom struct {
	Op     Comparison
	First  Operand // of the first message
	Second Operand // of the second
}

// Comparison is the operator of an Atom.
type Comparison string

// Differ is Go's comparison, by which a map tells its keys apart: +0 and -0 are one key. Equal says
// that nobody can tell the two operands from each other: +0 and -0 are two values, and a NaN is
// itself.
const (
	Differ Comparison = "!="
	Equal  Comparison = "=="
)

// String returns "m1.id != m2.id".
func (a Atom) String() string {
	return numbered(a.First, "m1") + " " + string(a.Op) + " " + numbered(a.Second, "m2")
}

func numbered(o Operand, name string) string {
	if o.Const != "" {
		return o.Const
	}
	return name + o.Path
}

// Holds reports whether a is true of two messages. It returns false for a field that is missing and
// for a value that cannot be compared.
func (a Atom) Holds(first, second any) bool {
	x, ok1 := a.First.in(first)
	y, ok2 := a.Second.in(second)
	if !ok1 || !ok2 {
		return false
	}
	if a.Op == Equal {
		return identical(x, y)
	}
	equal, ok := equal(x, y)
	return ok && !equal
}

// in returns o's value in a message.
func (o Operand) in(message any) (any, bool) {
	if o.Const != "" {
		return constant(o.Const), true
	}
	return o.In(message)
}

// In returns the part of a message that o stands for; false if there is none. o must not be a
// constant.
func (o Operand) In(message any) (reflect.Value, bool) {
	v := reflect.ValueOf(message)
	for _, step := range strings.FieldsFunc(strings.ReplaceAll(o.Path, "->", "."),
		func(r rune) bool { return r == '.' }) {
		for v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) {
			v = v.Elem()
		}
		if !v.IsValid() || v.Kind() != reflect.Struct {
			return reflect.Value{}, false
		}
		v = v.FieldByName(step)
	}
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v, v.IsValid()
}

// constant is the text of a constant, which is compared with how a value is written.
type constant string

func equal(x, y any) (is, ok bool) {
	cx, isX := x.(constant)
	cy, isY := y.(constant)
	switch {
	case isX && isY:
		return cx == cy, true
	case isX:
		return written(cx, y.(reflect.Value))
	case isY:
		return written(cy, x.(reflect.Value))
	}
	vx, vy := x.(reflect.Value), y.(reflect.Value)
	if vx.Type() != vy.Type() || !vx.Comparable() || !vy.Comparable() {
		return false, false
	}
	return vx.Equal(vy), true
}

// identical reports whether it is known that nobody can tell x and y, operands of an Atom, from
// each other.
func identical(x, y any) bool {
	vx, isX := x.(reflect.Value)
	vy, isY := y.(reflect.Value)
	if !isX || !isY {
		is, ok := equal(x, y)
		return ok && is
	}
	return vx.Type() == vy.Type() && same(vx, vy)
}

// same is identical for two values of one type. Values that cannot be compared count as different.
func same(x, y reflect.Value) bool {
	switch x.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(x.Float()) == math.Float64bits(y.Float())
	case reflect.Complex64, reflect.Complex128:
		a, b := x.Complex(), y.Complex()
		return math.Float64bits(real(a)) == math.Float64bits(real(b)) &&
			math.Float64bits(imag(a)) == math.Float64bits(imag(b))
	case reflect.Array:
		return each(x.Len(), func(i int) bool { return same(x.Index(i), y.Index(i)) })
	case reflect.Struct:
		return each(x.NumField(), func(i int) bool { return same(x.Field(i), y.Field(i)) })
	case reflect.Interface:
		x, y = x.Elem(), y.Elem()
		return x.IsValid() == y.IsValid() && (!x.IsValid() || x.Type() == y.Type() && same(x, y))
	}
	return x.Comparable() && y.Comparable() && x.Equal(y)
}

func each(n int, f func(i int) bool) bool {
	for i := range n {
		if !f(i) {
			return false
		}
	}
	return true
}

// written reports whether v is the constant c.
func written(c constant, v reflect.Value) (is, ok bool) {
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String()) == string(c), true
	case reflect.Bool:
		return fmt.Sprint(v.Bool()) == string(c), true
	}
	switch {
	case v.CanInt():
		return fmt.Sprint(v.Int()) == string(c), true
	case v.CanUint():
		return fmt.Sprint(v.Uint()) == string(c), true
	}
	return false, false
}
