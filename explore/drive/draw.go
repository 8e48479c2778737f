package drive

import (
	"errors"
	"hash/fnv"
	"math/rand"
	"reflect"
	"strconv"
	"testing/quick"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// drawn lists the values of a type that -values asks for: random ones, or those of a fuzz corpus.
// nil if there are none. Values of one type are the same at all places, so that they can be equal.
func (a *alphabet) drawn(t reflect.Type) (list []reflect.Value) {
	if a.draw.Quick > 0 {
		return a.random(t)
	}
	for _, l := range a.draw.Corpus {
		if v, ok := letterOf(l, t); ok {
			list = append(list, v)
		}
	}
	return list
}

// isDrawn reports whether the values of a place are drawn, or parts of them: those that the harness
// names are not.
func (a *alphabet) isDrawn(name string, t reflect.Type) bool {
	switch {
	case a.said(name, t) != nil || isName(t, a.nominal) || a.within[t]:
		return false
	case a.drawn(t) != nil:
		return true
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return a.isDrawn("", t.Elem())
	case reflect.Struct:
		a.within[t] = true
		defer delete(a.within, t)
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && a.isDrawn(f.Name, f.Type) {
				return true
			}
		}
	}
	return false
}

// random draws distinct values. The numbers depend on the seed and the type alone.
func (a *alphabet) random(t reflect.Type) (list []reflect.Value) {
	h := fnv.New64a()
	h.Write([]byte(t.String()))
	from := rand.New(rand.NewSource(int64(h.Sum64() ^ a.draw.Seed)))
	r := reader{ids: map[any]int{}}
	seen := map[string]bool{}
	for range 10 * a.draw.Quick {
		v, ok := random(t, from, 0)
		if !ok {
			return nil
		}
		if text, _ := r.read([]reflect.Value{v}); !seen[text.Text] {
			seen[text.Text] = true
			list = append(list, v)
		}
		if len(list) == a.draw.Quick {
			break
		}
	}
	return list
}

// mostElements bounds the slices and maps that are drawn.
const mostElements = 3

// random draws a value: by the type's own Generate, if it has one, and else as package quick does.
// quick.Value cannot fill structs with unexported fields, so random fills those itself.
func random(t reflect.Type, from *rand.Rand, depth int) (v reflect.Value, ok bool) {
	if g, is := reflect.Zero(t).Interface().(quick.Generator); is {
		return g.Generate(from, mostElements), true
	}
	v = reflect.New(t).Elem()
	if depth > deepest {
		return v, true
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				if part, ok := random(f.Type, from, depth+1); ok {
					v.Field(i).Set(part)
				}
			}
		}
		return v, true
	case reflect.Slice:
		n := from.Intn(mostElements + 1)
		v = reflect.MakeSlice(t, n, n)
		return v, fill(v, from, depth)
	case reflect.Array:
		return v, fill(v, from, depth)
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range from.Intn(mostElements) {
			key, is := random(t.Key(), from, depth+1)
			part, ok := random(t.Elem(), from, depth+1)
			if !is || !ok {
				return v, false
			}
			v.SetMapIndex(key, part)
		}
		return v, true
	case reflect.Pointer:
		if t.NumMethod() > 0 {
			return v, false
		}
		part, ok := random(t.Elem(), from, depth+1)
		if ok {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(part)
		}
		return v, ok
	case reflect.Interface:
		if t == errorType {
			v.Set(reflect.ValueOf(errors.New("e" + strconv.Itoa(from.Intn(100)))))
		}
		return v, t == errorType
	case reflect.String: // quick's have up to fifty characters of all scripts
		for range from.Intn(mostElements + 1) {
			v.SetString(v.String() + string(rune('a'+from.Intn(26))))
		}
		return v, true
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return v, false
	}
	return quick.Value(t, from)
}

// fill draws the elements of a slice or an array.
func fill(v reflect.Value, from *rand.Rand, depth int) (ok bool) {
	for i := range v.Len() {
		part, ok := random(v.Type().Elem(), from, depth+1)
		if !ok {
			return false
		}
		v.Index(i).Set(part)
	}
	return true
}

// letterOf is a value of the corpus as one of a type. It is not ok if it has another one.
func letterOf(l refine.Letter, t reflect.Type) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	switch k := t.Kind(); {
	case l.Kind == "[]byte" && k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(l.Text))
		return v, true
	case l.Kind != k.String():
		return v, false
	case k == reflect.String:
		v.SetString(l.Text)
	case k == reflect.Bool:
		v.SetBool(l.Text == "true")
	case v.CanInt():
		n, err := strconv.ParseInt(l.Text, 0, t.Bits())
		v.SetInt(n)
		return v, err == nil
	case v.CanUint():
		n, err := strconv.ParseUint(l.Text, 0, t.Bits())
		v.SetUint(n)
		return v, err == nil
	case v.CanFloat():
		n, err := strconv.ParseFloat(l.Text, t.Bits())
		v.SetFloat(n)
		return v, err == nil
	default:
		return v, false
	}
	return v, true
}
