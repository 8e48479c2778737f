package differ

import (
	"flag"
	"testing"
)

var handlerPrograms = flag.Int("handlers", 5,
	"compare `n` programs with processes that serve channels")

var hubPrograms = flag.Int("hubs", 4, "compare `n` programs with loops that select")

var homePrograms = flag.Int("homes", 4, "compare `n` programs whose first process serves")

var counterPrograms = flag.Int("counters", 3,
	"compare `n` programs whose first process serves a number of values")

var semaphorePrograms = flag.Int("semaphores", 4, "compare `n` programs with semaphores")

var crowdPrograms = flag.Int("crowds", 4, "compare `n` programs that crowd at a semaphore")

var ticketPrograms = flag.Int("tickets", 0,
	"compare `n` programs whose workers take the numbers of their jobs from a counter")

var waitPrograms = flag.Int("waits", 0, "compare `n` programs that gather for some time")

var callPrograms = flag.Int("calls", 4, "compare `n` programs that call the library under locks")

// handlerWays are the ways to search that take tasks to commute, behind one that does not.
var handlerWays = []way{
	{flags: "-clock=idle -independence=none -strategy=dpor"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle"},
	{flags: "-clock=idle -strategy=optimal -independence=sections"},
	{flags: "-clock=idle -strategy=dpor -sleep -independence=sections"},
	{flags: "-clock=idle -strategy=optimal -independence=sections,observed,equal,symmetry"},
}

// TestHandlers compares searches in which the tasks of loops that serve channels commute with one
// in which they do not, and native runs with what is found.
func TestHandlers(t *testing.T) {
	compareKind(t, "handlers", *handlerPrograms, handlerWays, 2)
}

// TestHubs does that for loops that select.
func TestHubs(t *testing.T) {
	compareKind(t, "hubs", *hubPrograms, handlerWays, 2)
}

// TestHomes does that for programs whose first process starts who sends, and then serves.
func TestHomes(t *testing.T) {
	compareKind(t, "homes", *homePrograms, handlerWays, 2)
}

// TestCounters does that for loops that end after a number of values.
func TestCounters(t *testing.T) {
	compareKind(t, "counters", *counterPrograms, handlerWays, 2)
}

// TestWaits does that for loops that give up after some time. Native runs take that time, and more:
// they need -mixedruns 0.
func TestWaits(t *testing.T) {
	if *waitPrograms == 0 {
		t.Skip("-waits N compares N programs")
	}
	compareKind(t, "waits", *waitPrograms, handlerWays, 2)
}

// TestSemaphores does that for programs whose processes take slots of a channel and give them back.
func TestSemaphores(t *testing.T) {
	compareKind(t, "semaphores", *semaphorePrograms, handlerWays, 2)
}

// TestCrowds does that for programs in which more processes want a slot than there are.
func TestCrowds(t *testing.T) {
	compareKind(t, "crowds", *crowdPrograms, handlerWays, 2)
}

// TestTickets does that for programs whose workers take the numbers of their jobs from a counter.
func TestTickets(t *testing.T) {
	if *ticketPrograms == 0 {
		t.Skip("-tickets says how many programs; the script tickets has the forms")
	}
	compareKind(t, "tickets", *ticketPrograms, handlerWays, 2)
}

// TestCalls does that for programs that call the library under locks and in slots.
func TestCalls(t *testing.T) {
	compareKind(t, "calls", *callPrograms, monitorWays, 2)
}
