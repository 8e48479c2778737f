package shortpath

import "testing"

func TestShortPath3(t *testing.T) { t.Log(Distances([][]int{{0, 1, 4}, {1, 0, 2}, {4, 2, 0}})) }
