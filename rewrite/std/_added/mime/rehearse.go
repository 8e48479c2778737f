// The overlay adds this to package mime: its tables are the same at the beginning of each
// execution.
package mime

import (
	"rehearse/runtime/gate"
	"sync"
)

// rehearseKept has the tables as they were before the first execution that has changed them; nil:
// none has.
var rehearseKept []map[any]any

func rehearseTables() []*sync.Map { return []*sync.Map{&mimeTypes, &mimeTypesLower, &extensions} }

// rehearseKeep is called before the tables change.
func rehearseKeep() {
	once.Do(initMime)
	if rehearseKept != nil {
		return
	}
	for _, table := range rehearseTables() {
		kept := map[any]any{}
		table.Range(func(key, value any) bool { kept[key] = value; return true })
		rehearseKept = append(rehearseKept, kept)
	}
}

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		return func() {
			for i, kept := range rehearseKept {
				table := rehearseTables()[i]
				table.Clear()
				for key, value := range kept {
					table.Store(key, value)
				}
			}
			rehearseKept = nil
		}
	})
}
