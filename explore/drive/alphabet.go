package drive

import (
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// alphabet is the data that the environment sends.
type alphabet struct {
	named   map[string][]reflect.Value       // by the name of a place
	typed   map[reflect.Type][]reflect.Value // by type
	nominal []reflect.Type
	draw    refine.Draw
	asked   map[string]bool       // names of places that the interface has
	within  map[reflect.Type]bool // structs whose fields are being looked at
}

// mostProduct bounds the values of a struct.
const mostProduct = 8

// alphabet asks the harness for values.
func (h *Harness) alphabet() *alphabet {
	a := &alphabet{map[string][]reflect.Value{}, map[reflect.Type][]reflect.Value{}, h.Nominal,
		settings.Draw, map[string]bool{}, map[reflect.Type]bool{}}
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

// of lists the data of a place; nil if there is no saying. Zero values of name types stand for
// names, and are no data: see naming.
func (a *alphabet) of(name string, t reflect.Type) []reflect.Value {
	list := a.said(name, t)
	if list == nil {
		return a.byType(t)
	}
	if t.Kind() == reflect.Interface {
		list = slices.DeleteFunc(slices.Clone(list), func(v reflect.Value) bool {
			return a.standsFor(v) != nil
		})
	}
	return list
}

// said lists what the function of values returns for a place.
func (a *alphabet) said(name string, t reflect.Type) []reflect.Value {
	a.asked[name] = true
	if list, ok := a.named[name]; ok && len(list) > 0 && list[0].Type().AssignableTo(t) {
		return list
	}
	return a.typed[t]
}

// naming is the type of the names that may be passed at a place; nil if only data may be. Among the
// values of an interface without methods, the zero value of a name type stands for each name of
// that type.
func (a *alphabet) naming(name string, t reflect.Type) reflect.Type {
	if isName(t, a.nominal) {
		return t
	}
	if t.Kind() != reflect.Interface || t == errorType {
		return nil
	}
	for _, v := range a.said(name, t) {
		if n := a.standsFor(v); n != nil {
			return n
		}
	}
	return nil
}

// standsFor is the name type whose zero value v, in an interface, is; nil if there is none.
func (a *alphabet) standsFor(v reflect.Value) reflect.Type {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || !v.IsZero() || !isName(v.Type(), a.nominal) {
		return nil
	}
	return v.Type()
}

// byType lists the values of a type that nobody has said anything of.
func (a *alphabet) byType(t reflect.Type) []reflect.Value {
	if !isName(t, a.nominal) {
		if list := a.drawn(t); list != nil {
			return list
		}
	}
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

// structs lists combinations of the exported fields' values. Fields that have none stay zero, and
// so does a struct of type t inside one of type t.
func (a *alphabet) structs(t reflect.Type) []reflect.Value {
	if a.within[t] {
		return nil
	}
	a.within[t] = true
	defer delete(a.within, t)
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
