package xchg

import "testing"

func TestXCHG(t *testing.T) {
	a, b := Run()
	if a == [2]int{4, 1} && b == [2]int{2, 3} {
		t.Errorf("a gave %v and b gave %v: Go cannot do that", a, b)
	}
	t.Log(a, b)
}
