package diningphil

import "testing"

func TestDiningPhil3(t *testing.T) { Dine(3) }
func TestDiningPhil5(t *testing.T) { Dine(5) }
