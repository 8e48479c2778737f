// The overlay adds this to package database/sql: the same drivers are registered at the beginning
// of each execution.
package sql

import (
	"maps"
	"rehearse/runtime/gate"
)

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		known := maps.Clone(drivers)
		return func() {
			if len(drivers) != len(known) {
				drivers = maps.Clone(known)
			}
		}
	})
}
