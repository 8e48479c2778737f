package differ

import (
	"flag"
	"testing"
)

var monitorPrograms = flag.Int("monitors", 5,
	"compare `n` programs whose processes meet under mutexes")

// monitorWays are the ways to search that take critical sections to commute, behind one that does
// not: exhaustive search would come to the end of few of these programs, and TestMixed compares the
// two.
var monitorWays = []way{
	{flags: "-clock=idle -independence=none -strategy=dpor"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle"},
	{flags: "-clock=idle -strategy=optimal -independence=sections"},
	{flags: "-clock=idle -strategy=dpor -sleep -independence=sections"},
	{flags: "-clock=idle -strategy=optimal -independence=sections,observed,equal,symmetry"},
}

// TestMonitors compares searches in which critical sections commute with exhaustive search, and
// native runs with what is found.
func TestMonitors(t *testing.T) {
	compareKind(t, "monitors", *monitorPrograms, monitorWays, 2)
}

var listPrograms = flag.Int("lists", 5, "compare `n` programs whose processes append to lists")

// TestLists compares searches in which appends to a list have no order with exhaustive search, and
// native runs with what is found.
func TestLists(t *testing.T) {
	compareKind(t, "lists", *listPrograms, monitorWays, 2)
}
