package chameneos

import "testing"

func TestChameneos2x1(t *testing.T) { t.Log(Run(2, 1)) }
func TestChameneos3x1(t *testing.T) { t.Log(Run(3, 1)) }
func TestChameneos3x2(t *testing.T) { t.Log(Run(3, 2)) }
