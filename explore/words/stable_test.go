package words

import (
	"fmt"
	"slices"
	"testing"
)

// escape keeps what it points to in the heap.
var escape *int

func TestStable(t *testing.T) {
	escape = new(int)
	const dump = "panicked: x\n\ngoroutine 34 [running]:\nruntime/debug.Stack()\n\t/go/debug.go:26 +0x5e\n" +
		"example.org/p.f({0xc000012345, 0x2}, 0x5?)\n\t/p/p.go:7 +0x1c\n" +
		"rehearse/runtime/sched.(*Sched).runBody(0xc000100000, 0xc000100008, 0x1)\n\t/sched/proc.go:80 +0xb0\nother.frame()\n\t/o.go:1"
	const frames = "example.org/p.f({0x609900?, 0x2}, 0x5?)\n\t/p/p.go:7 +0x1c\n" +
		"rehearse/runtime/sched.(*Sched).runBody(0xc000100000, 0xc000100008, 0x1)\n\t/sched/proc.go:80 +0xb0\nother.frame()\n\t/o.go:1\n"
	large := append(slices.Repeat([]int{10}, 100), 256)
	for _, c := range []struct{ name, text, want string }{
		{"plain", "first read 0", "first read 0"},
		{"heap", fmt.Sprintf("at %p, then %p.", escape, &escape),
			fmt.Sprintf("at ADDRESS, then %p.", &escape)},
		{"bare", fmt.Sprintf("%x", &[]*int{escape}[0]), "ADDRESS"},
		{"colour", "0xc0ffee and 0xcafe", "0xc0ffee and 0xcafe"},
		{"constant", "0x100000002", "0x100000002"},
		{"long number", "0x9e3779b97f4a7c15", "0x9e3779b97f4a7c15"},
		{"word", "goroutine 7 was first", "goroutine 7 was first"},
		{"dump", dump,
			"panicked: x\n\ngoroutine N [running]:\nruntime/debug.Stack()\n\t/go/debug.go:26 +N\n" +
				"example.org/p.f({N, N}, N)\n\t/p/p.go:7 +N\nrehearse/"},
		{"dump and more", "goroutine 1 [chan receive, 2 minutes]:\nmain.f(0x1)\n\nafter 0x1",
			"goroutine N [chan receive, 2 minutes]:\nmain.f(N)\n\nafter 0x1"},
		{"frames", "Got panic: x\n" + frames + "and 0x5",
			"Got panic: x\nexample.org/p.f({N, N}, N)\n\t/p/p.go:7 +N\nrehearse/and 0x5"},
		{"bytes", fmt.Sprintf("%v.", []byte(frames)),
			"example.org/p.f({N, N}, N)\n\t/p/p.go:7 +N\nrehearse/."},
		{"Go bytes", fmt.Sprintf("%#v", []byte(frames)),
			"[]byteexample.org/p.f({N, N}, N)\n\t/p/p.go:7 +N\nrehearse/"},
		{"large numbers", fmt.Sprint(large), fmt.Sprint(large)},
	} {
		if got := Stable(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
