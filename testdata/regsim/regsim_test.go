package regsim

import "testing"

func TestRegSim3(t *testing.T) { t.Log(Run(3)) }
func TestRegSim6(t *testing.T) { t.Log(Run(6)) }
