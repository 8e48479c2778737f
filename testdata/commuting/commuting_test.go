package commuting

import "testing"

func TestRegistry(t *testing.T) { t.Log(Registry()) }
func TestPi5(t *testing.T)      { t.Log(Pi(5)) }
func TestPiFloat5(t *testing.T) { t.Log(PiFloat(5)) }
func TestLast4(t *testing.T)    { t.Log(Last(4)) }
