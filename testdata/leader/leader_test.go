package leader

import "testing"

func TestLeader3(t *testing.T) { t.Log(Elect([]int{1, 3, 2})) }

func TestLeader4(t *testing.T) { t.Log(Elect([]int{1, 3, 2, 4})) }
