package registry

import (
	"strings"
	"testing"
)

func TestRegistryOrder(t *testing.T) {
	t.Log(strings.Join(Run().Order, " "))
}

func TestRegistryFields(t *testing.T) {
	r := Run()
	if r.F != 2 {
		t.Errorf("f = %d, want 2", r.F)
	}
	t.Logf("f = %d, g = %d", r.F, r.G)
}
