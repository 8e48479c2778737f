package philok

import "testing"

func TestPhilOK3(t *testing.T) { Dine(3) }
