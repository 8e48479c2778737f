package bbuf

import "testing"

func TestBBuf2(t *testing.T) { t.Log(Run(2)) }

func TestBBuf3(t *testing.T) { t.Log(Run(3)) }
