package std

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// The library's accesses to variables of the program that package hook looks at: accesses by
// reflection, as in encoding/json; writes of readers to the buffers that they fill; and values that
// templates print.

// sets is what tells of a variable that a method of reflect.Value is about to write.
const sets = "if $r.flag&flagAddr != 0 && gate.Here() { gate.Accessed($r.ptr, nil, 1, true) }"

// setters are the methods of reflect.Value that do so, beside Set and SetZero.
var setters = []string{"SetBool", "SetBytes", "SetComplex", "SetFloat", "SetInt", "SetLen",
	"SetCap", "SetUint", "SetPointer", "SetString"}

// reflectWrites are the hooks of the file value.go of package reflect.
func reflectWrites() []hook {
	hooks := []hook{
		{recv: "Value", name: "Set", code: isHere + "{ rehearseWrites($r) }"},
		{recv: "Value", name: "SetZero", code: isHere + "{ rehearseWrites($r) }"},
		{recv: "Value", name: "Clear", code: isHere + "{ rehearseClears($r) }"},
		{name: "Copy", code: isHere + "{ rehearseCopies($1, $2) }"},
	}
	for _, name := range setters {
		hooks = append(hooks, hook{recv: "Value", name: name, code: sets})
	}
	return hooks
}

// mapWrites are those of the file that has maps.
var mapWrites = []hook{
	{recv: "Value", name: "SetMapIndex",
		code: "if $r.kind() == Map && gate.Here() { gate.Accessed($r.pointer(), nil, 1, true) }"},
	{recv: "Value", name: "SetIterKey", code: isHere + "{ rehearseWrites($r) }"},
	{recv: "Value", name: "SetIterValue", code: isHere + "{ rehearseWrites($r) }"},
}

// fills is what tells of the bytes that a method Read with named results has written.
const fills = isHere + "{ " + fillsAtEnd + " }"

// fillsAtEnd is what does so at the end: the method may change its parameter.
const fillsAtEnd = "defer func(b []byte) { gate.Filled(b, n) }($1)"

// streams are the types of the library that change with each operation, by packages, with the
// methods that change them. Methods that only call such methods of theirs are left out.
var streams = map[string]map[string]string{
	"bufio": {
		"Reader":  "Discard Peek Read ReadByte ReadRune ReadSlice UnreadByte WriteTo",
		"Scanner": "Scan",
		"Writer":  "ReadFrom Write WriteByte WriteRune WriteString",
	},
	"bytes": {
		"Buffer": "Next Read ReadByte ReadBytes ReadFrom ReadRune ReadString Reset Truncate " +
			"UnreadByte UnreadRune Write WriteByte WriteRune WriteString WriteTo",
		"Reader": "Read ReadByte ReadRune Seek UnreadByte UnreadRune WriteTo",
	},
	"strings": {
		"Builder": "Write WriteByte WriteRune WriteString",
		"Reader":  "Read ReadByte ReadRune Seek UnreadByte UnreadRune WriteTo",
	},
}

// streamHooks are those of the streams of a package.
func streamHooks(path string) (hooks []hook) {
	add := func(recv, name, when string) {
		hooks = append(hooks, hook{recv: recv, name: name, code: when +
			"{ gate.Streamed(abi.NoEscape(unsafe.Pointer($r)), (*" + recv + ")(nil), " +
			"sys.GetCallerPC()) }",
			imports: []string{"internal/abi", "internal/runtime/sys", "unsafe"}})
	}
	for _, recv := range slices.Sorted(maps.Keys(streams[path])) {
		for _, name := range strings.Fields(streams[path][recv]) {
			add(recv, name, isHere)
			if name == "Read" {
				hooks = append(hooks, hook{recv: recv, name: name, code: fills})
			}
		}
	}
	if path == "bufio" { // with nothing buffered, nothing changes
		add("Writer", "Flush", "if $r.n > 0 && gate.Here() ")
	}
	return hooks
}

// hookAccesses tells of accesses of the library elsewhere than in package reflect.
func hookAccesses(goroot string, out map[string][]byte) error {
	for path := range streams {
		if err := hookFile(goroot, path, "func (", streamHooks(path), out); err != nil {
			return err
		}
	}
	return errors.Join(
		hookFile(goroot, "internal/reflectlite", "func (v Value) Set(",
			[]hook{{recv: "Value", name: "Set", code: sets}}, out),
		hookFile(goroot, "text/template", "func (s *state) printValue(", []hook{
			{recv: "state", name: "printValue", code: isHere + "{ gate.Printed($2, true) }"},
			{recv: "state", name: "evalField", code: isHere + "{ gate.Printed($6, false) }"},
			{name: "isTrue", code: isHere + "{ gate.Printed($1, false) }"},
		}, out))
}
