package drive

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// argument is a package that type arguments are of.
type argument struct{ path, text, name string }

// arguments are the packages of type arguments that cross boundaries, long paths first.
var arguments []argument

// own are the names of the packages under test.
var own []string

// nameOf names a type in the same way in two versions of a package, whatever the package's path and
// name: types of the package itself have none before them.
func nameOf(t reflect.Type) string {
	text := qualified(t)
	for _, name := range own {
		text = without(text, name+".")
	}
	return text
}

// qualified names a type with its packages' names. Reflection names packages by their names, and in
// type arguments by their paths.
func qualified(t reflect.Type) string {
	text := t.String()
	for _, a := range arguments {
		text = strings.ReplaceAll(text, a.text, a.name+".")
	}
	return text
}

// without leaves a qualifier out, unless it is the end of a longer one.
func without(text, qualifier string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, qualifier)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		if last == '_' || unicode.IsLetter(last) || unicode.IsDigit(last) {
			b.WriteString(qualifier)
		}
		text = after
	}
}

// argumentsOf lists the packages of a type's arguments.
func argumentsOf(t reflect.Type) (list []argument) {
	text := t.String()
	for _, a := range arguments {
		if strings.Contains(text, a.text) {
			list = append(list, a)
			text = strings.ReplaceAll(text, a.text, "")
		}
	}
	return list
}

// inArguments is how reflection writes the path of a package in type arguments.
func inArguments(path string) string {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + strings.ReplaceAll(path[i:], ".", "%2e") + "."
}

// typeName is the name of a type, or of a pointer's element type, without type arguments.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// sourceOf is how Names and Places call a type; empty: it has no name.
func sourceOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == "" {
		return ""
	}
	return t.PkgPath() + "." + typeName(t)
}
