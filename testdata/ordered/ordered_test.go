package ordered

import "testing"

func TestOrdered5(t *testing.T) {
	for i, v := range Run(5) {
		if v != i*i {
			t.Errorf("sender %d sent %d", i, v)
		}
	}
}
