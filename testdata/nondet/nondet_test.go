package nondet

import "testing"

func TestVisit(t *testing.T) { t.Log(Visit()) }
