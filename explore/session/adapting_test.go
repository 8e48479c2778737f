package session

import (
	"flag"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestSeparates: strategies that sample, and facts about tasks, have no use for steps that
// come later.
func TestSeparates(t *testing.T) {
	for args, want := range map[string]bool{
		"": true, "-strategy=optimal": true, "-strategy=pop": true, "-strategy=dpor": true,
		"-strategy=exhaustive": true, "-independence=none": true,
		"-strategy=pct": false, "-strategy=random": false, "-model=actor": false,
		"-independence=observed": false,
		"-independence=context":  false, "-strategy=stateful": false,
	} {
		o, f := options.Default(), flag.NewFlagSet("", flag.ContinueOnError)
		o.Register(f)
		if err := f.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		if got := o.Separates(); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
