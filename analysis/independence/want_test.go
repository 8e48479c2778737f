package independence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/analysis/want"
)

// TestKinds compares what the handlers of the programs in testdata do with the WANT lines at their ends. A line must be
// there whole; nothing may start with a line after an exclamation mark. What is said of a pair is that under -model actor.
func TestKinds(t *testing.T) {
	for _, dir := range []string{"kinds"} {
		t.Run(dir, func(t *testing.T) { want.Compare(t, dir, lines(find(t, dir))) })
	}
}

// lines writes what the tasks do without positions.
func lines(v facts.Program) []string {
	var out []string
	for i, b := range v.Behaviours {
		kind := func(k int) string { return strings.TrimPrefix(v.Actors[i].Handlers[k].Kind, "*") }
		for k, t := range b.Tasks {
			for _, a := range t.Accesses {
				out = append(out, fmt.Sprintf("%s: %s %s", kind(k), a, a.Location.Where))
			}
			for _, s := range t.Sends {
				out = append(out, fmt.Sprintf("%s: %s (depth %d)", kind(k), s, s.Depth))
			}
			for _, o := range t.Operations {
				out = append(out, fmt.Sprintf("%s: %s", kind(k), o))
			}
		}
		for _, p := range b.Pairs {
			text := facts.Words(p, facts.ActorModel)
			if strings.HasPrefix(text, "dependent") {
				text = "dependent"
			}
			out = append(out, fmt.Sprintf("pair %s %s: %s", kind(p.First), kind(p.Second), text))
		}
	}
	return out
}

// TestCounted says whether the tasks of loops that end after a number of messages commute, and what they change in common.
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
