package drive

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// expression is a value as a file of the harness's package writes it, at a place of type t.
func (d *describer) expression(v reflect.Value, t reflect.Type) string {
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
			if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
				fields = append(fields, f.Name+": "+d.expression(v.Field(i), f.Type))
			}
		}
		return name + "{" + strings.Join(fields, ", ") + "}"
	case k == reflect.Pointer && v.Elem().Kind() == reflect.Struct:
		return "&" + d.expression(v.Elem(), v.Elem().Type())
	case k == reflect.Pointer:
		elem := d.source(v.Type().Elem())
		return fmt.Sprintf("func() *%s { v := %s(%s); return &v }()", elem, elem,
			d.expression(v.Elem(), v.Elem().Type()))
	case k == reflect.Slice, k == reflect.Array:
		if v.Type().ConvertibleTo(typeOfBytes) && k == reflect.Slice {
			return fmt.Sprintf("%s(%q)", name, v.Bytes())
		}
		var list []string
		for i := range v.Len() {
			list = append(list, d.expression(v.Index(i), v.Type().Elem()))
		}
		return name + "{" + strings.Join(list, ", ") + "}"
	case k == reflect.Map:
		var list []string
		for _, e := range entriesOf(v) {
			list = append(list, d.expression(e.at,
				v.Type().Key())+": "+d.expression(v.MapIndex(e.at),
				v.Type().Elem()))
		}
		return name + "{" + strings.Join(list, ", ") + "}"
	}
	return name + "(" + basic(v) + ")"
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
