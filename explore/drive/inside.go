package drive

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// filler puts new names of the environment's into data: where a field of a struct is a nil channel,
// function or context, as the channel for the reply in a request.
type filler struct {
	nominal []reflect.Type
	fresh   func(path string, t reflect.Type) reflect.Value
	filled  int
}

// in returns a value with new names, v itself if it has no place for one. path is the way to v.
func (f *filler) in(v reflect.Value, path string) reflect.Value {
	before := f.filled
	if c := f.copied(v, path); f.filled > before {
		return c
	}
	return v
}

func (f *filler) copied(v reflect.Value, path string) reflect.Value {
	k := v.Kind()
	if !v.IsValid() || nilable(k) && v.IsNil() || slices.Contains(f.nominal, v.Type()) {
		return v
	}
	switch {
	case k == reflect.Interface:
		c := reflect.New(v.Type()).Elem()
		c.Set(f.in(v.Elem(), path))
		return c
	case k == reflect.Pointer && v.NumMethod() == 0:
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(f.in(v.Elem(), path))
		return c.Convert(v.Type())
	case k == reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(f.in(v.Index(i), fmt.Sprintf("%s.%d", path, i)))
		}
		return c
	case k == reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		f.fields(c, path)
		return c
	}
	return v
}

// fields fills the fields of a struct.
func (f *filler) fields(c reflect.Value, path string) {
	for i := range c.NumField() {
		field, is := c.Field(i), c.Type().Field(i)
		switch way := path + "." + is.Name; {
		case !is.IsExported():
		case fresh(is.Type) && field.IsNil():
			f.filled++
			field.Set(f.fresh(way, is.Type))
		default:
			field.Set(f.in(field, way))
		}
	}
}

// inside describes the new names in a value of the alphabet, and returns the value as people and
// as observers see it.
func (d *describer) inside(v reflect.Value, t reflect.Type, place string) (shown, source string,
	list []refine.Made) {
	r := reader{nominal: d.h.Nominal, own: map[any]string{}, ids: map[any]int{}}
	holes := map[string]bool{}
	f := filler{nominal: d.h.Nominal, fresh: func(path string, t reflect.Type) reflect.Value {
		holes[path] = true
		m := refine.Made{Path: path, Type: d.source(t)}
		if !d.opening[t] {
			d.opening[t] = true
			m.Opens = d.opened(path[1:], t, place)
			delete(d.opening, t)
		}
		kind, made := "context", reflect.Value{}
		switch t.Kind() {
		case reflect.Chan:
			m.Type, kind = d.channel(t), "channel"
			made = reflect.MakeChan(reflect.ChanOf(reflect.BothDir, t.Elem()), 0).Convert(t)
		case reflect.Func:
			kind, made = "function", reflect.MakeFunc(t, nil)
		default:
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			made = reflect.ValueOf(ctx)
		}
		list = append(list, m)
		r.own[identity(made)] = "a new " + kind
		return made
	}}
	text, _ := r.read([]reflect.Value{f.in(v, "")})
	return text.Shown(), d.expression(v, t, "", holes), list
}
