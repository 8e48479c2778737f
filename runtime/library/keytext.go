package library

import (
	"reflect"
	"strconv"
	"strings"
)

// KeyText describes a key of a map for people. It calls no method of the program.
func KeyText(k any) string { return valueText(reflect.ValueOf(k)) }

func valueText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Struct:
		return partTexts(v.NumField(), v.Field)
	case reflect.Array:
		return partTexts(v.Len(), v.Index)
	case reflect.Interface:
		return valueText(v.Elem())
	}
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	}
	return "of type " + v.Type().String() // an address says nothing
}

func partTexts(n int, part func(int) reflect.Value) string {
	list := make([]string, n)
	for i := range list {
		list[i] = valueText(part(i))
	}
	return "{" + strings.Join(list, " ") + "}"
}
