package machine

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Value is a value of the program: an int64, bool or string, Nil, *Sym, *Cond, *Cell (a pointer),
// Struct, *Object (a channel), *Closure, Iface, *Map, SliceOf, Tuple, *Context, ReadLocker or
// *iter.
type Value any

// Nil is the nil of all types that have one.
type Nil struct{}

// Struct is the value of a struct or of a small array.
type Struct []Value

// Tuple is several results.
type Tuple []Value

// Iface is an interface that holds a value of type T.
type Iface struct {
	T types.Type
	V Value
}

// Closure is a function with the variables that it captures, or one that the machine knows itself.
type Closure struct {
	Fn     *ssa.Function
	Free   []Value
	Native func(m *Machine, p *Proc, at *call) // instead of Fn
}

// Map is a map that the program has made. Entries come in the order in which they were made.
type Map struct {
	Keys, Vals []Value
	Vague      bool // it has more entries, of unknown keys
}

// SliceOf is a slice of an array that the program has made.
type SliceOf struct {
	Array  *Cell
	Off, N int64
}

// iter goes through a map.
type iter struct {
	over Value
	at   int
	pos  token.Pos
}

// ReadLocker is what RWMutex.RLocker returns.
type ReadLocker struct{ Of *Cell }

// Sym is a value that is not known. Two of one name are one.
type Sym struct {
	Name   string // within an execution
	Reason string // for people
	Pos    token.Pos
	Type   types.Type

	Field types.Object // that it was read from; nil: none
	In    *Sym         // the pointer to what has the field

	base *Sym  // it is this number
	off  int64 // and so much more

	cell  *Cell            // what it points to
	elems map[string]*Cell // what a slice or map holds, by the name of the index
	obj   *Object          // the channel that it is
	ctx   *Context         // the context that it is
	mutex *Cell            // the Locker that it is
}

// Cond is a condition on values of which one is not known. Tok is NOT, or a comparison.
type Cond struct {
	Tok  token.Token
	X, Y Value
}

// name identifies a value within an execution.
func name(v Value) string {
	switch v := v.(type) {
	case *Sym:
		return v.Name
	case *Cond:
		return fmt.Sprintf("(%s %v %s)", name(v.X), v.Tok, name(v.Y))
	case *Cell:
		return fmt.Sprintf("&%p", v)
	case *Object:
		return "obj" + strconv.Itoa(int(v.ID))
	case int64:
		return strconv.FormatInt(v, 10)
	case Struct:
		return nameAll(v)
	case Tuple:
		return nameAll(v)
	case Iface:
		return "i:" + name(v.V)
	case Nil, nil:
		return "nil"
	case bool, string:
		return fmt.Sprintf("%#v", v)
	case SliceOf:
		return fmt.Sprintf("&%p[%d:%d]", v.Array, v.Off, v.Off+v.N)
	case ReadLocker:
		return fmt.Sprintf("r:%p", v.Of)
	}
	return fmt.Sprintf("%p", v)
}

func nameAll(list []Value) string {
	var b strings.Builder
	for _, v := range list {
		b.WriteString(name(v) + ",")
	}
	return "{" + b.String() + "}"
}

// term returns the unknown value of an operation on others. Its name is short however it was
// computed: x += x in a loop must not double the name in each round.
func (m *Machine) term(t types.Type, key string, pos token.Pos) Value {
	n, ok := m.terms[key]
	if !ok {
		n = "(" + strconv.Itoa(len(m.terms)) + ")"
		m.terms[key] = n
	}
	return m.interned(t, n, "what is computed here", pos)
}

// fresh returns a new unknown value. Slices of structs are not needed: the fields of a struct are
// unknown one by one.
func (m *Machine) fresh(t types.Type, reason string, pos token.Pos) Value {
	m.syms++
	return m.lazy(t, fmt.Sprintf("s%d", m.syms), reason, pos)
}

