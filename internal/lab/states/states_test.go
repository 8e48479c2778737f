package states

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	programs  = flag.Int("programs", 5, "compare `n` programs of each kind")
	firstSeed = flag.Uint64("seed", 1, "`seed` of the first program")
	most      = flag.Int("most", 3000, "let an exploration end after `n` executions")
)

// batch is how many programs are built together.
const batch = 100

// program is one random program: a test, with its package's other text in a prelude.
type program struct{ test, source string }

// TestGo compares programs of all constructs, with Go's channels.
func TestGo(t *testing.T) {
	compareAll(t, "go", goprog.Prelude, func(seed uint64) program {
		p := goprog.New(seed)
		return program{"Test" + p.Name(), p.Source(goprog.Plain)}
	})
}

// TestActors compares programs of actors, whose mailboxes have no order, or one for each sender.
func TestActors(t *testing.T) {
	for _, model := range []string{"actor", "pairs"} {
		t.Run(model, func(t *testing.T) { compareAll(t, model, actorPrelude, newActors) })
	}
}

func compareAll(t *testing.T, model, prelude string, make func(seed uint64) program) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	var sum summary
	t.Run("programs", func(t *testing.T) {
		for from := 0; from < *programs; from += batch {
			var list []program
			for i := from; i < min(from+batch, *programs); i++ {
				list = append(list, make(*firstSeed+uint64(i)))
			}
			b := build(t, model, prelude, list)
			for _, p := range list {
				t.Run(p.test, func(t *testing.T) { sum.add(compare(t, b, p)) })
			}
		}
	})
	t.Logf("%+v", sum)
	// not program by program: memory's neighbours can keep equal states apart, see package linear
	if sum.Actors > sum.Plain+sum.Plain/10 {
		t.Error("with actors and messages as sets there are more states")
	}
	if sum.Complete < sum.Programs/2 || sum.Merging < sum.Programs/10 {
		t.Error("too few programs say something")
	}
}

// summary is what some programs have shown.
type summary struct {
	Programs, Complete  int // Complete: the exhaustive search ended
	Merging             int // some states of it were met again
	None, Plain, Actors int // their states
}

func (s *summary) add(by map[string]*result) {
	s.Programs++
	none, plain, actor := by["none little"], by["plain little"], by["actor little"]
	if none == nil || !none.Complete {
		return
	}
	s.Complete++
	if actor.Blocked > 0 {
		s.Merging++
	}
	s.None, s.Plain, s.Actors = s.None+none.States, s.Plain+plain.States, s.Actors+actor.States
}

// binaries are those of some programs in one package: one for ordinary explorations, and one whose
// states can be compared.
type binaries struct{ plain, compares, model string }

func build(t *testing.T, model, prelude string, list []program) *binaries {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module prog\n\ngo 1.26\n")
	write("prelude_test.go", prelude)
	for i, p := range list {
		write(fmt.Sprintf("p%04d_test.go", i), p.source)
	}
	one := func(strategy string) string {
		o := options.Default()
		o.Model, o.Strategy = model, strategy
		packages, err := exec.Build(dir, o, []string{"."})
		if err != nil {
			t.Fatalf("programs in %s: %v", dir, err)
		}
		return packages[0].Binary
	}
	return &binaries{one("exhaustive"), one("stateful"), model}
}

// result is what an exploration says, as far as it is compared.
type result struct {
	Action, Verdict, Reason               string
	Complete                              bool
	Executions, Blocked, States, Messages int
	Outcomes                              []struct{ Verdict, Kind, Log string }
	Findings                              []struct{ Kind, Message string }
	Notes                                 []string
}

func explore(t *testing.T, b *binaries, p program, flags ...string) *result {
	t.Helper()
	o := options.Default()
	o.JSON, o.Run, o.Model, o.MaxExecutions, o.Timeout = true, "^"+p.test+"$", b.model, *most, 0
	binary := b.plain
	if slices.Contains(flags, "-strategy=stateful") && !slices.Contains(flags, "-state=none") {
		binary = b.compares
	}
	var out, stderr bytes.Buffer
	if _, err := exec.Run(binary, append(o.Encode(), flags...), &out, &stderr); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out.Bytes()) {
		var r result
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			os.RemoveAll(filepath.Join(filepath.Dir(binary), "testdata"))
			return &r
		}
	}
	t.Fatalf("%v: no result: %s%s", flags, out.String(), stderr.String())
	return nil
}

// outcomes lists the distinct ones, and what is wrong but data races.
func (r *result) outcomes() []string {
	set := map[string]bool{}
	for _, o := range r.Outcomes {
		set[fmt.Sprintf("%s %s %q", o.Verdict, o.Kind, o.Log)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// compare explores p exhaustively, and by stateful search in every way.
func compare(t *testing.T, b *binaries, p program) map[string]*result {
	// as stateful search has it
	by := map[string]*result{"exhaustive": explore(t, b, p, "-strategy=exhaustive", "-clock=idle")}
	all := by["exhaustive"]
	if !all.Complete {
		return by
	}
	for _, state := range []string{"none", "plain", "actor"} {
		for _, step := range []string{"little", "big"} {
			name := state + " " + step
			by[name] = explore(t, b, p, "-strategy=stateful", "-state="+state, "-step="+step)
			if r := by[name]; r.Complete && !slices.Equal(r.outcomes(), all.outcomes()) {
				t.Errorf("%s: %q\nexhaustively: %q\n%v\n%s", name, r.outcomes(), all.outcomes(),
					r.Notes,
					p.source)
			}
			if r := by[name]; !r.Complete && state != "none" {
				t.Logf("%s is incomplete: %s", name, r.Reason)
			}
		}
	}
	breadth := explore(t, b, p, "-strategy=stateful", "-state=actor", "-search=bfs")
	none, plain, actor := by["none little"], by["plain little"], by["actor little"]
	if breadth.Complete && actor.Complete && !slices.Equal(breadth.outcomes(), actor.outcomes()) {
		t.Errorf("breadth first: %q; depth first %q\n%s", breadth.outcomes(), actor.outcomes(),
			p.source)
	}
	if none.Complete && (plain.States > none.States || actor.States > none.States) {
		t.Errorf("%d states with none, %d with plain, %d with actor\n%v\n%s", none.States,
			plain.States,
			actor.States, actor.Notes, p.source)
	}
	return by
}
