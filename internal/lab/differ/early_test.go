package differ

import (
	"flag"
	"testing"
)

var earlyPrograms = flag.Int("early", 5, "compare `n` programs with timers that can fire early")

// earlyWays are a search that keeps the order of sections and groups where timers fire early, and
// the default.
var earlyWays = []way{
	{flags: "-clock=delay -independence=none"},
	{flags: "-clock=delay"},
}

// TestEarly compares the searches of early firings in which critical sections and groups commute
// with one in which they do not.
func TestEarly(t *testing.T) {
	compareKind(t, "early", *earlyPrograms, earlyWays, 3)
}
