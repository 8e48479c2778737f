package maytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/refining"
)

// groups are pairs of harnesses of testdata/refine/groups, and what go clients and asynchronous
// clients may see.
var groups = []struct {
	old, new   string
	n          int
	go_, async refine.Relation
}{
	{"SinkForever", "SinkOnce", 3, refine.OldMore, refine.Equivalent},
	{"Buffer1", "Buffer2", 2, refine.Equivalent, refine.Equivalent},
	{"Buffer1", "Buffer2", 3, refine.NewMore, refine.Equivalent},
	{"CellRequests", "CellClosures", 3, refine.Equivalent, refine.Equivalent},
	{"CellClosures", "CellLock", 3, refine.Equivalent, refine.Equivalent},
	{"CellRequests", "CellLock", 3, refine.Equivalent, refine.Equivalent},
	{"OpenFresh", "OpenTurns", 2, refine.Equivalent, refine.Equivalent},
	{"OpenFresh", "OpenTurns", 3, refine.Incomparable, refine.Incomparable},
	{"HubLoop", "HubQueue", 3, refine.NewMore, refine.Equivalent},
	{"HubLoop", "HubMessage", 3, refine.NewMore, refine.NewMore},
	{"CacheLoose", "CacheFlight", 2, refine.OldMore, refine.OldMore},
	{"ErrCacheLoose", "ErrCacheFlight", 2, refine.Incomparable, refine.Incomparable},
	{"AnswersInOrder", "AnswersEach", 3, refine.NewMore, refine.NewMore},
	{"IDCounter", "IDRandom", 2, refine.Equivalent, refine.Equivalent},
	{"NumberCounter", "NumberRandom", 2, refine.Incomparable, refine.Incomparable},
	{"SlotsLooks", "SlotsSelects", 2, refine.NewMore, refine.Equivalent},
	{"CloseError", "ClosePanic", 2, refine.Incomparable, refine.Incomparable},
	{"CloseOnceError", "CloseOncePanic", 2, refine.Equivalent, refine.Equivalent},
	{"AddError", "AddPanic", 2, refine.Incomparable, refine.Incomparable},
	{"AddLastError", "AddLastPanic", 2, refine.Equivalent, refine.Equivalent},
	{"CountByOne", "CountByTwo", 2, refine.Incomparable, refine.Incomparable},
	{"JobsInTurn", "JobsEach", 3, refine.NewMore, refine.NewMore},
}

var swapped = map[refine.Relation]refine.Relation{refine.NewMore: refine.OldMore,
	refine.OldMore:    refine.NewMore,
	refine.Equivalent: refine.Equivalent, refine.Incomparable: refine.Incomparable}

// TestGroups compares each pair, swapped too, and each harness with itself. The observers of both
// kinds of clients pass on the side that lacks their path, fail on the other one, and replay.
func TestGroups(t *testing.T) {
	b := buildGroups(t, "go")
	w := &observers{added: map[string][]byte{}, fails: map[string]bool{}, dir: b.dir}
	compare := func(old, new string, n int, want, async refine.Relation) {
		t.Helper()
		c, r := b.compare(t, old, new, n)
		if !r.Complete || r.Relation != want || r.Async != async {
			t.Errorf("%s %s up to %d: %s, async %s, complete: %t %s; want %s, async %s", old, new,
				n, r.Relation, r.Async, r.Complete, r.Reason, want, async)
			logPaths(t, c, r)
			return
		}
		t.Logf("%s %s up to %d: %s, async %s, %d scripts, %v executions", old, new, n, r.Relation,
			r.Async, r.Scripts, r.Executions)
		w.add(t, r.New, r.Interface, c.Names[0], c.Names[1], "go")
		w.add(t, r.Old, r.Interface, c.Names[1], c.Names[0], "go")
		if async == refine.Equivalent {
			return
		}
		if c, r = b.compareFor(t, "async", old, new, n); r.Relation != async {
			t.Errorf("%s %s up to %d with -client async: %s; want %s", old, new, n, r.Relation,
				async)
			logPaths(t, c, r)
		}
		w.add(t, r.New, r.Interface, c.Names[0], c.Names[1], "async")
		w.add(t, r.Old, r.Interface, c.Names[1], c.Names[0], "async")
	}
	for _, g := range groups {
		compare(g.old, g.new, g.n, g.go_, g.async)
		compare(g.new, g.old, g.n, swapped[g.go_], swapped[g.async])
		compare(g.old, g.old, g.n, refine.Equivalent, refine.Equivalent)
	}
	w.explore(t)
}

