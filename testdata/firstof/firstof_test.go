package firstof

import "testing"

func TestFirstOf3(t *testing.T) { t.Log(Run(3)) }

func TestFirstOf5(t *testing.T) { t.Log(Run(5)) }
