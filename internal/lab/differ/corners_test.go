package differ

import (
	"flag"
	"testing"
)

var cornerPrograms = flag.Int("corners", 6, "compare `n` programs that attack single conditions")

// TestCorners compares the default search and native runs with exhaustive search, for programs that
// attack conditions which other programs rarely need.
func TestCorners(t *testing.T) {
	compareKind(t, "corners", *cornerPrograms, groupWays, 8)
}
