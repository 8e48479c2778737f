package sched

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// panicText formats a panic's value as the Go runtime prints it: the text of an error or a
// Stringer, or the value of a basic type, with the type's name if it has one. Of all other values
// it gives only type and address. If printing the value panics, too, the runtime gives up, and the
// text says so.
func panicText(r any) (text string) {
	defer func() {
		if again := recover(); again != nil {
			text = fmt.Sprintf("panic while printing panic value: type %T", again)
		}
	}()
	switch v := r.(type) {
	case error:
		return indented(v.Error())
	case fmt.Stringer:
		return indented(v.String())
	}
	return valueText(r)
}

// plainText is panicText for a panic that goes on to be recovered: no code of the program may run
// for it. Of an error or a Stringer of other packages than these it gives only the type.
func plainText(r any) string {
	switch r.(type) {
	case runtime.Error:
		if reflect.Indirect(reflect.ValueOf(r)).Type().PkgPath() == "runtime" {
			return panicText(r)
		}
	case error:
		if t := fmt.Sprintf("%T", r); t == "*errors.errorString" || t == "*fmt.wrapError" {
			return panicText(r)
		}
	case fmt.Stringer:
	default:
		return valueText(r)
	}
	return fmt.Sprintf("a value of type %T", r)
}

func valueText(r any) string {
	v := reflect.ValueOf(r)
	if basic := basicText(v); basic == "" && v.Kind() != reflect.String {
		return fmt.Sprintf("(%T) %#x", r, address(r))
	} else if v.Type().PkgPath() == "" {
		return basic
	} else if v.Kind() == reflect.String {
		return fmt.Sprintf("%T(\"%s\")", r, basic)
	} else if v.CanComplex() {
		return fmt.Sprintf("%T%s", r, basic)
	} else {
		return fmt.Sprintf("%T(%s)", r, basic)
	}
}

// basicText prints as the predeclared print does; as Go 1.26 does for floats. It is empty if the
// type is not basic.
func basicText(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return indented(v.String())
	case v.Kind() == reflect.Bool:
		return fmt.Sprint(v.Bool())
	case v.CanInt():
		return fmt.Sprint(v.Int())
	case v.CanUint():
		return fmt.Sprint(v.Uint())
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	}
	return ""
}

// indented keeps the lines of a text together.
func indented(text string) string { return strings.ReplaceAll(Portable(text), "\n", "\n\t") }

// Portable makes a text of the program's the same in all processes: the names of temporary files
// are those of a process that runs alone.
func Portable(text string) string {
	if gate.TempDir == gate.TempFirst {
		return text
	}
	return strings.ReplaceAll(text, gate.TempDir, gate.TempFirst)
}

// address returns the second word of an interface value.
func address(r any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&r))[1] }
