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

// rehearseWrites tells that the variable that v is is about to be written.
func rehearseWrites(v Value) {
	if v.flag&flagAddr != 0 {
		gate.Accessed(v.ptr, toType(v.typ()), 1, true)
	}
}

// rehearseClears tells of what Clear writes.
func rehearseClears(v Value) {
	switch v.kind() {
	case Map:
		gate.Accessed(v.pointer(), nil, 1, true)
	case Slice:
		gate.Accessed(v.UnsafePointer(), v.Type().Elem(), v.Len(), true)
	}
}

// rehearseCopies tells of what Copy reads and writes.
func rehearseCopies(dst, src Value) {
	if src.kind() != Slice || dst.kind() != Slice && !(dst.kind() == Array && dst.CanAddr()) {
		return
	}
	n := min(dst.Len(), src.Len())
	if n == 0 {
		return
	}
	t := src.Type().Elem()
	gate.Accessed(src.UnsafePointer(), t, n, false)
	if dst.kind() == Array {
		gate.Accessed(dst.ptr, t, n, true)
	} else {
		gate.Accessed(dst.UnsafePointer(), t, n, true)
	}
}
