package phil

import "testing"

func TestPhil3(t *testing.T) { Dine(3) }

func TestPhilOK3(t *testing.T) { DineSafely(3) }
