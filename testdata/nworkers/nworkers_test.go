package nworkers

import "testing"

func TestNWorkers3(t *testing.T) { t.Log(Run(3)) }

func TestNWorkers4(t *testing.T) { t.Log(Run(4)) }
