package independence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/lab/want"
)

// TestKinds compares what the handlers of the programs in testdata do with the WANT lines at their
// ends. A line must be there whole; nothing may start with a line after an exclamation mark. Lines
// about pairs hold under -model actor.
func TestKinds(t *testing.T) {
	for _, dir := range []string{"kinds", "instances", "parameters"} {
		t.Run(dir, func(t *testing.T) { want.Compare(t, dir, want.Tasks(find(t, dir))) })
	}
}

// TestCounted says whether the tasks of loops that end after a number of messages commute, and what
// they change in common.
func TestCounted(t *testing.T) {
	v := find(t, "counted")
	var out []string
	for i, b := range v.Behaviours {
		p := b.Pairs[0]
		verdict := string(p.Verdict(facts.ActorModel))
		if len(p.Conflicts) == 0 {
			verdict += "; " + strings.Join(p.Commuting, ", ")
		}
		out = append(out, fmt.Sprintf("%s: %s", v.Actors[i].Name, verdict))
	}
	want.Compare(t, "counted", out)
}
