package differ

import (
	"flag"
	"testing"
)

var racerPrograms = flag.Int("racers", 4, "compare `n` programs with data races")

// TestRacers compares searches that make the accesses of data races steps with exhaustive search,
// which does so, too.
func TestRacers(t *testing.T) {
	compareKind(t, "racers", *racerPrograms, groupWays, 8)
}
