package twopc

import "testing"

func TestTwoPC2(t *testing.T) { t.Log(Run(2)) }

func TestTwoPC3(t *testing.T) { t.Log(Run(3)) }
