package dice

import "testing"

func TestArrival(t *testing.T) {
	r := Play()
	t.Log(r[0].Player, r[1].Player)
}

func TestSums(t *testing.T) {
	var sums [2]int
	for _, r := range Play() {
		sums[r.Player] = r.Sum
	}
	if sums[0] == sums[1] {
		t.Error("the players have the same numbers")
	}
	t.Log(sums)
}
