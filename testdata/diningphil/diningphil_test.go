package diningphil

import "testing"

func TestDiningPhil2(t *testing.T) { Dine(2) }
func TestDiningPhil3(t *testing.T) { Dine(3) }
func TestDiningPhil5(t *testing.T) { Dine(5) }
