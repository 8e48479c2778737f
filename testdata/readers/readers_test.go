package readers

import "testing"

func TestReaders3(t *testing.T) { t.Log(Run(3)) }

func TestReaders8(t *testing.T) { t.Log(Run(8)) }