// observers are tests, of which some pass in every order, and the others fail in some.
type observers struct {
	dir   string
	added map[string][]byte
	fails map[string]bool

	replayed int
}

// add adds the observer of a path, on the side that lacks it and on the one that has it.
func (w *observers) add(t *testing.T, d *refine.Difference, of *refine.Interface, lacks, has,
	client string) {
	for i, harness := range []string{lacks, has} {
		if d == nil {
			return
		}
		// Its numbers are others in each test: the observer looks for all but the other side's.
		if has == "RefineNumberRandom" && !d.Otherwise() {
			t.Errorf("%s %s: no observer", lacks, has)
		}
		o, err := refine.NewObserver(d, of, harness, "_"+client, "the other side", client)
		if err != nil {
			t.Errorf("%s %s: %v", lacks, has, err)
			return
		}
		w.added[filepath.Join(w.dir, fmt.Sprintf("refine_%s_test.go", o.Test))] = o.Text
		w.fails[o.Test] = i == 1
	}
}

// explore runs all observers, and replays what has made one fail 100 times.
func (w *observers) explore(t *testing.T) {
	o := options.Default()
	built, err := exec.BuildAdded(w.dir, o, []string{"."}, w.added)
	if err != nil {
		for name, text := range w.added {
			t.Logf("%s:\n%s", name, text)
		}
		t.Fatal(err)
	}
	o.JSON, o.Timeout = true, 0
	var out bytes.Buffer
	if _, err := exec.Run(built[0].Binary, o.Encode(), &out, &out); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Join(w.dir, "testdata"))
	for line := range bytes.Lines(out.Bytes()) {
		var r struct {
			Action, Test, Verdict string
			Complete              bool
			Executions            int
			Findings              []struct{ Schedule string }
		}
		if json.Unmarshal(line, &r) != nil || r.Action != "result" {
			continue
		}
		want := map[bool]string{true: "fail", false: "pass"}[w.fails[r.Test]]
		if r.Verdict != want || !r.Complete && want == "pass" {
			t.Errorf("%s: %s, complete: %t; want %s, complete\n%s", r.Test, r.Verdict, r.Complete,
				want,
				line)
		}
		delete(w.fails, r.Test)
		if r.Verdict == "fail" && len(r.Findings) > 0 {
			w.replay(t, built[0].Binary,
				filepath.Join(w.dir, filepath.FromSlash(r.Findings[0].Schedule)))
		}
	}
	for name := range w.fails {
		t.Errorf("%s has no result", name)
	}
	if w.replayed < 20 {
		t.Errorf("%d schedules were replayed", w.replayed)
	}
}

// replay replays a schedule 100 times.
func (w *observers) replay(t *testing.T, binary, file string) {
	o := options.Default()
	o.Replay, o.Count = file, 100
	w.replayed++
	var out bytes.Buffer
	if _, err := exec.Run(binary, o.Encode(), &out, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "replayed 100 of 100\n") {
		t.Errorf("%s: %s", file, out.Bytes())
	}
}

// TestSideBySide: how many processes explore scripts, and ahead of their turn, changes no word.
func TestSideBySide(t *testing.T) {
	b := buildGroups(t, "go")
	for _, g := range [][2]string{{"HubLoop", "HubMessage"}, {"CellClosures", "CellLock"}} {
		first := ""
		for seed, p := range []int{1, 2, 4} {
			o := *b.o
			o.Seed = uint64(100 + seed) // its answers are not those that are kept
			var sides [2]*refining.Side
			for i := range sides {
				var err error
				if sides[i], err = refining.NewSide(b.pkg(), o.Encode(), p); err != nil {
					t.Fatal(err)
				}
				defer sides[i].Close()
			}
			c := &refine.Comparison{Old: sides[0], New: sides[1],
				Names: [2]string{"Refine" + g[0], "Refine" + g[1]}, N: 3, Client: "go", Ahead: p}
			r, err := c.Run()
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			for _, json := range []bool{false, true} {
				(&report.Refinement{Out: &out, JSON: json}).Result(c.Names, r, "go", 0, 0)
			}
			if p == 1 {
				first = out.String()
			} else if out.String() != first {
				t.Errorf("%v: with %d processes a side\n%s\nand with one\n%s", g, p, out.String(),
					first)
			}
		}
	}
}
