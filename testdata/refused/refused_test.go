package refused

import (
	"context"
	"testing"
)

func TestSleep(t *testing.T) {
	answer := make(chan int, 1)
	Nap(answer)
	t.Log(<-answer)
}

func TestAfter(t *testing.T) {
	if !Timeout(make(chan int)) {
		t.Error("an answer from nobody")
	}
}

func TestContext(*testing.T) { Stopped(context.Background()) }

func TestAtomic(t *testing.T) {
	if n := Count(2); n != 2 {
		t.Errorf("counted %d, want 2", n)
	}
}

func TestPlain(t *testing.T) { t.Log(Both()) }
