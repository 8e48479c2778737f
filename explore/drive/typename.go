package drive

import (
	"reflect"
	"strings"
)

// argument is a package that type arguments are of.
type argument struct{ path, text, name string }

// arguments are the packages of type arguments that cross boundaries, long paths first.
var arguments []argument

// nameOf names a type in the same way in two versions of a package, whatever the package's path.
// Reflection names packages by their names, and in type arguments by their paths.
func nameOf(t reflect.Type) string {
	text := t.String()
	for _, a := range arguments {
		text = strings.ReplaceAll(text, a.text, a.name+".")
	}
	return text
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
