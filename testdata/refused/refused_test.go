package refused

import "testing"

func TestCrowd(t *testing.T) {
	answer := make(chan int, 1)
	Crowd(answer)
	t.Log(<-answer)
}

func TestProcess(t *testing.T) {
	if !Started("true") {
		t.Error("no program true")
	}
}

func TestNet(t *testing.T) {
	if !Connected() {
		t.Error("no connection")
	}
}

func TestChance(t *testing.T) {
	if n := Dice(2); n < 2 {
		t.Errorf("threw %d with two dice", n)
	}
}

func TestPlain(t *testing.T) { t.Log(Both()) }
