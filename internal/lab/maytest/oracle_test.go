package maytest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	rexec "github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/refining"
)

var (
	pairs = flag.Int("pairs", 0, "make `n` random pairs, instead of those of testdata")
	seed  = flag.Int("seed", 1, "their `seed`")
	from  = flag.String("from", "", "take the pairs of `dir`, which oracle.py random has made")
	steps = flag.Int("steps", 100, "end an execution after `n` steps")
	each  = flag.Duration("each", 30*time.Minute, "the time for one pair")
	only  = flag.String("only", "", "compare the pair `name` only")
	every = flag.Int("every", 48, "of the pairs of testdata, compare each `n`-th")
)

// verdicts are what the oracle says of one pair: of asynchronous clients, and of bags.
type verdicts struct{ Async, Bag refine.Relation }

// TestOracle compares verdicts on random pairs of actor programs.
func TestOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two binaries of many packages")
	}
	dir := packages(t)
	content, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]verdicts
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range want {
		if *only == "" || name == *only {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if *from == "" && *pairs == 0 && *only == "" {
		var some []string
		for i := 0; i < len(names); i += max(*every, 1) {
			some = append(some, names[i])
		}
		names = some
	}
	join(t, dir, names)
	compareAll(t, dir, names, "go", func(name string) refine.Relation { return want[name].Async })
	compareAll(t, dir, names, "actor", func(name string) refine.Relation { return want[name].Bag })
}

// packages has the oracle write pairs as Go packages.
func packages(t *testing.T) string {
	if *from != "" {
		dir, err := filepath.Abs(*from)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	dir := t.TempDir()
	args := []string{"testdata/oracle.py", "go", "testdata/pairs.json", dir}
	if *pairs > 0 {
		args = []string{"testdata/oracle.py", "random", dir, strconv.Itoa(*pairs),
			strconv.Itoa(*seed)}
	}
	if out, err := exec.Command("python3", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

var (
	signature = regexp.MustCompile(`func RefineP(\([^)]*\))( \([^)]*\))? `)
	values    = regexp.MustCompile(`return \[\]any\{[^}]*\}`)
)

// join writes one package with a harness for each side of each pair: one binary runs them all.
func join(t *testing.T, dir string, names []string) {
	var imports, code bytes.Buffer
	for _, name := range names {
		for _, side := range []string{"old", "new"} {
			text, err := os.ReadFile(filepath.Join(dir, name, side, "refine_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			pkg := name + side
			fmt.Fprintf(&imports, "\t%s \"example.org/pairs/%s/%s\"\n", pkg, name, side)
			m := signature.FindSubmatch(text)
			typed := func(part []byte) []byte {
				return bytes.ReplaceAll(part, []byte("Addr"), []byte(pkg+".Addr"))
			}
			var params [][]byte
			for _, p := range bytes.Split(bytes.Trim(m[1], "()"), []byte(",")) {
				params = append(params, bytes.TrimSuffix(bytes.TrimSpace(p), []byte(" Addr")))
			}
			ret := "return "
			if len(m[2]) == 0 {
				ret = ""
			} else {
				fmt.Fprintf(&code, "func Refine_%sValues() []any { %s }\n", pkg,
					typed(values.Find(text)))
			}
			fmt.Fprintf(&code, "//rehearse:refine n=2\nfunc Refine_%s%s%s { %s%s.Start(%s) }\n",
				pkg,
				typed(m[1]), typed(m[2]), ret, pkg, bytes.Join(params, []byte(", ")))
		}
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/pairs\n\ngo 1.26\n")
	write("all/all.go", "package all\n")
	write("all/all_test.go", "package all\n\nimport (\n"+imports.String()+")\n\n"+code.String())
}

// compareAll compares the pairs in one binary, under a delivery model.
func compareAll(t *testing.T, dir string, names []string, model string,
	want func(name string) refine.Relation) {
	o := options.Default()
	o.Independence, o.Clock, o.MaxSteps, o.Model = "none", "idle", *steps, model
	built, err := rexec.BuildHarnesses(filepath.Join(dir, "all"), o, []string{"."}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Timeout = 0
	trial := *o
	trial.Timeout = *each
	defer func(start time.Time) {
		t.Logf("-model %s: %d pairs in %.0fs", model, len(names), time.Since(start).Seconds())
	}(time.Now())
	for _, name := range names {
		start := time.Now()
		var sides [2]*refining.Side
		for i := range sides {
			if sides[i], err = refining.NewSide(built[0], o.Encode(), 1); err != nil {
				t.Fatal(err)
			}
		}
		c := &refine.Comparison{Old: sides[0], New: sides[1],
			Names: [2]string{"Refine_" + name + "old",
				"Refine_" + name + "new"}, Client: "async", Bags: model != "go",
			Deadline: time.Now().Add(*each)}
		refining.Trial(c, built[0], trial)
		r, err := c.Run()
		for _, s := range sides {
			s.Close()
		}
		switch {
		case err != nil:
			t.Errorf("%s, -model %s: %v", name, model, err)
		case r.Relation != want(name) || !r.Complete:
			t.Errorf("%s, -model %s: %s, complete: %t %s, and the oracle says %s", name, model,
				r.Relation,
				r.Complete, r.Reason, want(name))
			for _, d := range []*refine.Difference{r.New, r.Old} {
				if d != nil {
					for _, step := range d.Path {
						t.Logf("    %s %s", step.Kind.Word(), step.Text(d.Script, r.Interface))
					}
				}
			}
		default:
			t.Logf("%s, -model %s: %s, %d scripts, %v executions, %v pomsets, %.2fs", name, model,
				r.Relation, r.Scripts, r.Executions, r.Pomsets, time.Since(start).Seconds())
		}
	}
}
