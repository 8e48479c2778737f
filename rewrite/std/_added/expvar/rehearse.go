// The overlay adds this to package expvar: the same variables are published at the beginning of
// each execution.
package expvar

import (
	"rehearse/runtime/gate"
	"slices"
)

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		keys := slices.Clone(vars.keys)
		values := map[string]any{}
		for _, key := range keys {
			values[key], _ = vars.m.Load(key)
		}
		return func() {
			if slices.Equal(keys, vars.keys) {
				return
			}
			vars.m.Clear()
			for key, value := range values {
				vars.m.Store(key, value)
			}
			vars.keys = slices.Clone(keys)
		}
	})
}
