package differ

import (
	"flag"
	"testing"
)

var pollPrograms = flag.Int("pollers", 5, "compare `n` programs that poll in loops of all kinds")

var lonePrograms = flag.Int("loners", 4, "compare `n` programs that poll what nobody sets")

var tallyPrograms = flag.Int("tallies", 4, "compare `n` programs that count how often they poll")

var pickPrograms = flag.Int("pickers", 3, "compare `n` programs that wait for an order of a map")

// pollWays are a search that lets a process poll for long, and the default search, which may say
// that it has left something out.
var pollWays = []way{
	{flags: "-clock=explore -max-spins=17"},
	{flags: "-clock=explore", honest: true},
}

// TestPollers compares the default search, which relies on some loops to only look, with one that
// seldom has to, and native runs with the outcomes found.
func TestPollers(t *testing.T) { compareKind(t, "pollers", *pollPrograms, pollWays, 8) }

// TestLoners does that for loops that give up by themselves.
func TestLoners(t *testing.T) { compareKind(t, "loners", *lonePrograms, pollWays, 8) }

// TestTallies does that for loops that count how often they have looked.
func TestTallies(t *testing.T) { compareKind(t, "tallies", *tallyPrograms, pollWays, 8) }

// TestPickers does that for loops that wait for an order of a map.
func TestPickers(t *testing.T) { compareKind(t, "pickers", *pickPrograms, pollWays, 8) }
