package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// golden is what is known about one test of the programs in testdata. Nil: not known.
type golden struct {
	Dir, Test string
	Subject   string         // its name in rehearse bench; empty: it is not measured
	Traces    *int           // inequivalent executions
	Models    map[string]int // inequivalent executions under other models
	// those that are left under actor when independent tasks are selected
	Independent *int
	Equal       *int // those that are left when sends of equal values commute
	Symmetric   *int // those that are left when twins begin in one order
	// those that are left when sends of values that are only added up commute
	Commute  *int
	Finding  string // the kind of the worst thing that is wrong; empty: nothing
	Outcomes *int   // distinct ones
	Note     string // why
	Long     bool   // left out here: takes long
	Many     bool   // exhaustive search runs more than mostExhaustive: there is none here
	// inequivalent executions if what nobody sees makes no difference; nil: Traces
	Observed *int
}

// result is what one exploration says, as far as it is compared.
type result struct {
	Action, Test, Of, Verdict string
	Strategy                  string
	Complete                  bool
	Fixed, Cut                []struct {
		What   string
		Places []string
	}
	Executions, Traces  int
	Blocked, Deliveries int
	Selection           struct{ Proved, Backtracked int }
	Outcomes            []outcome
	Findings            []struct {
		Kind, Message string
		Count         int
	}
	Pruned []struct{ Fact string }
	UpTo   []string
}

type outcome struct {
	Verdict, Kind, Log string
	Count              int
}

// TestGolden explores the programs of testdata, each with dpor, with optimal, and exhaustively: all
// must see what is known, and the same outcomes.
func TestGolden(t *testing.T) {
	groups := byDir(readGolden(t))
	binaries := buildAll(t, copyOfTestdata(t), groups)
	for _, tests := range groups {
		t.Run(tests[0].Dir, func(t *testing.T) {
			t.Parallel()
			reduced := exploreAll(t, binaries[tests[0].Dir], "-strategy=dpor", "-sleep", "-short",
				"-timeout=0")
			optimal := exploreAll(t, binaries[tests[0].Dir], "-strategy=optimal", "-short",
				"-timeout=0")
			all := exploreExhaustively(t, binaries[tests[0].Dir], tests)
			for _, g := range tests {
				if g.Long {
					continue
				}
				t.Run(g.Test, func(t *testing.T) {
					g.check(t, reduced[g.Test], all[g.Test])
					g.check(t, optimal[g.Test], all[g.Test])
					g.checkOptimal(t, optimal[g.Test])
				})
			}
			checkJoint(t, binaries[tests[0].Dir], tests, "equal",
				func(g golden) *int { return g.Equal })
			checkJoint(t, binaries[tests[0].Dir], tests, "observed",
				func(g golden) *int { return g.Observed })
		})
	}
}

// checkJoint compares the counts of executions that are left with -independence word, also of those
// programs that take long without.
func checkJoint(t *testing.T, binary string, tests []golden, word string, left func(golden) *int) {
	tests = slices.DeleteFunc(slices.Clone(tests), func(g golden) bool { return left(g) == nil })
	if len(tests) == 0 {
		return
	}
	results := exploreAll(t, binary, "-run="+only(tests), "-strategy=optimal",
		"-independence="+word)
	for _, g := range tests {
		t.Run(g.Test+", "+word, func(t *testing.T) {
			g.Traces = left(g)
			g.check(t, results[g.Test], result{})
			g.checkOptimal(t, results[g.Test])
		})
	}
}

