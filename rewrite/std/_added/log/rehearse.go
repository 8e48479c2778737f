// The overlay adds this to package log: the standard logger is the same at the beginning of each
// execution.
package log

import "rehearse/runtime/gate"

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		out, prefix, flag, discard := std.out, std.prefix.Load(), std.flag.Load(),
			std.isDiscard.Load()
		return func() {
			std.out = out
			std.prefix.Store(prefix)
			std.flag.Store(flag)
			std.isDiscard.Store(discard)
		}
	})
}
