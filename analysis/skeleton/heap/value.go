package heap

import (
	"fmt"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Value is a value of the program: an int64, bool or string, Nil, *Sym, *Cond, *Cell (a pointer),
// Struct, *Object (a channel), *Copied, *Closure, Iface, *Map, SliceOf, Tuple, *Context, ReadLocker
// or *Iter.
type Value any

// Nil is the nil of all types that have one.
type Nil struct{}

// Struct is the value of a struct or of a small array.
type Struct []Value

// Copied is the value of a sync object: a copy has a state of its own.
type Copied struct {
	primitive.Object[Value]
	class trace.Class
}

// Tuple is several results.
type Tuple []Value

// Iface is an interface that holds a value of type T.
type Iface struct {
	T types.Type
	V Value
}

// Closure is a function with the variables that it captures, one that ends a context, or one that
// calls another one once.
type Closure struct {
	Fn   *ssa.Function
	Free []Value
	Ends *Context // instead of Fn
	Once *Once    // likewise; Free has its Guard, and the other function
}

// Once is what sync.OnceFunc and its like return: Guard is its Once, and Result what the function
// has returned.
type Once struct {
	Guard  *Object
	Result Value
}

// Map is a map that the program has made. Entries come in the order in which they were made.
type Map struct {
	Keys, Vals []Value
	Elem       types.Type
	Vague      bool // it has more entries, of unknown keys
	Open       bool // code that is not seen may write it
	changes    int
}

// NewMap makes an empty map of type t.
func NewMap(t types.Type) *Map {
	if m, ok := t.Underlying().(*types.Map); ok {
		return &Map{Elem: m.Elem()}
	}
	return &Map{Elem: types.Typ[types.Invalid]} // of a type parameter
}

// name names the map as it is now.
func (m *Map) name() string { return fmt.Sprintf("%p#%d", m, m.changes) }

// SliceOf is a slice of an array that the program has made.
type SliceOf struct {
	Array  *Cell
	Off, N int64
	Full   bool // it has no room for more elements
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

	Filled bool // code that is not seen has written it

	sum  *linear  // it is this sum of others; nil: it is none
	from []string // or else the names of those that it was computed from
	of   *Sym     // it is the length of this value

	cell  *Cell            // what it points to
	elems map[string]*Cell // what a slice or map holds, by the name of the index
	sets  []entry          // of a map: the entries that were set and deleted, in their order
	obj   *Object          // the channel that it is
	ctx   *Context         // the context that it is
	mutex *Cell            // the Locker that it is
}

// linear is a sum: of unknown integers, each times a number, and of a number. An unknown value that
// was computed so is its sum.
type linear struct {
	terms []term // by name
	more  int64
}

type term struct {
	of    *Sym
	times int64
}

// Cond is a condition on values of which one is not known. Tok is NOT, or a comparison.
type Cond struct {
	Tok  token.Token
	X, Y Value
}

// Name identifies a value within an execution.
func Name(v Value) string {
	switch v := v.(type) {
	case *Sym:
		return v.Name
	case *Cond:
		return fmt.Sprintf("(%s %v %s)", Name(v.X), v.Tok, Name(v.Y))
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
		return "i:" + Name(v.V)
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
		b.WriteString(Name(v) + ",")
	}
	return "{" + b.String() + "}"
}

// Zero is the zero value of t.
func Zero(t types.Type) Value {
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
			out[i] = Zero(u.Field(i).Type())
		}
		return out
	case *types.Array:
		if u.Len() > maxArray {
			return Nil{}
		}
		out := make(Struct, u.Len())
		for i := range out {
			out[i] = Zero(u.Elem())
		}
		return out
	case *types.Tuple:
		out := make(Tuple, u.Len())
		for i := range out {
			out[i] = Zero(u.At(i).Type())
		}
		return out
	}
	return Nil{}
}

// maxArray bounds the elements of an array that are told apart.
const maxArray = 256

// IsNil reports whether v is nil; known is false if there is no saying.
func IsNil(v Value) (is, known bool) {
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

// Equal compares two values.
func Equal(x, y Value) (is, known bool) {
	if is, known := IsNil(x); known && is {
		return IsNil(y)
	}
	if is, known := IsNil(y); known && is {
		return IsNil(x)
	}
	if Unknown(x) || Unknown(y) {
		return true, Name(x) == Name(y)
	}
	switch x := x.(type) {
	case Struct:
		y, ok := y.(Struct)
		if !ok || len(x) != len(y) {
			return false, false
		}
		for i := range x {
			if is, known := Equal(x[i], y[i]); !known || !is {
				return is, known
			}
		}
		return true, true
	case Iface:
		y, ok := y.(Iface)
		if !ok || !types.Identical(x.T, y.T) {
			return false, ok
		}
		return Equal(x.V, y.V)
	case int64, bool, string, *Cell, *Object, *Context:
		return x == y, true
	}
	return false, false
}

// Unknown reports whether v is not known.
func Unknown(v Value) bool {
	switch v.(type) {
	case *Sym, *Cond:
		return true
	}
	return false
}
