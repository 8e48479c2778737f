package chameneos

import "testing"

func TestChameneos1(t *testing.T) { t.Log(Run(1)) }
func TestChameneos2(t *testing.T) { t.Log(Run(2)) }
