package differ

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var auditPrograms = flag.Int("audited", 6, "audit the facts about `n` programs of actors")

// pairsOf is how many pairs of each exploration are audited.
const pairsOf = 40

// auditFlags are the explorations whose facts are audited.
var auditFlags = [][]string{
	{"-strategy=dpor", "-sleep", "-independence=disjoint,commute"},
	{"-strategy=dpor", "-tasks=independent"},
}

// TestAudit audits the facts about random programs of actors: there is nothing to be found.
func TestAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	var all audited
	eachOfActors(t, *auditPrograms, pairsOf,
		func(binary string, p *goprog.ActorProgram, model string) {
			for _, flags := range auditFlags {
				t.Run(fmt.Sprint(p.Name(), "/", model), func(t *testing.T) {
					all.add(t, binary, p, append([]string{"-model=" + model}, flags...))
				})
			}
		})
	t.Logf(
		"%d explorations, %d with pairs; %d pairs audited, %d of them with their states; not audited: %d",
		all.explorations, all.some, all.Pairs, all.States, all.skipped)
	t.Logf(
		"%d tasks, of which %d sends, %d other operations and %d accesses were looked up in the facts' sets",
		all.Tasks, all.Sends, all.Operations, all.Accesses)
	if all.Sends == 0 || all.Accesses == 0 || all.some < all.explorations/10 ||
		all.Pairs < all.explorations || all.States < all.Pairs/10 {
		t.Error("too little was audited")
	}
}

// audited sums audits up.
type audited struct {
	Pairs, States, Met          int
	Tasks, Sends, Operations    int
	Accesses                    int
	explorations, some, skipped int
}

// add audits one program.
func (a *audited) add(t *testing.T, binary string, p *goprog.ActorProgram, flags []string) {
	flags = append(flags, fmt.Sprint("-audit=", pairsOf), "-timeout=0", "-max-executions=1000",
		"-json", "-run=^"+p.Name()+"$")
	var stdout, stderr bytes.Buffer
	if _, err := exec.Run(binary, flags, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		var r struct {
			Action   string
			Audited  audited
			Findings []struct{ Kind, Message string }
		}
		if json.Unmarshal(line, &r) != nil || r.Action != "result" {
			continue
		}
		a.explorations++
		a.Pairs += r.Audited.Pairs
		a.States += r.Audited.States
		a.Tasks += r.Audited.Tasks
		a.Sends += r.Audited.Sends
		a.Operations += r.Audited.Operations
		a.Accesses += r.Audited.Accesses
		a.skipped += min(r.Audited.Met, pairsOf) - r.Audited.Pairs
		if r.Audited.Pairs > 0 {
			a.some++
		}
		for _, f := range r.Findings {
			// others: -tasks independent is not for the program
			if strings.HasPrefix(f.Message, "the facts say") ||
				strings.HasPrefix(f.Message, "a task of") {
				t.Errorf("%v: %s\n%s", flags, f.Message, p.Source)
			}
		}
		return
	}
	t.Fatalf("%v: no result: %s%s", flags, stdout.String(), stderr.String())
}
