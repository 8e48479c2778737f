// Package show prints values of the program for people, without calling any code of the program: a
// String method may send, or panic.
//
// Guarantees: two Printers print equal values in equal words: addresses are numbered by first
// appearance, and keys of maps are sorted by their texts.
//
// LIMITS: a text has at most 200 bytes. Values below depth 3 are left out, and so are the elements
// of lists and maps after the first 20. Of maps with more than 1000 keys only the length is
// printed.
package show

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of one text.
const (
	maxDepth    = 3
	maxElements = 20
	maxBytes    = 200
	maxString   = 80   // bytes of one string
	maxKeys     = 1000 // of a map whose keys are sorted
)

// Printer numbers the addresses that it prints. The zero value is ready.
type Printer struct{ numbers map[address]int }

// address is a place in memory: a struct and its first field are two things at one place.
type address struct {
	at uintptr
	of string // "ptr", "chan" or "func"
}

// Forget makes p a new Printer.
func (p *Printer) Forget() { clear(p.numbers) }

// Value prints v.
func (p *Printer) Value(v any) (text string) {
	w := &writer{printer: p}
	defer func() {
		if recover() != nil { // reflection meets what it does not expect
			text = "?"
		}
	}()
	w.value(reflect.ValueOf(v), 0)
	return w.text()
}

func (p *Printer) number(of string, at uintptr) string {
	if p.numbers == nil {
		p.numbers = map[address]int{}
	}
	a := address{at, of}
	if p.numbers[a] == 0 {
		p.numbers[a] = len(p.numbers) + 1
	}
	return of + "#" + strconv.Itoa(p.numbers[a])
}

// writer makes one text.
type writer struct {
	strings.Builder
	printer *Printer
	open    []uintptr // the pointers that are being followed: one that is met again is a cycle
}

func (w *writer) full() bool { return w.Len() > maxBytes }

// text is what was written, cut to the bound between two characters.
func (w *writer) text() string {
	s := strings.ToValidUTF8(w.String(), "\uFFFD")
	if len(s) <= maxBytes {
		return s
	}
	end := maxBytes - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func (w *writer) value(v reflect.Value, depth int) {
	if w.full() {
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.WriteString("nil")
	case reflect.Bool:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		w.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		w.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		w.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		w.quote(v.String())
	case reflect.Chan:
		w.reference("chan", v)
	case reflect.Func:
		w.reference("func", v)
	case reflect.UnsafePointer:
		w.reference("ptr", v)
	default:
		w.compound(v, depth)
	}
}

// reference writes a value that only its address tells from others.
func (w *writer) reference(of string, v reflect.Value) {
	if v.Pointer() == 0 {
		w.WriteString("nil")
		return
	}
	w.WriteString(w.printer.number(of, v.Pointer()))
}

func (w *writer) quote(s string) {
	if len(s) > maxString {
		w.WriteString(strconv.Quote(s[:maxString]) + "…")
		return
	}
	w.WriteString(strconv.Quote(s))
}

func (w *writer) compound(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface:
		w.dynamic(v, depth)
	case reflect.Pointer:
		w.pointer(v, depth)
	case reflect.Struct:
		w.structure(v, depth)
	case reflect.Slice, reflect.Array:
		w.list(v, depth)
	case reflect.Map:
		w.table(v, depth)
	}
}

// dynamic writes an interface's value, with its type where the text alone does not tell it.
func (w *writer) dynamic(v reflect.Value, depth int) {
	if v.IsNil() {
		w.WriteString("nil")
		return
	}
	v = v.Elem()
	if t := v.Type(); t.PkgPath() != "" || t.Kind() == reflect.Pointer {
		w.WriteString(t.String())
		w.WriteByte(' ')
	}
	w.value(v, depth)
}

func (w *writer) pointer(v reflect.Value, depth int) {
	at := v.Pointer()
	if at == 0 || depth >= maxDepth || slices.Contains(w.open, at) {
		w.reference("ptr", v)
		return
	}
	w.open = append(w.open, at)
	w.WriteByte('&')
	w.value(v.Elem(), depth+1)
	w.open = w.open[:len(w.open)-1]
}

func (w *writer) structure(v reflect.Value, depth int) {
	if depth >= maxDepth && v.NumField() > 0 {
		w.WriteString("{…}")
		return
	}
	w.WriteByte('{')
	for i := range v.NumField() {
		if w.full() {
			return
		}
		w.separate(i)
		w.WriteString(v.Type().Field(i).Name + ":")
		w.value(v.Field(i), depth+1)
	}
	w.WriteByte('}')
}

func (w *writer) separate(i int) {
	if i > 0 {
		w.WriteByte(' ')
	}
}

func (w *writer) list(v reflect.Value, depth int) {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		w.WriteString("nil")
		return
	case v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice:
		w.bytes(v)
		return
	case depth >= maxDepth && v.Len() > 0:
		w.WriteString("[" + strconv.Itoa(v.Len()) + "…]")
		return
	}
	w.WriteByte('[')
	for i := range v.Len() {
		if w.full() {
			return
		}
		w.separate(i)
		if i == maxElements {
			w.WriteString("… " + strconv.Itoa(v.Len()-i) + " more")
			break
		}
		w.value(v.Index(i), depth+1)
	}
	w.WriteByte(']')
}

// bytes writes a slice of bytes as the string that it mostly is.
func (w *writer) bytes(v reflect.Value) {
	n := min(v.Len(), maxString+1)
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(v.Index(i).Uint())
	}
	w.quote(string(text))
}

func (w *writer) table(v reflect.Value, depth int) {
	switch {
	case v.IsNil():
		w.WriteString("nil")
		return
	case depth >= maxDepth && v.Len() > 0, v.Len() > maxKeys:
		w.WriteString("map[" + strconv.Itoa(v.Len()) + "…]")
		return
	}
	w.WriteString("map[")
	for i, e := range w.entries(v, depth) {
		if w.full() {
			return
		}
		w.separate(i)
		if i == maxElements {
			w.WriteString("… " + strconv.Itoa(v.Len()-i) + " more")
			break
		}
		w.WriteString(e.key + ":")
		w.value(e.value, depth+1)
	}
	w.WriteByte(']')
}

// entry is one of a map.
type entry struct {
	key   string
	value reflect.Value
}

func (w *writer) entries(v reflect.Value, depth int) (list []entry) {
	for it := v.MapRange(); it.Next(); {
		// keys that are addresses get numbers here, in an order that is not the same each time:
		// their numbers are left out
		k := &writer{printer: &Printer{}, open: w.open}
		k.value(it.Key(), depth+1)
		list = append(list, entry{k.text(), it.Value()})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return list
}
