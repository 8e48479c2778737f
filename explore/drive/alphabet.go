package drive

import (
	"errors"
	"reflect"
	"time"
)

// alphabet is the data that the environment sends.
type alphabet struct {
	named map[string][]reflect.Value       // by the name of a place
	typed map[reflect.Type][]reflect.Value // by type
}

// mostProduct bounds the values of a struct.
const mostProduct = 8

// alphabet asks the harness for values.
func (h *Harness) alphabet() *alphabet {
	a := &alphabet{map[string][]reflect.Value{}, map[reflect.Type][]reflect.Value{}}
	if h.Values == nil {
		return a
	}
	for i, list := range reflect.ValueOf(h.Values).Call(nil) {
		values := []reflect.Value{}
		for j := range list.Len() {
			values = append(values, list.Index(j))
		}
		if name := h.ValueNames[i]; name != "" && name != "_" {
			a.named[name] = values
		} else {
			a.typed[list.Type().Elem()] = values
		}
	}
	return a
}

// of lists the values of a place; nil if there is no saying.
func (a *alphabet) of(name string, t reflect.Type) []reflect.Value {
	if list, ok := a.named[name]; ok && len(list) > 0 && list[0].Type().AssignableTo(t) {
		return list
	}
	if list, ok := a.typed[t]; ok {
		return list
	}
	return a.byType(t)
}

// byType lists the values of a type that nobody has said anything of.
func (a *alphabet) byType(t reflect.Type) []reflect.Value {
	switch k := t.Kind(); {
	case t == errorType:
		return []reflect.Value{reflect.Zero(t), reflect.ValueOf(errors.New("e"))}
	case t == reflect.TypeFor[time.Duration]():
		return values(t, time.Millisecond, time.Second)
	case k == reflect.Bool:
		return values(t, false, true)
	case k == reflect.String:
		return values(t, "a", "b")
	case reflect.Int <= k && k <= reflect.Float64 && k != reflect.Uintptr:
		return values(t, 1, 2)
	case k == reflect.Struct:
		return a.structs(t)
	case k == reflect.Slice:
		return a.slices(t)
	case k == reflect.Pointer && t.NumMethod() == 0:
		var list []reflect.Value
		for _, v := range a.of("", t.Elem()) {
			p := reflect.New(t.Elem())
			p.Elem().Set(v)
			list = append(list, p)
		}
		return list
	case k == reflect.Interface && t.NumMethod() == 0:
		return []reflect.Value{reflect.ValueOf("a"), reflect.ValueOf("b")}
	}
	return nil
}

func values(t reflect.Type, list ...any) (out []reflect.Value) {
	for _, v := range list {
		out = append(out, reflect.ValueOf(v).Convert(t))
	}
	return out
}

// structs lists combinations of the exported fields' values. Fields that have none stay zero.
func (a *alphabet) structs(t reflect.Type) []reflect.Value {
	list := []reflect.Value{reflect.New(t).Elem()}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		var longer []reflect.Value
		for _, v := range a.of(f.Name, f.Type) {
			for _, head := range list {
				s := reflect.New(t).Elem()
				s.Set(head)
				s.Field(i).Set(v)
				longer = append(longer, s)
			}
		}
		if len(longer) > 0 {
			list = longer[:min(len(longer), mostProduct)]
		}
	}
	return list
}

// slices lists the empty slice, and one of each element.
func (a *alphabet) slices(t reflect.Type) []reflect.Value {
	list := []reflect.Value{reflect.MakeSlice(t, 0, 0)}
	for _, v := range a.of("", t.Elem()) {
		s := reflect.MakeSlice(t, 1, 1)
		s.Index(0).Set(v)
		list = append(list, s)
	}
	return list
}
