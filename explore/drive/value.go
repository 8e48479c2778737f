package drive

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
)

var (
	errorType   = reflect.TypeFor[error]()
	textType    = reflect.TypeFor[encoding.TextMarshaler]()
	typeOfBytes = reflect.TypeFor[[]byte]()
)

// deepest is how far values are followed.
const deepest = 12

// reader records values: data as text, names as names.
type reader struct {
	nominal []reflect.Type
	own     map[any]string // names of the environment's, and operands of the harness
	ids     map[any]int    // names of the component's
}

// found is a name in a value.
type found struct {
	path string
	v    reflect.Value
}

// read writes down what crosses the boundary together: the arguments or results of a call.
func (r *reader) read(vs []reflect.Value) (refine.Value, []found) {
	t := &text{r: r}
	var all []string
	for i, v := range vs {
		if i > 0 {
			t.WriteString(", ")
		}
		before := t.handles
		t.value(v, strconv.Itoa(i), 0)
		all = append(all, "")
		if t.handles == before {
			all[i] = plain(v)
		}
	}
	return refine.Value{Text: t.String(), Names: t.names, Plain: all}, t.found
}

// plain is a value as an observer writes it, to compare it with what it expects.
func plain(v reflect.Value) string {
	x := v.Interface()
	if err, is := x.(error); is {
		return "error " + err.Error()
	}
	b, _ := json.Marshal(x) // what cannot be written is not compared
	if v.Kind() == reflect.Interface {
		return refine.Typed + fmt.Sprintf("%T %s", x, b)
	}
	return string(b)
}

// text is a value that is being written down.
type text struct {
	strings.Builder
	r       *reader
	names   []refine.Name
	found   []found
	handles int // names whose identity counts
}

func (t *text) value(v reflect.Value, path string, depth int) {
	if !v.IsValid() || nilable(v.Kind()) && v.IsNil() {
		t.WriteString("nil")
		return
	}
	switch k := v.Kind(); {
	case depth > deepest:
		t.WriteString("...")
	case slices.Contains(t.r.nominal, v.Type()):
		t.name(v, v.Interface(), path)
	case v.Type().Implements(errorType):
		fmt.Fprintf(t, "error(%s)", quote(v.Interface().(error).Error()))
	case k == reflect.Interface:
		t.inside(v, path, depth)
	case k == reflect.Chan, k == reflect.Func, k == reflect.Pointer && v.NumMethod() > 0:
		t.name(v, v.UnsafePointer(), path)
	case v.Type().Implements(textType) && k != reflect.Pointer:
		b, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		fmt.Fprintf(t, "%s %v", quote(string(b)), err)
	case hides(v.Type()):
		t.data(v, path, depth)
		t.copy(v, path)
	default:
		t.data(v, path, depth)
	}
}

// inside writes down what is in an interface. Of one with methods, a pointer is a handle with these
// methods only.
func (t *text) inside(v reflect.Value, path string, depth int) {
	if e := v.Elem(); v.NumMethod() > 0 && e.Kind() == reflect.Pointer &&
		!slices.Contains(t.r.nominal, e.Type()) {
		t.name(v, e.UnsafePointer(), path)
		return
	}
	if e := v.Elem(); depth == 0 && !isName(e.Type(), t.r.nominal) &&
		!e.Type().Implements(errorType) && !slices.Contains(literal, e.Type()) {
		t.WriteString(nameOf(e.Type()) + " ")
	}
	t.value(v.Elem(), path, depth+1)
}

// literal are the types of literals, which are not written down. A client tells all other types
// apart by a type switch.
var literal = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](),
	reflect.TypeFor[bool]()}

// isName reports whether values of a type are names.
func isName(t reflect.Type, nominal []reflect.Type) bool {
	k := t.Kind()
	return t != errorType &&
		(k == reflect.Chan || k == reflect.Func || k == reflect.Interface && t.NumMethod() > 0 ||
			k == reflect.Pointer && t.NumMethod() > 0 || slices.Contains(nominal, t))
}

// hides reports whether a type of data shows more by its methods than by its exported fields.
func hides(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumMethod() == 0 || t.Implements(errorType) ||
		t.Implements(textType) {
		return false
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// copy writes down a struct whose methods clients may call. Each is a name of its own.
func (t *text) copy(v reflect.Value, path string) {
	id := len(t.r.ids) + 1
	t.r.ids[new(int)] = id
	t.names = append(t.names, refine.Name{ID: id, Type: nameOf(v.Type()), Path: path, Copy: true})
	t.found = append(t.found, found{path, v})
	t.WriteByte('$')
}

// name writes down a name. id is equal for equal names.
func (t *text) name(v reflect.Value, id any, path string) {
	n := refine.Name{Own: t.r.own[id], Type: nameOf(v.Type()), Path: path}
	if n.Own == "" {
		if t.r.ids[id] == 0 {
			t.r.ids[id] = len(t.r.ids) + 1
		}
		n.ID = t.r.ids[id]
	}
	t.names, t.found = append(t.names, n), append(t.found, found{path, v})
	t.handles++
	t.WriteByte('$')
}

func (t *text) data(v reflect.Value, path string, depth int) {
	switch v.Kind() {
	case reflect.String:
		t.WriteString(quote(v.String()))
	case reflect.Pointer:
		t.WriteByte('&')
		t.value(v.Elem(), path, depth+1)
	case reflect.Struct:
		t.fields(v, path, depth)
	case reflect.Slice, reflect.Array:
		t.elements(v, path, depth)
	case reflect.Map:
		t.entries(v, path, depth)
	case reflect.UnsafePointer:
		t.WriteString("pointer")
	default:
		t.WriteString(basic(v))
	}
}

// fields writes down the exported fields of a struct.
func (t *text) fields(v reflect.Value, path string, depth int) {
	t.WriteByte('{')
	first := true
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if !first {
			t.WriteString(", ")
		}
		first = false
		t.WriteString(f.Name + ": ")
		t.value(v.Field(i), path+"."+f.Name, depth+1)
	}
	t.WriteByte('}')
}

func (t *text) elements(v reflect.Value, path string, depth int) {
	if v.Type().ConvertibleTo(typeOfBytes) && v.Kind() == reflect.Slice {
		t.WriteString(quote(string(v.Bytes())))
		return
	}
	t.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			t.WriteString(", ")
		}
		t.value(v.Index(i), fmt.Sprintf("%s.%d", path, i), depth+1)
	}
	t.WriteByte(']')
}

// entry is one of a map.
type entry struct {
	key string
	at  reflect.Value
}

// entriesOf lists the keys of a map, in the order of their texts.
func entriesOf(v reflect.Value) (list []entry) {
	for _, k := range v.MapKeys() {
		list = append(list, entry{fmt.Sprint(k), k})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return list
}

// entries writes down a map.
func (t *text) entries(v reflect.Value, path string, depth int) {
	t.WriteByte('{')
	for i, e := range entriesOf(v) {
		if i > 0 {
			t.WriteString(", ")
		}
		t.value(e.at, path, depth+1)
		t.WriteString(": ")
		t.value(v.MapIndex(e.at), path, depth+1)
	}
	t.WriteByte('}')
}

// quote quotes a text. "$" stands for names.
func quote(s string) string { return strings.ReplaceAll(strconv.Quote(s), "$", `\x24`) }

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice,
		reflect.UnsafePointer:
		return true
	}
	return false
}
