package explore

import "testing"

func TestStable(t *testing.T) {
	const dump = "panicked: x\n\ngoroutine 34 [running]:\nruntime/debug.Stack()\n\t/go/debug.go:26 +0x5e\n" +
		"example.org/p.f({0xc000012345, 0x2}, 0x5?)\n\t/p/p.go:7 +0x1c\n" +
		"rehearse/runtime/sched.(*Sched).runBody(0xc000100000, 0xc000100008, 0x1)\n\t/sched/proc.go:80 +0xb0\nother.frame()\n\t/o.go:1"
	for _, c := range []struct{ name, text, want string }{
		{"plain", "first read 0", "first read 0"},
		{"heap", "at 0xc000123450, then 0xc00012345f.", "at 0xADDRESS, then 0xADDRESS."},
		{"colour", "0xc0ffee and 0xcafe", "0xc0ffee and 0xcafe"},
		{"static data", "0x5a3f20", "0x5a3f20"},
		{"long number", "0xc000123450aa", "0xc000123450aa"},
		{"word", "goroutine 7 was first", "goroutine 7 was first"},
		{"dump", dump, "panicked: x\n\ngoroutine N [running]:\nruntime/debug.Stack()\n\t/go/debug.go:26 +0xN\n" +
			"example.org/p.f({0xN, 0xN}, 0xN)\n\t/p/p.go:7 +0xN\nrehearse/"},
		{"dump and more", "goroutine 1 [chan receive, 2 minutes]:\nmain.f(0x1)\n\nafter 0x1", "goroutine N [chan receive, 2 minutes]:\nmain.f(0xN)\n\nafter 0x1"},
	} {
		if got := Stable(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFirstDifferenceIsShort(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = 'a'
	}
	same := string(long)
	got := firstDifference([]string{same + "x" + same}, []string{same + "y" + same})
	if len(got) > 400 {
		t.Errorf("%d bytes", len(got))
	}
}
