package nsenders

import "testing"

func TestNSenders3(t *testing.T) { t.Log(Run(3)) }

func TestNSenders5(t *testing.T) { t.Log(Run(5)) }
