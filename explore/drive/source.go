package drive

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// source is a type as a file of the harness's package writes it. The interface's imports have the
// packages that the text names.
func (d *describer) source(t reflect.Type) string {
	switch {
	case t.PkgPath() != "":
		return d.named(t)
	case t.Name() != "":
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + d.source(t.Elem())
	case reflect.Slice:
		return "[]" + d.source(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + d.source(t.Elem())
	case reflect.Map:
		return "map[" + d.source(t.Key()) + "]" + d.source(t.Elem())
	case reflect.Chan:
		elem := d.source(t.Elem())
		if t.ChanDir() == reflect.BothDir && strings.HasPrefix(elem, "<-") {
			elem = "(" + elem + ")"
		}
		return t.ChanDir().String() + " " + elem
	case reflect.Func:
		return d.function(t)
	}
	return regexp.MustCompile(`\b`+d.h.Package+`\.`).ReplaceAllString(qualified(t),
		d.qualifier(d.h.Package, d.path()))
}

// function is a type of functions.
func (d *describer) function(t reflect.Type) string {
	var in, out []string
	for i := range t.NumIn() {
		text := d.source(t.In(i))
		if t.IsVariadic() && i == t.NumIn()-1 {
			text = "..." + d.source(t.In(i).Elem())
		}
		in = append(in, text)
	}
	for i := range t.NumOut() {
		out = append(out, d.source(t.Out(i)))
	}
	text := "func(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}

// named is a type with a name, and perhaps type arguments.
func (d *describer) named(t reflect.Type) string {
	name, rest, _ := strings.Cut(t.String(), ".")
	for _, a := range argumentsOf(t) {
		rest = strings.ReplaceAll(rest, a.text, d.qualifier(a.name, a.path))
	}
	return d.qualifier(name, t.PkgPath()) + rest
}

// qualifier is what stands before the names of a package: "q."; empty: it is the harness's.
func (d *describer) qualifier(name, path string) string {
	if path == d.path() {
		return ""
	}
	return d.imported(name, path) + "."
}

// path is the path of the harness's package.
func (d *describer) path() string {
	f := runtime.FuncForPC(reflect.ValueOf(d.h.Func).Pointer())
	if f == nil {
		return ""
	}
	name := f.Name()
	start := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[start:], ".")
	return name[:start] + strings.ReplaceAll(last, "%2e", ".")
}

// observers are the packages that observers import by themselves.
var observers = map[string]string{"testing": "testing", "time": "time", "json": "encoding/json",
	"errors": "errors", "context": "context", "fmt": "fmt", "math": "math"}

// imported is the name by which a file imports a package: its own, unless another package has that.
func (d *describer) imported(name, path string) string {
	alone := name
	for n := 2; ; n++ {
		by, taken := d.of.Imports[name]
		if by == "" {
			by, taken = observers[name]
		}
		if !taken || by == path {
			d.of.Imports[name] = path
			return name
		}
		name = fmt.Sprint(alone, n)
	}
}
