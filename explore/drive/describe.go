package drive

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
)

var contextType = reflect.TypeFor[context.Context]()

// Describe says what crosses the boundary of a harness.
func (h *Harness) Describe() *refine.Interface {
	d := &describer{h: h, of: &refine.Interface{Harness: h.Name, Place: h.Places[""],
		Types: map[string][]refine.Port{}, Protocol: h.Protocol}, alphabet: h.alphabet(),
		opening: map[reflect.Type]bool{}}
	d.of.Package, d.of.Outside, d.of.Imports = h.Package, h.Outside, map[string]string{}
	f := reflect.TypeOf(h.Func)
	for i := range f.NumIn() {
		if !isTest(f.In(i)) {
			d.taken(h.Params[i], f.In(i), h.Params[i])
		}
		d.of.Params = append(d.of.Params, refine.Param{Name: h.Params[i], Type: d.source(f.In(i)),
			Fields: portFields(f.In(i)), Test: isTest(f.In(i))})
	}
	for i := range f.NumOut() {
		if f.Out(i) != errorType { // a harness that returns an error has failed
			d.given(h.operand(i), "", f.Out(i), h.operand(i), &d.of.Ports, 0)
		}
		d.of.Results = append(d.of.Results, h.operand(i))
	}
	if len(d.of.Ports) == 0 && len(d.of.Errors) == 0 && !d.open {
		d.wrong("", "%s has no channel, function or exported method that a client could use",
			h.Name)
	}
	d.checkNames()
	return d.of
}

// checkNames looks for names in the harness's comment, and of its values, that name nothing.
func (d *describer) checkNames() {
	if d.open {
		return
	}
	labels, of := map[string]bool{}, map[string]bool{}
	note := func(ports []refine.Port) {
		for _, p := range ports {
			labels[p.Label], of[p.Of] = true, true
		}
	}
	note(d.of.Ports)
	for _, ports := range d.of.Types {
		note(ports)
	}
	p := d.h.Protocol
	for _, word := range []struct {
		key   string
		names map[string]bool
		known map[string]bool
	}{{"last", p.Last, labels}, {"once", p.Once, labels}, {"close", p.Closes, labels},
		{"sequential", p.One, of}} {
		for _, name := range slices.Sorted(maps.Keys(word.names)) {
			if !word.known[name] {
				d.wrong("", "%s=%s: the harness has no %s", word.key, name, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.alphabet.named)) {
		if len(d.alphabet.named[name]) == 0 {
			d.wrong("", "%sValues returns no value for %s", d.h.Name, name)
		}
		if !d.alphabet.asked[name] {
			d.wrong("",
				"%sValues returns %s, and no parameter, field or channel of that name takes values",
				d.h.Name, name)
		}
	}
}

// DescribeTypes says what the environment may do with names of types that only executions show,
// since values of an interface type have crossed.
func (h *Harness) DescribeTypes(types map[string]reflect.Type) map[string][]refine.Port {
	d := &describer{h: h, of: &refine.Interface{Types: map[string][]refine.Port{},
		Imports: map[string]string{}}, alphabet: h.alphabet(), opening: map[reflect.Type]bool{}}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		d.brought(types[name])
	}
	return d.of.Types
}

// portFields are the fields that are ports, of a parameter that is a struct.
func portFields(t reflect.Type) (names []string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && crosses(f.Type) {
			names = append(names, f.Name)
		}
	}
	return names
}

// signature notes the types of a function.
func (d *describer) signature(p *refine.Port, f reflect.Type, skip int) {
	for i := skip; i < f.NumIn(); i++ {
		p.In = append(p.In, d.source(f.In(i)))
	}
	for i := range f.NumOut() {
		p.Out = append(p.Out, d.source(f.Out(i)))
	}
	p.Rest = f.IsVariadic()
}

// operand names the i-th result of the harness.
func (h *Harness) operand(i int) string {
	return cmp.Or(h.Results[i], fmt.Sprintf("result%d", i+1))
}

// isTest reports whether a parameter is the test that the harness runs in.
func isTest(t reflect.Type) bool {
	s := t.String()
	return s == "testing.TB" || s == "*testing.T"
}

type describer struct {
	h        *Harness
	of       *refine.Interface
	alphabet *alphabet
	open     bool                  // values of any type cross: executions may show more
	opening  map[reflect.Type]bool // types of new names that are being described
}

func (d *describer) wrong(place string, format string, args ...any) {
	d.of.Errors = append(d.of.Errors,
		cmp.Or(d.h.Places[place], d.h.Places[""])+": "+fmt.Sprintf(format, args...))
}