// TestGoldenTwins compares the counts of executions that are left with -independence symmetry, and
// what they show with what all do. Without it, a binary that was built for it does the same as any
// other.
func TestGoldenTwins(t *testing.T) {
	tests := slices.DeleteFunc(readGolden(t), func(g golden) bool { return g.Symmetric == nil })
	groups := byDir(tests)
	o := options.Default()
	o.Strategy, o.Independence = "optimal", "symmetry"
	binaries := buildFor(t, o, copyOfTestdata(t), groups)
	for _, tests := range groups {
		binary, only := binaries[tests[0].Dir], "-run="+only(tests)
		all := exploreAll(t, binary, only, "-strategy=optimal", "-short")
		twins := exploreAll(t, binary, only, "-strategy=optimal", "-independence=symmetry")
		for _, g := range tests {
			t.Run(g.Dir+"/"+g.Test, func(t *testing.T) {
				if !g.Long {
					g.check(t, all[g.Test], result{})
					g.checkOptimal(t, all[g.Test])
				}
				g.Traces = g.Symmetric
				g.check(t, twins[g.Test], result{})
				g.checkOptimal(t, twins[g.Test])
				if got, want := distinct(twins[g.Test].Outcomes),
					distinct(all[g.Test].Outcomes); !g.Long &&
					!slices.Equal(got, want) {
					t.Errorf("with twins in order there are outcomes %v, else %v", got, want)
				}
			})
		}
	}
}

// mostExhaustive is how many executions of a program exhaustive search makes here, at most.
const mostExhaustive = 4000

// exploreExhaustively explores those programs that are compared with other ways to search. An
// exploration that comes to the bound says nothing.
func exploreExhaustively(t *testing.T, binary string, tests []golden) map[string]result {
	t.Helper()
	few := slices.DeleteFunc(slices.Clone(tests), func(g golden) bool { return g.Many || g.Long })
	if len(few) == 0 {
		return nil
	}
	results := exploreAll(t, binary, "-run="+only(few), "-strategy=exhaustive", "-short",
		"-timeout=0", fmt.Sprint("-max-executions=", mostExhaustive))
	for _, g := range few {
		if results[g.Test].Executions >= mostExhaustive {
			t.Errorf("%s: %d executions are not all: golden.json should say \"many\"", g.Test,
				mostExhaustive)
		}
	}
	return results
}

func (g golden) check(t *testing.T, reduced, all result) {
	g.checkFinding(t, reduced)
	if g.Finding == "uncontrolled" || g.Finding == "nondeterminism" {
		return
	}
	if !reduced.Complete {
		t.Error("the reduced exploration is incomplete")
	}
	if g.Traces != nil && reduced.Traces != *g.Traces {
		t.Errorf("%d traces, want %d: %s", reduced.Traces, *g.Traces, g.Note)
	}
	if g.Outcomes != nil && len(reduced.Outcomes) != *g.Outcomes {
		t.Errorf("%d outcomes, want %d: %s", len(reduced.Outcomes), *g.Outcomes, g.Note)
	}
	if !all.Complete {
		t.Logf("%d executions are not all: no comparison", all.Executions)
		return
	}
	if got, want := distinct(reduced.Outcomes), distinct(all.Outcomes); !slices.Equal(got, want) {
		t.Errorf("reduced exploration has outcomes %v, exhaustive one %v", got, want)
	}
	if g.Traces != nil && all.Traces != *g.Traces {
		t.Errorf("%d traces exhaustively, want %d: %s", all.Traces, *g.Traces, g.Note)
	}
}

// checkOptimal: an execution for each trace, and none cut off. After a race the search has begun
// again.
func (g golden) checkOptimal(t *testing.T, r result) {
	if g.Finding != "race" && g.Traces != nil && (r.Executions != *g.Traces || r.Blocked != 0) {
		t.Errorf("optimal: %d executions and %d cut off, want %d: %s", r.Executions, r.Blocked,
			*g.Traces,
			g.Note)
	}
}

func (g golden) checkFinding(t *testing.T, r result) {
	t.Helper()
	var kinds []string
	for _, f := range r.Findings {
		kinds = append(kinds, f.Kind)
	}
	switch {
	case r.Action == "":
		t.Fatal("no result")
	case g.Finding == "" && r.Verdict != "pass":
		t.Errorf("verdict %s with %v, want pass", r.Verdict, kinds)
	case g.Finding == "uncontrolled" && r.Verdict != "error":
		t.Errorf("verdict %s with %v, want error", r.Verdict, kinds)
	case g.Finding != "" && g.Finding != "uncontrolled" && !slices.Contains(kinds, g.Finding):
		t.Errorf("verdict %s with %v, want %s", r.Verdict, kinds, g.Finding)
	}
}

