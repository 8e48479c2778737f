package bugs

import "testing"

func TestLostReply(*testing.T)      { LostReply() }
func TestLostReplyFixed(*testing.T) { LostReplyFixed() }

func TestLostSignal(*testing.T)      { LostSignal() }
func TestLostSignalFixed(*testing.T) { LostSignalFixed() }

func TestNilChannel(*testing.T)      { NilChannel() }
func TestNilChannelFixed(*testing.T) { NilChannelFixed() }

func TestSendOnClosed(*testing.T)      { SendOnClosed() }
func TestSendOnClosedFixed(*testing.T) { SendOnClosedFixed() }

func TestDoubleClose(*testing.T)      { DoubleClose() }
func TestDoubleCloseFixed(*testing.T) { DoubleCloseFixed() }

func TestNegativeWaitGroup(*testing.T)      { NegativeWaitGroup() }
func TestNegativeWaitGroupFixed(*testing.T) { NegativeWaitGroupFixed() }

func TestLockOrder(*testing.T)      { LockOrder() }
func TestLockOrderFixed(*testing.T) { LockOrderFixed() }

func TestRecursiveRead(*testing.T)      { RecursiveRead() }
func TestRecursiveReadFixed(*testing.T) { RecursiveReadFixed() }

func TestCrossedOnce(*testing.T)      { CrossedOnce() }
func TestCrossedOnceFixed(*testing.T) { CrossedOnceFixed() }

func TestFatalInSubtest(t *testing.T) {
	answers := AskBoth()
	t.Run("first", func(t *testing.T) {
		if a := <-answers; a.from != "cache" {
			t.Fatalf("the %s was first", a.from)
		}
	})
}

func TestFatalInSubtestFixed(t *testing.T) {
	answers := AskBoth()
	t.Run("any", func(t *testing.T) {
		if a := <-answers; a.from != "cache" && a.from != "origin" {
			t.Fatalf("an answer from %q", a.from)
		}
	})
}
