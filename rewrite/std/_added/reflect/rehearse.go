// The overlay adds this to package reflect: channels that exploration knows of.
package reflect

import "rehearse/runtime/gate"

// rehearseMakeChan is MakeChan for arguments that are as they should be.
func rehearseMakeChan(typ Type, buffer int) Value {
	t := typ.common()
	ch := makechan(t, buffer)
	gate.MadeChan(ch)
	return Value{t, ch, flag(Chan)}
}

// rehearseMethod tells of the method that v is.
func rehearseMethod(v Value) {
	if kind := (Value{v.typ(), v.ptr, v.flag &^ flagMethod}).kind(); kind == Interface {
		return // the program has the value in it, too
	}
	t := toRType(v.typ())
	if methods, i := t.exportedMethods(), int(v.flag)>>flagMethodShift; i < len(methods) {
		gate.Reflected(t, t.nameOff(methods[i].Name).Name())
	}
}
