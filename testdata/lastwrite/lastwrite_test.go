package lastwrite

import "testing"

func TestLastWrite3(t *testing.T) { t.Log(Run(3)) }

func TestLastWrite5(t *testing.T) { t.Log(Run(5)) }
