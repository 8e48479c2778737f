package differ

import (
	"flag"
	"testing"
)

var groupPrograms = flag.Int("groups", 5,
	"compare `n` programs with WaitGroups, blind updates, maps and twins")

// groupWays are exhaustive search, one without refinements, and the default. Groups and blind
// updates have no order in both of the latter.
var groupWays = []way{
	{flags: "-clock=idle -strategy=exhaustive"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle"},
}

// TestGroups compares searches in which Adds and Dones, blind updates, operations on different keys
// and twins have no order with exhaustive search, and native runs with what is found.
func TestGroups(t *testing.T) {
	compareKind(t, "groups", *groupPrograms, groupWays, 8)
}

var twinPrograms = flag.Int("twins", 5,
	"compare `n` programs with twins whose first steps are alike")

// TestTwins compares the default, in which twins are ordered behind steps that are alike, with a
// search without twins. Exhaustive search takes too long.
func TestTwins(t *testing.T) {
	compareKind(t, "twins", *twinPrograms, groupWays[1:], 2)
}
