package pingpong

import "testing"

func TestPingPong(t *testing.T) {
	if ball := Play(3); ball != 6 {
		t.Errorf("the last ball is %d, want 6", ball)
	}
}

func TestCounter(t *testing.T) {
	if n := Sum(2); n != 2 {
		t.Errorf("the sum is %d, want 2", n)
	}
}
