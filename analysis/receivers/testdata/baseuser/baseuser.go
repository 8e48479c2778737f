// Package baseuser has an actor of package bases that handles messages, and leaves calls to its base.
package baseuser

import "github.com/rehearse-go/rehearse/analysis/receivers/testdata/bases"

type Door struct {
	bases.Base
	open bool
}

func (d *Door) HandleMessage(m any) error {
	switch m.(type) {
	case bool:
		d.open = m.(bool)
	}
	return nil
}

// WANT:
// receiver bases.Behavior *baseuser.Door HandleMessage bool
// ! receiver bases.Behavior *baseuser.Door HandleCall
