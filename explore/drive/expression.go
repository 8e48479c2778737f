package drive

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// expression is a value as a file of the harness's package writes it, at a place of type t. path is
// the way to v in a value with places for new names, which are holes.
func (d *describer) expression(v reflect.Value, t reflect.Type, path string,
	holes map[string]bool) string {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || nilable(v.Kind()) && v.IsNil() {
		return "nil"
	}
	if v.Type().Implements(errorType) {
		d.of.Imports["errors"] = "errors"
		return fmt.Sprintf("errors.New(%q)", v.Interface().(error).Error())
	}
	name := d.source(v.Type())
	switch k := v.Kind(); {
	case k == reflect.String && t.Kind() == reflect.String, k == reflect.Bool &&
		t.Kind() == reflect.Bool:
		return basic(v)
	case k == reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch way := path + "." + f.Name; {
			case holes[way]:
				fields = append(fields, f.Name+": "+refine.Hole(way))
			case f.IsExported() && (!v.Field(i).IsZero() || within(holes, way)):
				fields = append(fields, f.Name+": "+d.expression(v.Field(i), f.Type, way, holes))
			}
		}
		return name + "{" + strings.Join(fields, ", ") + "}"
	case k == reflect.Pointer && v.Elem().Kind() == reflect.Struct:
		return "&" + d.expression(v.Elem(), v.Elem().Type(), path, holes)
	case k == reflect.Pointer:
		elem := d.source(v.Type().Elem())
		return fmt.Sprintf("func() *%s { v := %s(%s); return &v }()", elem, elem,
			d.expression(v.Elem(), v.Elem().Type(), path, holes))
	case k == reflect.Slice, k == reflect.Array:
		if v.Type().ConvertibleTo(typeOfBytes) && k == reflect.Slice {
			return fmt.Sprintf("%s(%q)", name, v.Bytes())
		}
		var list []string
		for i := range v.Len() {
			way := fmt.Sprintf("%s.%d", path, i)
			list = append(list, d.expression(v.Index(i), v.Type().Elem(), way, holes))
		}
		return name + "{" + strings.Join(list, ", ") + "}"
	case k == reflect.Map:
		var list []string
		for _, e := range entriesOf(v) {
			list = append(list, d.expression(e.at, v.Type().Key(), "", nil)+": "+
				d.expression(v.MapIndex(e.at), v.Type().Elem(), "", nil))
		}
		return name + "{" + strings.Join(list, ", ") + "}"
	}
	return name + "(" + basic(v) + ")"
}

// within reports whether there are holes inside of what a way leads to.
func within(holes map[string]bool, way string) bool {
	for hole := range holes {
		if strings.HasPrefix(hole, way+".") {
			return true
		}
	}
	return false
}

// basic is a value of a basic kind as an untyped expression, whatever its type's methods say.
func basic(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat() && math.IsInf(v.Float(), 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, v.Float())))
	case v.CanFloat() && math.IsNaN(v.Float()):
		return "math.NaN()"
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return strings.Trim(fmt.Sprint(v.Complex()), "()")
}
