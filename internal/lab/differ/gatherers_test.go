package differ

import (
	"flag"
	"testing"
)

var gatherPrograms = flag.Int("gatherers", 5,
	"compare `n` programs whose processes report by equal values")

// gatherWays are exhaustive search, one without refinements, and those that take sends of equal
// values as one: by default that is decided by what the first execution shows.
var gatherWays = []way{
	{flags: "-clock=idle -strategy=exhaustive"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle", frugal: true},
	// stores of equal values have an order here, as it matters which one nobody sees
	{flags: "-clock=idle -strategy=optimal -independence=equal"},
}

// TestGatherers compares searches in which sends of equal values commute with exhaustive search,
// and native runs with what is found.
func TestGatherers(t *testing.T) {
	compareKind(t, "gatherers", *gatherPrograms, gatherWays, 4)
}
