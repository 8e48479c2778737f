package symmetric

import "testing"

func TestLocked3(t *testing.T) { t.Log(Locked(3)) }

func TestStarted(t *testing.T) { t.Log(Started()) }

func TestGone(t *testing.T) { t.Log(Gone()) }

func TestSenders4(t *testing.T) { t.Log(Senders(4)) }

func TestPool2(t *testing.T) { t.Log(Pool(2, 4)) }

func TestPool3(t *testing.T) { t.Log(Pool(3, 4)) }

func TestFlag3(t *testing.T) { Flag(3) }

func TestFirst3(t *testing.T) { t.Log(First(3)) }

func TestLossy(t *testing.T) {
	if n := Lossy(); n != 2 {
		t.Errorf("counted %d, want 2", n)
	}
}

func TestNumbered3(t *testing.T) { t.Log(Numbered(3)) }

func TestCaptured3(t *testing.T) { t.Log(Captured(3)) }

func TestChanging2(t *testing.T) { t.Log(Changing(2)) }