// distinct lists outcomes without their counts, ordered.
func distinct(outcomes []outcome) []outcome {
	list := slices.Clone(outcomes)
	for i := range list {
		list[i].Count = 0
	}
	slices.SortFunc(list, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Log, b.Log))
	})
	return slices.Compact(list)
}

// buildAll builds all programs, and returns their binaries by directory. Those that
// TestModelsGolden explores, too, are built as there, so that they are built once: a binary for
// other delivery models explores Go's unless it is told otherwise.
func buildAll(t *testing.T, root string, groups [][]golden) map[string]string {
	t.Helper()
	relaxed, byModel := modelled(readGolden(t)), map[string][][]golden{}
	for _, tests := range groups {
		model := "go"
		if slices.ContainsFunc(relaxed, func(g golden) bool { return g.Dir == tests[0].Dir }) {
			model = "actor"
		}
		byModel[model] = append(byModel[model], tests)
	}
	binaries := map[string]string{}
	for model, some := range byModel {
		maps.Copy(binaries, buildUnder(t, model, root, some))
	}
	return binaries
}

// buildUnder does it for a delivery model.
func buildUnder(t *testing.T, model, root string, groups [][]golden) map[string]string {
	t.Helper()
	o := options.Default()
	o.Model = model
	return buildFor(t, o, root, groups)
}

// buildFor does it for what the options need.
func buildFor(t *testing.T, o *options.Options, root string, groups [][]golden) map[string]string {
	t.Helper()
	var patterns []string
	for _, tests := range groups {
		patterns = append(patterns, "./testdata/"+tests[0].Dir)
	}
	packages, err := exec.Build(root, o, patterns)
	if err != nil {
		t.Fatal(err)
	}
	binaries := map[string]string{}
	for _, p := range packages {
		binaries[filepath.Base(p.Dir)] = p.Binary
	}
	return binaries
}

// exploreAll explores the tests of one program and returns the results by test.
func exploreAll(t *testing.T, binary string, flags ...string) map[string]result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if _, err := exec.Run(binary, append(flags, "-json"), &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	results, earlier := map[string]result{}, map[string][]outcome{}
	for line := range bytes.Lines(stdout.Bytes()) {
		var r result
		switch err := json.Unmarshal(line, &r); {
		case err == nil && r.Action == "result":
			r.Outcomes = append(earlier[r.Test], r.Outcomes...)
			results[r.Test] = r
		case err == nil && r.Action == "outcomes":
			earlier[r.Of] = append(earlier[r.Of], r.Outcomes...)
		}
	}
	if len(results) == 0 {
		t.Fatalf("no results\n%s%s", stdout.String(), stderr.String())
	}
	return results
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(sources(t), "testdata", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func byDir(list []golden) [][]golden {
	var groups [][]golden
	for i, g := range list {
		if i == 0 || g.Dir != list[i-1].Dir {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], g)
	}
	return groups
}

// copyOfTestdata returns a module like this one that has testdata only, so that saved schedules do
// not get into it. All tests have the same one, so that they share binaries; what the test before
// has saved is removed.
func copyOfTestdata(t testing.TB) string {
	t.Helper()
	root, err := onlyTestdata()
	if err == nil {
		err = dropSaved(filepath.Join(root, "testdata"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// onlyTestdata makes the module, in a directory that TestMain removes.
var onlyTestdata = sync.OnceValues(func() (root string, err error) {
	root = filepath.Join(kept, "only")
	gomod := []byte("module " + rehearse.Module + "\n\ngo 1.26\n")
	return root, errors.Join(os.CopyFS(filepath.Join(root, "testdata"), os.DirFS(subjectDir)),
		os.WriteFile(filepath.Join(root, "go.mod"), gomod, 0o666))
})

// dropSaved removes the schedules of programs that are not those of testdata.
func dropSaved(testdata string) error {
	saved, err := filepath.Glob(filepath.Join(testdata, "*", "testdata", "rehearse"))
	for _, dir := range saved {
		err = errors.Join(err, os.RemoveAll(dir))
		rel, _ := filepath.Rel(testdata, dir)
		if own := filepath.Join(subjectDir, rel); exists(own) {
			err = errors.Join(err, os.CopyFS(dir, os.DirFS(own)))
		}
	}
	return err
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// sources is the root of this module.
func sources(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
