package shortpath

import "testing"

func TestShortPath3(t *testing.T) { t.Log(Distances([][]int{{0, 1, 4}, {1, 0, 2}, {4, 2, 0}})) }

func TestShortPath4(t *testing.T) {
	t.Log(Distances([][]int{{0, 1, 4, 0}, {1, 0, 2, 0}, {4, 2, 0, 3}, {0, 0, 3, 0}}))
}

func TestShortPath5(t *testing.T) {
	t.Log(Distances([][]int{{0, 1, 4, 0, 0}, {1, 0, 2, 0, 0}, {4, 2, 0, 3, 0}, {0, 0, 3, 0, 1}, {0, 0, 0, 1, 0}}))
}
