package pi

import "testing"

func TestPi3(t *testing.T) { t.Log(Pi(3)) }
func TestPi5(t *testing.T) { t.Log(Pi(5)) }
