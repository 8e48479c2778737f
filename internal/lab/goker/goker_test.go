package goker

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

var (
	goker = flag.String("goker", "",
		"measure the kernels in `dir`ectory gobench/goker of the suite")
	names = flag.String("kernels", "",
		"only those whose CLASS/PROJECT/NUMBER matches the `regexp`")
	budget = flag.Duration("budget", 20*time.Second, "explore each kernel for that `long`")
	counts = flag.Int("replays", 3, "run the schedule of each finding `n` times")
	fixed  = flag.Bool("repaired", false, "measure the repaired kernels only")
	keep   = flag.String("copy", "", "only write the repaired kernels to this `dir`ectory")
	update = flag.Bool("update", false, "write docs/GOKER.md")
)

// atLeast says how many kernels of each class are found. A number that grows is raised here.
var atLeast = map[string]int{"blocking": 66, "nonblocking": 33}

// TestGoKer runs the kernels' own tests with the default flags, and then those of the repaired
// kernels.
func TestGoKer(t *testing.T) {
	if *goker == "" {
		t.Skip("it takes a directory of the suite GoBench; -goker DIR asks for it")
	}
	list := kernels(t, *goker, regexp.MustCompile(*names))
	if *keep != "" {
		all := readRepairs(t)
		must(t, os.CopyFS(*keep, os.DirFS(copyTo(t, all.of(list), *goker, all.edit(t)))))
		return
	}
	rehearse := buildRehearse(t)
	repaired := measureRepairs(t, rehearse, list)
	if *fixed {
		return
	}
	rows := measure(t, rehearse, list)
	if *names != "" {
		return
	}
	for class, n := range atLeast {
		if got := countFound(rows, class); got < n {
			t.Errorf("%d %s kernels are found, want at least %d", got, class, n)
		}
	}
	if *update {
		must(t, os.WriteFile("../../../docs/GOKER.md", document(readRepairs(t), rows, repaired),
			0o666))
	}
}

// measure runs the kernels as they are.
func measure(t *testing.T, rehearse string, list []kernel) (rows []*row) {
	dir := copyTo(t, list, *goker, unedited)
	results := explore(t, rehearse, dir, *budget)
	for _, k := range list {
		r := &row{kernel: k, result: results[k.name]}
		if r.found() {
			schedule := filepath.Join(k.name, filepath.FromSlash(r.Findings[0].Schedule))
			r.replayed = replays(t, rehearse, dir, schedule, *counts)
		}
		r.check(t)
		rows = append(rows, r)
	}
	return rows
}

// check fails for a miss that nothing explains, and for a finding that cannot be repeated.
func (r *row) check(t *testing.T) {
	t.Helper()
	t.Logf("%s: %s %s, complete %t, %d executions %s", r.name, r.became(), r.shown(), r.Complete,
		r.Executions, r.Reason)
	switch {
	case !r.found() && explained[r.name] == "":
		t.Errorf("%s: a miss that nothing explains", r.name)
	case r.found() && !r.replayed:
		t.Errorf("%s: its schedule does not replay %d times", r.name, *counts)
	}
}

// measureRepairs runs the repaired kernels. A repaired kernel has no finding.
func measureRepairs(t *testing.T, rehearse string, list []kernel) (rows []*row) {
	repairs := readRepairs(t)
	list = repairs.of(list)
	if len(list) == 0 {
		return nil
	}
	results := explore(t, rehearse, copyTo(t, list, *goker, repairs.edit(t)), *budget)
	for _, k := range list {
		r := &row{kernel: k, result: results[k.name]}
		t.Logf("%s repaired: %s, complete %t, %d executions %s", r.name, r.Verdict, r.Complete,
			r.Executions, r.Reason)
		for _, f := range r.Findings {
			t.Errorf("%s repaired: %s %s: %s", r.name, f.Pos, f.Kind, f.Message)
		}
		if r.Verdict == "" {
			t.Errorf("%s repaired: no result", r.name)
		}
		rows = append(rows, r)
	}
	return rows
}

func countFound(rows []*row, class string) (n int) {
	for _, r := range rows {
		if r.class() == class && r.found() {
			n++
		}
	}
	return n
}
