package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// TestCutShort: of a comparison that was cut, nothing is said that nobody has looked at: not that
// every client is safe, nor which clients cannot tell.
func TestCutShort(t *testing.T) {
	get := refine.Op{Kind: refine.Call, Label: "Get"}
	d := &refine.Difference{Script: &refine.Script{Ops: []refine.Op{get}},
		Path: refine.Path{{Kind: refine.Call, Op: 1}}}
	for _, complete := range []bool{true, false} {
		var out bytes.Buffer
		r := &refine.Result{Relation: refine.OldMore, Complete: complete, Async: refine.Equivalent,
			N: 1, Interface: &refine.Interface{}, Old: d}
		(&Refinement{Out: &out}).Result([2]string{"RefineX", "RefineX"}, r, "go", 0, 0)
		for _, text := range []string{"every client is safe", "only a client that waits"} {
			if strings.Contains(out.String(), text) != complete {
				t.Errorf("complete: %t\n%s", complete, out.String())
			}
		}
	}
}
