package racelog

import "testing"

// TestByEnvironment: an access that package drive makes through the standard library is none of the
// program's, and one that the program makes in a call of drive's is.
func TestByEnvironment(t *testing.T) {
	const users = "Write at 0x1 by goroutine 8:\n" +
		"  example.org/p.(*Cell).Set()\n      /p/cell.go:7 +0x1\n" +
		"  reflect.Value.call()\n      /go/src/reflect/value.go:581 +0x1\n" +
		"  rehearse/explore/drive.(*run).perform()\n      /go/src/rehearse/run.go:1 +0x1\n\n"
	const library = "Previous read at 0x1 by goroutine 9:\n" +
		"  runtime.mapaccess1()\n      /go/src/runtime/map.go:1 +0x1\n" +
		"  example.org/lib.Get()\n      /lib/lib.go:7 +0x1\n" +
		"  rehearse/explore/drive.(*run).perform()\n      /go/src/rehearse/run.go:1 +0x1\n\n"
	const drives = "Previous write at 0x1 by goroutine 9:\n" +
		"  internal/runtime/maps.(*Map).PutSlot()\n      /go/src/internal/map.go:1 +0x1\n\n"
	const lost = "Previous write at 0x1 by goroutine 9:\n  [failed to restore the stack]\n\n"
	const resets = "Previous write at 0x1 by goroutine 9:\n" +
		"  strings.(*Builder).Reset()\n      /go/src/strings/builder.go:60 +0x1\n\n"
	created := func(by string) string {
		return "Goroutine 8 (running) created at:\n  rehearse/runtime/sched.(*race).born()\n" +
			"      /go/src/rehearse/race.go:1 +0x1\n\n" +
			"Goroutine 9 (finished) created at:\n  " + by + "()\n      /p/cell.go:9 +0x1\n"
	}
	const ours, theirs = "rehearse/explore/drive.(*run).start.func1", "strings.(*Builder).Reset-fm"
	for text, want := range map[string]bool{users + library: false, users + drives: true,
		drives + users: true, users + lost: false,
		users + resets + created(ours):                                true,
		users + resets + created(theirs):                              false,
		users + resets + created("example.org/p.(*Cell).Reset.func1"): false} {
		if got := byEnvironment("WARNING: DATA RACE\n" + text); got != want {
			t.Errorf("%t, want %t:\n%s", got, want, text)
		}
	}
}
