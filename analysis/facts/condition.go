package facts

import (
	"fmt"
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

// Holds reports whether a is true of two messages. It is false if that cannot be told: a field that is not there, a
// value that cannot be compared.
func (a Atom) Holds(first, second any) bool {
	x, ok1 := a.First.in(first)
	y, ok2 := a.Second.in(second)
	if !ok1 || !ok2 {
		return false
	}
	equal, ok := equal(x, y)
	return ok && equal == (a.Op == Equal)
}

// in returns o's value in a message.
func (o Operand) in(message any) (any, bool) {
	if o.Const != "" {
		return constant(o.Const), true
	}
	return o.In(message)
}

// In returns the part of a message that o, which is no constant, stands for; false if there is none.
func (o Operand) In(message any) (reflect.Value, bool) {
	v := reflect.ValueOf(message)
	for _, step := range strings.FieldsFunc(strings.ReplaceAll(o.Path, "->", "."), func(r rune) bool { return r == '.' }) {
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