// interned returns the unknown value of a name.
func (m *Machine) interned(t types.Type, name, reason string, pos token.Pos) Value {
	if v, ok := m.names[name]; ok {
		return v
	}
	v := Value(nil)
	if other, ok := m.Same[name]; ok {
		v = m.interned(t, other, reason, pos)
	} else {
		v = m.lazy(t, name, reason, pos)
	}
	m.names[name] = v
	return v
}

func (m *Machine) lazy(t types.Type, name, reason string, pos token.Pos) Value {
	if tuple, ok := t.(*types.Tuple); ok {
		out := make(Tuple, tuple.Len())
		for i := range out {
			out[i] = m.lazy(tuple.At(i).Type(), fmt.Sprintf("%s#%d", name, i), reason, pos)
		}
		return out
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		out := make(Struct, s.NumFields())
		for i := range out {
			out[i] = m.lazy(s.Field(i).Type(), name+"."+s.Field(i).Name(), reason, pos)
		}
		return out
	}
	return &Sym{Name: name, Reason: reason, Pos: pos, Type: t}
}

// zero is the zero value of t.
func zero(t types.Type) Value {
	if t == nil {
		return Nil{}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return false
		case info&types.IsString != 0:
			return ""
		case info&types.IsNumeric != 0:
			return int64(0)
		}
	case *types.Struct:
		out := make(Struct, u.NumFields())
		for i := range out {
			out[i] = zero(u.Field(i).Type())
		}
		return out
	case *types.Array:
		if u.Len() > maxArray {
			return Nil{}
		}
		out := make(Struct, u.Len())
		for i := range out {
			out[i] = zero(u.Elem())
		}
		return out
	case *types.Tuple:
		out := make(Tuple, u.Len())
		for i := range out {
			out[i] = zero(u.At(i).Type())
		}
		return out
	}
	return Nil{}
}

// maxArray bounds the elements of an array that are told apart.
const maxArray = 256

// constantOf is the value of an operand that is no register.
func (m *Machine) constantOf(k *skeleton.Const) Value {
	switch {
	case k.Func != nil:
		return &Closure{Fn: k.Func}
	case k.Global != nil:
		return m.global(k.Global)
	case k.Value == nil:
		return zero(k.Type)
	}
	switch k.Value.Kind() {
	case constant.Bool:
		return constant.BoolVal(k.Value)
	case constant.String:
		return constant.StringVal(k.Value)
	case constant.Int:
		if n, ok := constant.Int64Val(k.Value); ok {
			return n
		}
	case constant.Float:
		if f := constant.ToInt(k.Value); f.Kind() == constant.Int {
			if n, ok := constant.Int64Val(f); ok {
				return n
			}
		}
	}
	return m.interned(k.Type, "const "+k.Value.ExactString(), "a constant", token.NoPos)
}

// isNil reports whether v is nil; known is false if there is no saying.
func isNil(v Value) (is, known bool) {
	switch v := v.(type) {
	case Nil:
		return true, true
	case *Sym, *Cond, nil:
		return false, false
	case SliceOf:
		return v.Array == nil, true
	}
	return false, true
}

// equal compares two values.
func equal(x, y Value) (is, known bool) {
	if is, known := isNil(x); known && is {
		return isNil(y)
	}
	if is, known := isNil(y); known && is {
		return isNil(x)
	}
	if unknown(x) || unknown(y) {
		return true, name(x) == name(y)
	}
	switch x := x.(type) {
	case Struct:
		y, ok := y.(Struct)
		if !ok || len(x) != len(y) {
			return false, false
		}
		for i := range x {
			if is, known := equal(x[i], y[i]); !known || !is {
				return is, known
			}
		}
		return true, true
	case Iface:
		y, ok := y.(Iface)
		if !ok || !types.Identical(x.T, y.T) {
			return false, ok
		}
		return equal(x.V, y.V)
	case int64, bool, string, *Cell, *Object, *Context:
		return x == y, true
	}
	return false, false
}

func unknown(v Value) bool {
	switch v.(type) {
	case *Sym, *Cond:
		return true
	}
	return false
}
