package differ

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	actorPrograms = flag.Int("actors", 4, "compare `n` programs of actors")
	mostOfActors  = flag.Int("most-of-actors", 4000,
		"let an exploration of a program of actors end after `n` executions")
	contextPrograms = flag.Int("contexts", 2,
		"compare with context-sensitive independence `n` of them")
)

// refined are the explorations that must see the same outcomes, for each model. The last are
// refined by the facts.
var refined = [][]string{
	{"-strategy=exhaustive"},
	{"-strategy=auto"}, // the same form of dpor as with facts
	{"-strategy=dpor", "-sleep", "-independence=disjoint"},
	{"-strategy=dpor", "-sleep", "-independence=disjoint,commute"},
	{"-strategy=optimal", "-independence=disjoint,commute"},
}

// contextual are further ones, which compare states, with facts and without.
var contextual = [][]string{
	{"-strategy=dpor", "-sleep", "-independence=context"},
	{"-strategy=dpor", "-sleep", "-independence=disjoint,commute,context"},
	{"-strategy=optimal", "-independence=context"},
	{"-strategy=optimal", "-independence=disjoint,commute,context"},
}

// TestActors compares what is explored with facts, of random programs of actors, with what is
// explored without.
func TestActors(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	var all gained
	eachOfActors(t, *actorPrograms, 0, func(binary string, p *goprog.ActorProgram, model string) {
		t.Run(fmt.Sprint(p.Name(), "/", model), func(t *testing.T) {
			all.compare(t, binary, p, model)
		})
	})
	t.Logf(
		"%d comparisons, %d of them with exhaustive search; executions without facts %d, disjoint %d, disjoint and commute %d; less in %d; with contexts %d and %d, optimal %d and %d, in the first %d programs; "+
			"optimal %d, where dpor has %d and %d redundant ones, and refuses %d and runs more of %d",
		all.compared, all.exhaustive, all.executions[1], all.executions[2], all.executions[3],
		all.less,
		all.executions[5], all.executions[6],
		all.executions[7], all.executions[8], *contextPrograms,
		all.executions[4], all.beside, all.redundant, all.refused, all.more)
	if all.exhaustive < all.compared/10 || all.less < all.compared/10 ||
		all.refused > all.compared*9/10 {
		t.Error("too little was compared")
	}
}

// sameChannel is the seed of a program with two messages that carry one channel: one that is kept
// over executions carries another one.
const sameChannel = 3126

// eachOfActors calls f with n random programs of actors, in their binaries for audits of so many
// pairs, and each model.
func eachOfActors(t *testing.T, n, audit int,
	f func(binary string, p *goprog.ActorProgram, model string)) {
	t.Helper()
	var list []*goprog.ActorProgram
	for i := range uint64(n) {
		list = append(list, goprog.NewActors(*firstSeed+i))
	}
	if n >= 10 {
		list = append(list, goprog.NewActors(sameChannel))
	}
	for some := range slices.Chunk(list, batch) {
		binary := buildActors(t, some, audit)
		for _, p := range some {
			for _, model := range []string{"actor", "pairs"} {
				f(binary, p, model)
			}
		}
	}
}

func buildActors(t *testing.T, programs []*goprog.ActorProgram, audit int) (binary string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module prog\n\ngo 1.26\n")
	for _, p := range programs {
		writeFile(t, dir, fmt.Sprintf("p%d_test.go", p.Seed), p.Source)
	}
	o := options.Default()
	o.Model, o.Independence, o.Audit = "actor", "disjoint,commute,context", audit
	packages, err := exec.Build(dir, o, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	return packages[0].Binary
}

// gained sums comparisons up.
type gained struct {
	compared, exhaustive, less int
	executions                 [9]int
	beside, redundant          int // of dpor, where optimal has come to an end
	refused, more              int // by optimal; programs that it runs more often
}

// compare explores p in all ways.
func (c *gained) compare(t *testing.T, binary string, p *goprog.ActorProgram, model string) {
	var by []*explored
	ways := refined
	if p.Seed-*firstSeed < uint64(*contextPrograms) {
		ways = slices.Concat(refined, contextual)
	}
	for _, flags := range ways {
		x := exploreActors(t, binary, p,
			append([]string{"-model=" + model, "-timeout=0",
				fmt.Sprint("-max-executions=", *mostOfActors)},
				flags...))
		if x.trouble != "" || x.refused && flags[0] != "-strategy=optimal" {
			t.Fatalf("%v: %s\n%s", flags, x.trouble, p.Source)
		}
		by = append(by, x)
	}
	for i, x := range by {
		for _, y := range by[:i] {
			x.traces = y.traces // facts leave traces out
			if s := agree(x, y); s != "" {
				t.Errorf("%s\n%s", s, p.Source)
			}
		}
		if x.complete && by[1].complete {
			c.executions[i] += x.executions
		}
	}
	if !by[1].complete || !by[3].complete {
		return
	}
	c.compared++
	if by[0].complete {
		c.exhaustive++
	}
	if by[3].executions < by[1].executions {
		c.less++
	}
	c.compareOptimal(t, by[3], by[4], p)
	if by[3].executions > by[2].executions || by[2].executions > by[1].executions {
		t.Errorf("%d, %d and %d executions: more with more facts\n%s", by[1].executions,
			by[2].executions,
			by[3].executions, p.Source)
	}
}

// compareOptimal compares optimal search with dpor, both with facts: it cuts nothing off. It may
// run more, where the last task of a loop cannot be told from what comes after it.
func (c *gained) compareOptimal(t *testing.T, dpor, optimal *explored, p *goprog.ActorProgram) {
	t.Helper()
	if optimal.refused {
		c.refused++
	}
	if !optimal.complete {
		return
	}
	c.beside += dpor.executions
	c.redundant += dpor.blocked
	if optimal.executions > dpor.executions {
		c.more++
	}
	if optimal.blocked > 0 {
		t.Errorf("optimal: %d executions and %d redundant ones\n%s", optimal.executions,
			optimal.blocked,
			p.Source)
	}
}

func exploreActors(t *testing.T, binary string, p *goprog.ActorProgram, flags []string) *explored {
	t.Helper()
	var stdout, stderr bytes.Buffer
	x := &explored{flags: flags, outcomes: map[outcome]bool{}, panics: map[string]bool{}}
	_, err := exec.Run(binary, append(flags, "-json", "-run=^"+p.Name()+"$"), &stdout, &stderr)
	for line := range bytes.Lines(stdout.Bytes()) {
		var r result
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			x.read(&r)
			return x
		}
	}
	x.trouble = fmt.Sprint("no result: ", stdout.String(), stderr.String(), err)
	return x
}

// TestShowActors writes the program of the seed to the directory that REHEARSE_SHOW names, to be
// looked at.
func TestShowActors(t *testing.T) {
	dir := os.Getenv("REHEARSE_SHOW")
	if dir == "" {
		t.Skip("REHEARSE_SHOW names no directory")
	}
	p := goprog.NewActors(*firstSeed)
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(p.Source), 0o666); err != nil {
		t.Fatal(err)
	}
}
