package regsim2

import "testing"

func TestRegSim2x2(t *testing.T) { t.Log(Run(2)) }
func TestRegSim2x3(t *testing.T) { t.Log(Run(3)) }
