// The overlay adds this to package image: the same formats are registered at the beginning of each
// execution.
package image

import "rehearse/runtime/gate"

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		formats, _ := atomicFormats.Load().([]format)
		known := formats[:len(formats):len(formats)]
		return func() { atomicFormats.Store(known) }
	})
}
