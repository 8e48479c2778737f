package spinsort

import "testing"

func TestSpinSort4(t *testing.T) { t.Log(Sort([]int{3, 1, 4, 2})) }