// taken describes a parameter of the harness: the environment owns it.
func (d *describer) taken(on string, t reflect.Type, place string) {
	port := refine.Port{On: on, Label: on, Type: nameOf(t)}
	switch k := t.Kind(); {
	case t == contextType:
		port.Kind = refine.Cancel
	case k == reflect.Chan && t.ChanDir() == reflect.SendDir:
		port.Kind, port.In = refine.Receive, []string{d.source(t.Elem())}
		d.brought(t.Elem())
	case k == reflect.Chan && t.ChanDir() == reflect.RecvDir:
		port.Kind, port.Args = refine.Send, []refine.Arg{d.arg(on, t.Elem(), place)}
		port.Closes, port.In = d.h.Protocol.Closes[on], []string{d.source(t.Elem())}
	case k == reflect.Func:
		d.callback(port, t, place)
		return
	case k == reflect.Interface && t.NumMethod() > 0:
		for i := range t.NumMethod() {
			m := t.Method(i)
			d.callback(refine.Port{On: on, Name: "." + m.Name, Label: on + "." + m.Name,
				Type: nameOf(m.Type)}, m.Type, sourceOf(t)+"."+m.Name)
		}
		return
	case k == reflect.Struct, k == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		d.takenFields(on, t, place)
		return
	case k == reflect.Chan:
		d.wrong(place,
			"parameter %s has type %s: say which direction the component uses, chan<- or <-chan",
			on, t)
		return
	default:
		d.wrong(place,
			"parameter %s has type %s, and a harness takes channels, functions, interfaces and contexts only",
			on, t)
		return
	}
	d.of.Ports = append(d.of.Ports, port)
}

func (d *describer) takenFields(on string, t reflect.Type, place string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && crosses(f.Type) {
			d.taken(on+"."+f.Name, f.Type, place)
		}
	}
}

// crosses reports whether a field's type is a port.
func crosses(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.Chan || k == reflect.Func || t == contextType ||
		k == reflect.Interface && t.NumMethod() > 0 && t != errorType
}

// callback describes a function of the environment's.
func (d *describer) callback(p refine.Port, f reflect.Type, place string) {
	p.Kind = refine.Callback
	d.signature(&p, f, 0)
	for i := range f.NumIn() {
		d.brought(f.In(i))
	}
	for i := range f.NumOut() {
		p.Args = append(p.Args, d.arg("", f.Out(i), place))
	}
	d.of.Ports = append(d.of.Ports, p)
}

// given describes a result of the harness, or what a name leads to: the environment may use it. The
// source knows it as place.
func (d *describer) given(on, name string, t reflect.Type, place string, to *[]refine.Port,
	depth int) {
	p := refine.Port{On: on, Name: name, Label: label(on, name), Type: nameOf(t)}
	switch k := t.Kind(); {
	case k == reflect.Chan && t.ChanDir() == reflect.RecvDir:
		p.Kind, p.In = refine.Receive, []string{d.source(t.Elem())}
		d.brought(t.Elem())
	case k == reflect.Chan && t.ChanDir() == reflect.SendDir:
		p.Kind, p.Args = refine.Send, []refine.Arg{d.arg(p.Label, t.Elem(), p.Label)}
		p.Closes, p.In = d.h.Protocol.Closes[p.Label], []string{d.source(t.Elem())}
	case k == reflect.Chan:
		d.wrong(p.Label, "%s has type %s: say which direction clients use, chan<- or <-chan",
			cmp.Or(p.Label, "the result"), t)
		return
	case k == reflect.Func:
		d.call(p, t, cmp.Or(sourceOf(t), place), 0, to)
		return
	case k != reflect.Interface && k != reflect.Struct && k != reflect.Pointer &&
		t.NumMethod() == 0:
		d.wrong(on, "%s has type %s, and a harness returns channels, functions, interfaces, structs "+
			"and pointers only", cmp.Or(p.Label, "the result"), t)
		return
	default:
		d.members(on, name, t, to, depth)
		return
	}
	*to = append(*to, p)
}

// members describes the methods, and the exported fields, of a handle.
func (d *describer) members(on, name string, t reflect.Type, to *[]refine.Port, depth int) {
	d.methods(on, name, t, to)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || depth > 2 {
		return
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() &&
			(crosses(f.Type) || f.Type.NumMethod() > 0 && f.Type.Kind() == reflect.Pointer) &&
			!f.Anonymous {
			d.given(on, name+"."+f.Name, f.Type, sourceOf(t)+"."+f.Name, to, depth+1)
		}
	}
}

func (d *describer) methods(on, name string, t reflect.Type, to *[]refine.Port) {
	plain := t.Kind() == reflect.Interface
	for i := range t.NumMethod() {
		if m := t.Method(i); m.IsExported() {
			p := refine.Port{On: on, Of: typeName(t), Name: name + "." + m.Name,
				Label: label(on, name+"."+m.Name), Type: nameOf(m.Type)}
			skip := 1 // the receiver
			if plain {
				skip = 0
			}
			d.call(p, m.Type, sourceOf(t)+"."+m.Name, skip, to)
		}
	}
}

