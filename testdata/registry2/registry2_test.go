package registry2

import "testing"

func TestRegistry2x2(t *testing.T) { t.Log(Run(2)) }

func TestRegistry2x3(t *testing.T) { t.Log(Run(3)) }
