package regsim

import "testing"

func TestRegSim3(t *testing.T) { t.Log(Run(3)) }
func TestRegSim6(t *testing.T) { t.Log(Run(6)) }

func TestRegSim1x1(t *testing.T) { t.Log(Simulate(1, 1)) }
func TestRegSim6x1(t *testing.T) { t.Log(Simulate(6, 1)) }
func TestRegSim4x2(t *testing.T) { t.Log(Simulate(4, 2)) }
