package serverreal

import "testing"

func TestServerReal(t *testing.T) { t.Log(Session()) }
