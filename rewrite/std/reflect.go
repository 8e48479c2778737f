package std

import "errors"

// reflectHooks make operations on channels by reflection those of the model, also where the library
// does them, as text/template does to range over a channel. Calls that would panic are left to the
// original body.
var reflectHooks = []hook{
	{name: "MakeChan",
		code: "if gate.MadeChan != nil && $1.Kind() == Chan && $2 >= 0 && $1.ChanDir() == BothDir { return rehearseMakeChan($1, $2) }"},
	{name: "Select", code: isHere +
		"{ if i, v, ok, done := gate.ReflectSelect($1); done { r, _ := v.(Value); return i, r, ok } }"},
	{recv: "Value", name: "Send",
		code: isHere + "{ if _, done := gate.ReflectSend($r, $1, false); done { return } }"},
	{recv: "Value", name: "TrySend",
		code: isHere + "{ if ok, done := gate.ReflectSend($r, $1, true); done { return ok } }"},
	{recv: "Value", name: "Recv",
		code: isHere +
			"{ if v, ok, done := gate.ReflectRecv($r, false); done { return v.(Value), ok } }"},
	{recv: "Value", name: "TryRecv",
		code: isHere +
			"{ if v, ok, done := gate.ReflectRecv($r, true); done { return v.(Value), ok } }"},
	{recv: "Value", name: "Close",
		code: "if gate.ReflectClose != nil && gate.ReflectClose($r) { return }"},
	{recv: "Value", name: "call",
		code: isHere + "&& $r.flag&flagMethod != 0 { rehearseMethod($r) }"},
	{recv: "Value", name: "lenNonSlice",
		code: "if $r.kind() == Chan && gate.Here() { return gate.ReflectLen($r) }"},
}

func hookReflect(goroot string, out map[string][]byte) error {
	values := hook{name: "makeMethodValue", code: isHere + "{ rehearseMethod($2) }"}
	inValues := append(reflectWrites(), reflectHooks...)
	return errors.Join(
		hookFile(goroot, "reflect", "func MakeChan(", inValues, out),
		hookFile(goroot, "reflect", "func (v Value) SetMapIndex(", mapWrites, out),
		hookFile(goroot, "reflect", "func makeMethodValue(", []hook{values}, out))
}
