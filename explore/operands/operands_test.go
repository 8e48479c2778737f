package operands

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestKindOfCase: a case sends if its arrow stands behind an expression, whatever that is.
func TestKindOfCase(t *testing.T) {
	for code, want := range map[string]trace.Kind{
		"case news <- v:": trace.Send, "case s.out() <- 1:": trace.Send,
		"case m[f(i)] <- <-c:": trace.Send, "case <-quit:": trace.Recv,
		"case v := <-in:": trace.Recv, "case v, ok = <-m[i]:": trace.Recv, "": trace.Select,
	} {
		if got := KindOfCase(code, 0); got != want {
			t.Errorf("%q is a %v, want %v", code, got, want)
		}
	}
}

// TestOperand: a line that starts a goroutine and has its operation, too, is about the operation.
func TestOperand(t *testing.T) {
	for _, test := range []struct {
		code string
		kind trace.Kind
		want string
	}{
		{`wg.Go(func() { m.Store("a", 1); m.Store("b", 2) })`, trace.AtomicStore, "m"},
		{"wg.Go(func() { m.Clear() })", trace.AtomicStore, ""},
		{"wg.Go(func() { mu.Lock(); n++; mu.Unlock() })", trace.Lock, "mu"},
		{"wg.Go(func() { work() })", trace.WgAdd, "wg"},
		{"wg.Go(func() { m.Load(1) })", trace.WgAdd, "wg"},
	} {
		if got := Of(test.code, test.kind); got != test.want {
			t.Errorf("%s: %v of %q, want %q", test.code, test.kind, got, test.want)
		}
	}
}

// TestUnderLock: the statement may stand on the same line, and a deferred Unlock is not meant.
func TestUnderLock(t *testing.T) {
	for code, want := range map[string]string{
		"mu.Lock()\n\tn++ // one more\n": "n++", "mu.Lock(); defer mu.Unlock(); n--": "n--",
		"mu.Lock()\ndefer mu.Unlock()\nif !ok {": "if !ok", "mu.Lock()\nmu.Unlock()": "",
		"mu.Lock()\nother.Lock()": "", "mu.Lock()\n}": "", "n++": "",
	} {
		if got := UnderLock(strings.Split(code, "\n")); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
