package std

import "errors"

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
const fills = isHere + "{ defer func() { gate.Filled($1, n) }() }"

// buffered are the hooks of methods by which the library changes a buffer of the program.
func buffered(recv, builds string, names ...string) (hooks []hook) {
	for _, name := range names {
		hooks = append(hooks, hook{recv: recv, name: name, code: isHere +
			"{ gate.Streamed(abi.NoEscape(unsafe.Pointer($r)), " + builds +
			", sys.GetCallerPC()) }",
			imports: []string{"internal/abi", "internal/runtime/sys", "unsafe"}})
	}
	return hooks
}

// hookAccesses tells of accesses of the library elsewhere than in package reflect.
func hookAccesses(goroot string, out map[string][]byte) error {
	reads := func(path, recv, marker string) error {
		return hookFile(goroot, path, marker, []hook{{recv: recv, name: "Read", code: fills}}, out)
	}
	return errors.Join(
		hookFile(goroot, "internal/reflectlite", "func (v Value) Set(",
			[]hook{{recv: "Value", name: "Set", code: sets}}, out),
		hookFile(goroot, "bytes", "func (b *Buffer) Read(",
			append(buffered("Buffer", "false",
				"Read", "ReadFrom", "Write", "WriteString", "WriteTo"),
				hook{recv: "Buffer", name: "Read", code: fills}), out),
		hookFile(goroot, "strings", "func (b *Builder) Write(",
			buffered("Builder", "true", "Write"), out),
		reads("bytes", "Reader", "func (r *Reader) Read("),
		reads("strings", "Reader", "func (r *Reader) Read("),
		reads("bufio", "Reader", "func (b *Reader) Read("),
		hookFile(goroot, "text/template", "func (s *state) printValue(", []hook{
			{recv: "state", name: "printValue", code: isHere + "{ gate.Printed($2, true) }"},
			{recv: "state", name: "evalField", code: isHere + "{ gate.Printed($6, false) }"},
			{name: "isTrue", code: isHere + "{ gate.Printed($1, false) }"},
		}, out))
}
