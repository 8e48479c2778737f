// The overlay adds this to package encoding/gob: the same names are registered at the beginning of
// each execution.
package gob

import (
	"rehearse/runtime/gate"
	"sync"
)

// rehearseRegistered says that the execution has registered a name.
var rehearseRegistered bool

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		tables := []*sync.Map{&nameToConcreteType, &concreteTypeToName}
		known := make([]map[any]any, len(tables))
		for i, table := range tables {
			known[i] = map[any]any{}
			table.Range(func(key, value any) bool { known[i][key] = value; return true })
		}
		return func() {
			if !rehearseRegistered {
				return
			}
			rehearseRegistered = false
			for i, table := range tables {
				table.Range(func(key, _ any) bool {
					if _, is := known[i][key]; !is {
						table.Delete(key)
					}
					return true
				})
			}
		}
	})
}
