package lastzero

import "testing"

func TestLastZero3(t *testing.T) { t.Log(Run(3)) }

func TestLastZero5(t *testing.T) { t.Log(Run(5)) }
