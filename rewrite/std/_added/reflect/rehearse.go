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