// call describes a function of the component's. Its results may bring more handles.
func (d *describer) call(p refine.Port, f reflect.Type, place string, skip int, to *[]refine.Port) {
	p.Kind = refine.Call
	d.signature(&p, f, skip)
	var in, out []string
	for i := skip; i < f.NumIn(); i++ {
		name := ""
		if names := d.h.Names[place]; i-skip < len(names) {
			name = names[i-skip]
		}
		p.Args = append(p.Args, d.arg(name, f.In(i), place))
		in = append(in, nameOf(f.In(i)))
	}
	for i := range f.NumOut() {
		out = append(out, nameOf(f.Out(i)))
		d.brought(f.Out(i))
	}
	p.Type = fmt.Sprintf("func(%s) (%s)", strings.Join(in, ", "), strings.Join(out, ", "))
	*to = append(*to, p)
}

// brought describes what the environment may do with names in values of a type of the component's.
func (d *describer) brought(t reflect.Type) {
	name := nameOf(t)
	if _, known := d.of.Types[name]; known {
		return
	}
	switch k := t.Kind(); {
	case t == errorType || slices.Contains(d.h.Nominal, t):
	case k == reflect.Interface && t.NumMethod() == 0:
		d.open = true
	case k == reflect.Chan, k == reflect.Func, k == reflect.Pointer && t.NumMethod() > 0,
		k == reflect.Interface && t.NumMethod() > 0:
		d.of.Types[name] = nil
		var ports []refine.Port
		d.given("", "", t, "", &ports, 0)
		d.of.Types[name] = ports
	case k == reflect.Slice, k == reflect.Array, k == reflect.Pointer, k == reflect.Map:
		d.of.Types[name] = nil
		d.brought(t.Elem())
	case k == reflect.Struct:
		d.of.Types[name] = nil
		if hides(t) {
			var ports []refine.Port
			d.methods("", "", t, &ports)
			d.of.Types[name] = ports
		}
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				d.brought(t.Field(i).Type)
			}
		}
	}
}

// label names a port for people: methods of an only, unnamed result stand alone.
func label(on, name string) string {
	if name == "" {
		return on
	}
	if on == "" || strings.HasPrefix(on, "result") {
		return name[1:]
	}
	return on + name
}

// arg describes a place for a value of the environment's: data, and names that it knows.
func (d *describer) arg(name string, t reflect.Type, place string) refine.Arg {
	a := refine.Arg{Place: name, Type: nameOf(t)}
	values := d.alphabet.of(name, t)
	naming := d.alphabet.naming(name, t)
	switch {
	case naming != nil:
		a.Named, a.Fresh, a.Opens = nameOf(naming), fresh(naming), d.opened(name, naming, place)
		a.Makes = d.source(naming)
		if naming.Kind() == reflect.Chan {
			a.Makes = d.channel(naming)
		}
		if naming.Name() != "" {
			a.Converts = d.source(naming)
		}
		if values == nil && !a.Fresh {
			a.Values, a.Source = []string{"nil"}, []string{"nil"}
			return a
		}
		if slices.Contains(d.h.Nominal, naming) && d.alphabet.said(name, t) == nil {
			values = values[:min(1, len(values))] // one unknown name
		}
	case values == nil:
		d.wrong(place, "%s %s: no values of this type are known; %sValues may return some",
			cmp.Or(name, "a value"), t, d.h.Name)
	}
	a.Drawn = naming == nil && d.alphabet.isDrawn(name, t)
	for _, v := range values {
		shown, source, made := d.inside(v, t, place)
		if slices.Contains(d.h.Nominal, v.Type()) {
			shown = fmt.Sprint(v)
		}
		a.Values, a.Source = append(a.Values, shown), append(a.Source, source)
		a.Inside = append(a.Inside, made)
	}
	if !slices.ContainsFunc(a.Inside, func(m []refine.Made) bool { return len(m) > 0 }) {
		a.Inside = nil
	}
	return a
}

// channel is a channel type as source, without its name.
func (d *describer) channel(t reflect.Type) string {
	return map[reflect.ChanDir]string{reflect.SendDir: "chan<- ", reflect.RecvDir: "<-chan ",
		reflect.BothDir: "chan "}[t.ChanDir()] + d.source(t.Elem())
}

// fresh reports whether the environment can make a new name of a type.
func fresh(t reflect.Type) bool {
	return t.Kind() == reflect.Chan || t.Kind() == reflect.Func || t == contextType
}

// opened is what the environment may do with a new name that it passes.
func (d *describer) opened(name string, t reflect.Type, place string) *refine.Port {
	switch {
	case t == contextType:
		return &refine.Port{Kind: refine.Cancel, Label: cmp.Or(name, "ctx")}
	case t.Kind() == reflect.Func:
		p := &refine.Port{Kind: refine.Callback, Label: cmp.Or(name, "f")}
		d.signature(p, t, 0)
		for i := range t.NumOut() {
			p.Args = append(p.Args, d.arg("", t.Out(i), place))
		}
		return p
	case t.Kind() == reflect.Chan && t.ChanDir() == reflect.RecvDir:
		return &refine.Port{Kind: refine.Send, Label: cmp.Or(name, "ch"),
			Args: []refine.Arg{d.arg(name, t.Elem(), place)}, In: []string{d.source(t.Elem())}}
	}
	return nil
}
