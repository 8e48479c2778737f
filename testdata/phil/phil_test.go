package phil

import "testing"

func TestPhil3(t *testing.T) { Dine(3) }
