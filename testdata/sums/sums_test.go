package sums

import "testing"

func TestTotal3(t *testing.T) { t.Log(Total(3)) }

func TestTotal8(t *testing.T) { long(t); t.Log(Total(8)) }

func TestHere3(t *testing.T) {
	c, sum := start(3, square), 0
	for range 3 {
		sum += <-c
	}
	if sum != 5 {
		t.Errorf("the sum is %d", sum)
	}
}

func TestSubtest3(t *testing.T) {
	for range 2 {
		t.Run("", func(t *testing.T) {
			c, sum := start(3, square), 0
			for range 3 {
				sum += <-c
			}
			t.Log(sum)
		})
	}
}

func TestCollect4(t *testing.T) { t.Log(Collect(4)) }

func TestCollect8(t *testing.T) { long(t); t.Log(Collect(8)) }

func TestUntil3(t *testing.T) { t.Log(Until(3)) }

func TestPi5(t *testing.T) { t.Log(Pi(5)) }

func TestFib4(t *testing.T) { t.Log(Fib(4)) }

func TestFib7(t *testing.T) { long(t); t.Log(Fib(7)) }

func TestPool3x2(t *testing.T) { t.Log(Pool(3, 2)) }

func TestTwice2(t *testing.T) { t.Log(Twice(2)) }

func TestFloat4(t *testing.T) { t.Log(Float(4)) }

func TestList4(t *testing.T) { t.Log(List(4)) }

func TestLast4(t *testing.T) { t.Log(Last(4)) }

func TestFirst4(t *testing.T) { t.Log(First(4)) }

func TestRounds2(t *testing.T) { t.Log(Rounds(2)) }

func TestMeetTotal4(t *testing.T) { t.Log(MeetTotal(4)) }

func TestMeetTotal8(t *testing.T) { long(t); t.Log(MeetTotal(8)) }

func TestMeetSome4(t *testing.T) { t.Log(MeetSome(4, 2)) }

func TestMeetUntil4(t *testing.T) { t.Log(MeetUntil(4)) }

func TestMeetFib4(t *testing.T) { t.Log(MeetFib(4)) }

func TestMeetFib7(t *testing.T) { long(t); t.Log(MeetFib(7)) }

func TestMeetPool3x2(t *testing.T) { t.Log(MeetPool(3, 2)) }

func TestMeetList4(t *testing.T) { t.Log(MeetList(4)) }

func TestNarrow3(t *testing.T) { t.Log(Narrow(3)) }

// long leaves out what takes long when every order is explored.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}
