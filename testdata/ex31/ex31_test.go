package ex31

import "testing"

func TestEx31(t *testing.T) {
	if got := Run(); got != [2]int{1, 3} {
		t.Errorf("received %v, want [1 3]", got)
	}
}
