package maytest

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/refining"
)

// TestPitfall5Link: a message is on its way for a while before it is in a queue. Else a send to one
// channel, and a later one to another channel, would have an order that asynchronous clients cannot
// tell: the component may send to the second queue in between.
func TestPitfall5Link(t *testing.T) {
	related(t, "go", "Queues", "QueuesInTurn", refine.Incomparable, refine.OldMore)
}

// TestPitfall6Reaction: between two sends of one reaction, others may send to the same queue.
func TestPitfall6Reaction(t *testing.T) {
	related(t, "go", "Reaction", "ReactionBetween", refine.OldMore, refine.OldMore)
}

// TestPitfall7Endless: no execution of a component that never stops is whole. Its outputs until the
// bound on steps count.
func TestPitfall7Endless(t *testing.T) {
	related(t, "go", "TurnsSilent", "TurnsSays", refine.NewMore, refine.NewMore)
}

// TestPitfall11Flight: one answer to two requests is new if requests are messages, and nothing new
// if they are calls, since a call may be slow to look. Calls are no messages.
func TestPitfall11Flight(t *testing.T) {
	related(t, "go", "LoadsEach", "LoadsShared", refine.NewMore, refine.NewMore)
	related(t, "go", "CacheLoose", "CacheFlight", refine.OldMore, refine.OldMore)
}

// TestGrowing: an actor that starts one more for each message is compared like any other. One that
// does so for ever has no end: its first steps are compared, and the report says so.
func TestGrowing(t *testing.T) {
	related(t, "go", "Growing", "Growing", refine.Equivalent, refine.Equivalent)
	related(t, "go", "Growing", "Spreading", refine.NewMore, refine.NewMore)
	b := *buildGroups(t, "go")
	few := *b.o
	few.MaxSteps, b.o = 40, &few
	_, r := b.compare(t, "Endless", "Endless", 0)
	if r.Relation != refine.Equivalent || !r.Complete || r.Whole != 1 ||
		!slices.ContainsFunc(r.Notes, func(text string) bool {
			return strings.Contains(text, "goes on for ever")
		}) {
		t.Errorf("%s, complete: %t %s, up to %d; notes %q", r.Relation, r.Complete, r.Reason,
			r.Whole, r.Notes)
	}
}

// TestPairs compares mailboxes at the boundary: bags, and those that keep the messages of one
// sender in order.
func TestPairs(t *testing.T) {
	same, more := refine.Equivalent, refine.NewMore
	for _, p := range []struct {
		old, new   string
		bag, pairs refine.Relation
	}{
		{"PairAB", "PairBA", same, refine.Incomparable},
		{"PairAB", "PairEach", same, more},
		{"PairEach", "PairEach", same, same},
		{"WatchSome", "WatchAll", same, more}, // only a client with one sender can tell
	} {
		related(t, "actor", p.old, p.new, p.bag, p.bag)
		related(t, "pairs", p.old, p.new, p.pairs, p.pairs)
	}
}

// groupsBuilt are the harnesses of testdata/refine/groups, built under a delivery model.
type groupsBuilt struct {
	binary, dir string
	o           *options.Options
}

func (b *groupsBuilt) pkg() exec.Package { return exec.Package{Binary: b.binary, Dir: b.dir} }

var builtGroups = map[string]*groupsBuilt{}

// buildGroups builds them, once for each model.
func buildGroups(t *testing.T, model string) *groupsBuilt {
	t.Helper()
	if b := builtGroups[model]; b != nil {
		return b
	}
	o := options.Default()
	o.Independence, o.Clock, o.MaxSteps, o.Model = "none", "idle", 2000, model
	list, err := exec.BuildHarnesses("../../../testdata/refine/groups", o, []string{"."}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Timeout = 0
	builtGroups[model] = &groupsBuilt{list[0].Binary, list[0].Dir, o}
	return builtGroups[model]
}

// compare compares two harnesses, for go clients unless the model has none.
func (b *groupsBuilt) compare(t *testing.T, old, new string, n int) (*refine.Comparison,
	*refine.Result) {
	t.Helper()
	if b.o.Model != "go" {
		return b.compareFor(t, "async", old, new, n)
	}
	return b.compareFor(t, "go", old, new, n)
}

// compareFor compares two harnesses for clients of a kind.
func (b *groupsBuilt) compareFor(t *testing.T, client, old, new string,
	n int) (*refine.Comparison, *refine.Result) {
	t.Helper()
	var sides [2]*refining.Side
	for i := range sides {
		var err error
		if sides[i], err = refining.NewSide(b.pkg(), b.o.Encode(), 1); err != nil {
			t.Fatal(err)
		}
		defer sides[i].Close()
	}
	c := &refine.Comparison{Old: sides[0], New: sides[1],
		Names: [2]string{"Refine" + old, "Refine" + new}, N: n, Client: client,
		Bags: b.o.Model == "actor", Pairs: b.o.Model == "pairs"}
	r, err := c.Run()
	if err != nil {
		t.Fatalf("%s %s: %v", old, new, err)
	}
	return c, r
}

// related compares two harnesses up to their own bounds, and swapped.
func related(t *testing.T, model, old, new string, want, async refine.Relation) {
	t.Helper()
	b := buildGroups(t, model)
	check := func(old, new string, want, async refine.Relation) {
		t.Helper()
		c, r := b.compare(t, old, new, 0)
		if !r.Complete || r.Relation != want || r.Async != async {
			t.Errorf("%s %s, -model %s: %s, async %s, complete: %t %s; want %s, async %s", old, new,
				model,
				r.Relation, r.Async, r.Complete, r.Reason, want, async)
			logPaths(t, c, r)
		}
	}
	check(old, new, want, async)
	check(new, old, swapped[want], swapped[async])
}

// logPaths logs the paths of a result.
func logPaths(t *testing.T, c *refine.Comparison, r *refine.Result) {
	for i, d := range []*refine.Difference{r.New, r.Old} {
		if d == nil {
			continue
		}
		t.Logf("  a path of %s:", c.Names[1-i])
		for _, step := range d.Path {
			t.Logf("    %s %s", step.Kind.Word(), step.Text(d.Script, r.Interface))
		}
	}
}
