package pointsto

import (
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestBudget: with too few steps contexts go first, then everything is unknown.
func TestBudget(t *testing.T) {
	r, err := load.Load(load.Config{Patterns: []string{"testdata/constructors.go"}})
	if err != nil {
		t.Fatal(err)
	}
	c := ConfigOf(r)
	full := Analyze(c)
	c.Depth = 0
	flat := Analyze(c)
	if full.Stats().Depth == 0 || flat.Stats().Steps >= full.Stats().Steps {
		t.Fatalf("%+v and, without contexts, %+v", full.Stats(), flat.Stats())
	}
	c.Depth, c.Budget = DefaultDepth, (flat.Stats().Steps+full.Stats().Steps)/2
	if widened := Analyze(c); widened.GaveUp() || widened.Stats().Depth != 0 ||
		widened.Stats().Instances != flat.Stats().Instances {
		t.Errorf("budget %d: %+v", c.Budget, widened.Stats())
	}
	c.Budget = 1
	none, ops := Analyze(c), full.channelOps()
	if !none.GaveUp() || len(none.Functions()) != 0 || len(ops) == 0 {
		t.Errorf("budget 1: %+v, %d operations", none.Stats(), len(ops))
	}
	for _, op := range ops {
		set := none.PointsTo(op.ch)
		if set.Len() != 1 || set.Objects()[0].Kind != Unknown ||
			!set.Intersects(none.PointsTo(ops[0].ch)) {
			t.Errorf("%v may be %v", op.ch, set)
		}
	}
}
