package corpus

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var (
	twelveBudget = flag.Duration("twelve", 0,
		"explore each of the twelve packages twice, for that `long` on a processor, -short (with -fetch)")
	olderBinary = flag.String("older", "",
		"with -twelve: explore with that `binary` of rehearse first, and not with -independence=none")
	onlySubject = flag.String("subject", "",
		"with -twelve: only packages whose names contain `text`")
)

// twelve are small packages with real concurrency.
var twelve = []subject{
	{"golang.org/x/sync", "v0.16.0", "./errgroup", ""},
	{"golang.org/x/sync", "v0.16.0", "./semaphore", ""},
	{"golang.org/x/sync", "v0.16.0", "./singleflight", ""},
	{"github.com/sourcegraph/conc", "v0.3.0", "./...", ""},
	{"github.com/alitto/pond", "v1.9.2", ".", ""},
	{"github.com/gammazero/workerpool", "v1.3.0", ".", ""},
	{"github.com/patrickmn/go-cache", "v2.1.0+incompatible", ".", ""},
	{"github.com/hashicorp/golang-lru/v2", "v2.0.7", "./...", ""},
	{"github.com/orcaman/concurrent-map/v2", "v2.0.1", ".", ""},
	{"github.com/dustin/go-broadcast", "v0.0.0-20171205050544-f664265f5a66", ".", ""},
	{"github.com/bep/debounce", "v1.2.1", ".", ""},
	{"github.com/oklog/run", "v1.2.0", ".", ""},
}

const twelveFile = "../../../docs/TWELVE.md"

// TestTwelve explores the tests of twelve packages, without what leaves out orders and with the
// default flags, and says what became of each. With -update, it writes docs/TWELVE.md.
func TestTwelve(t *testing.T) {
	if !*fetch || *twelveBudget == 0 {
		t.Skip("it fetches modules, and explores their tests twice; -fetch -twelve 20s asks for it")
	}
	rehearse := buildRehearse(t)
	var rows []*comparison
	for _, s := range twelve {
		if !strings.Contains(s.name(), *onlySubject) {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			dir, binary, flags := s.fetch(t), rehearse, []string{"-short", "-v"}
			if *olderBinary != "" {
				binary = *olderBinary
			} else {
				flags = append(flags, "-independence=none")
			}
			c := &comparison{subject: s}
			c.before = s.exploreFor(t, binary, dir, *twelveBudget, flags...)
			must(t, os.RemoveAll(dir+"/testdata/rehearse"))
			c.after = s.exploreFor(t, rehearse, dir, *twelveBudget, "-short", "-v")
			rows = append(rows, c)
			t.Logf("%d tests of %d were incomplete, %d are", count(c.before, isIncomplete),
				len(c.before.results)+c.before.unbegun,
				count(c.after, isIncomplete))
		})
	}
	if *update && len(rows) == len(twelve) {
		must(t, os.WriteFile(twelveFile, []byte(twelveDocument(rows, *twelveBudget)), 0o666))
	}
}

// exploreFor is explore for a time on a processor: others may use the machine, too. The build comes
// before, and does not count.
func (s subject) exploreFor(t *testing.T, rehearse, dir string, budget time.Duration,
	flags ...string) *row {
	t.Helper()
	cmd := exec.Command(rehearse, append(append([]string{"test", "-run=^$"}, flags...), s.pkg)...)
	cmd.Dir, cmd.Env = dir, modules.Environment()
	_, _ = cmd.CombinedOutput() // that it has nothing to run is no success
	longer := time.Duration(float64(budget) / processorShare(t)).Round(time.Second)
	t.Logf("%v take %v", budget, longer)
	return s.explore(t, rehearse, dir, longer, flags...)
}

// processorShare measures which share of a processor a busy process gets now.
func processorShare(t *testing.T) float64 {
	used := func() time.Duration {
		var u syscall.Rusage
		must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before, start := used(), time.Now()
	for time.Since(start) < 3*time.Second {
	}
	return min(1, max(0.05, float64(used()-before)/float64(time.Since(start))))
}

// comparison is what became of a subject.
type comparison struct {
	subject
	before, after *row
}

// isIncomplete reports whether the exploration of a test left something out, be it one with a
// finding.
func isIncomplete(one *result) bool { return one.Verdict != "error" && !one.Complete }

func count(r *row, f func(*result) bool) (n int) {
	for i := range r.results {
		if f(&r.results[i]) {
			n++
		}
	}
	return n + r.unbegun
}

const twelveHead = `# Twelve packages, before and after

For a user who asks what the reductions of ` + "`-independence`" + ` are worth on real packages: how many
tests become complete by them?

The tests are those of twelve small packages with real concurrency, each explored twice for %[1]v
with ` + "`-short`" + `: %[2]s, and then with the default flags. Made by
` + "`go test ./internal/lab/corpus -run Twelve -fetch -twelve %[1]v -update`" + `
with %[3]s on two cores that were shared with others, at a load of %[4]s; do not edit.
The %[1]v are of a processor: before each exploration, the command measures which share of one a busy
process gets, and explores for so much longer. The numbers of executions depend on the machine all
the same, and so do tests that need about that time.

A test is **complete** when every order that matters has been run, and **incomplete** when a budget
or a bound ended that. A test with a finding is one or the other, too.

`

func twelveDocument(rows []*comparison, budget time.Duration) string {
	var b strings.Builder
	first := "first with `-independence=none`"
	if *olderBinary != "" {
		first = "first by an older rehearse"
	}
	fmt.Fprintf(&b, twelveHead, budget, first, runtime.Version(), load())
	b.WriteString("| package | tests | incomplete before | after |\n|---|--:|--:|--:|\n")
	sums := [3]int{}
	for _, c := range rows {
		cells := [3]int{len(c.after.results) + c.after.unbegun, count(c.before, isIncomplete),
			count(c.after, isIncomplete)}
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.name(), cells[0], cells[1], cells[2])
		for i := range sums {
			sums[i] += cells[i]
		}
	}
	fmt.Fprintf(&b, "| **all** | %d | %d | %d |\n", sums[0], sums[1], sums[2])
	b.WriteString(
		"\n## The tests that were incomplete, or are\n\nThe others are complete in both explorations.\n\n" +
			"| package | test | before | executions | after | executions | why it is incomplete |\n|---|---|---|--:|---|--:|---|\n")
	for _, c := range rows {
		c.tests(&b)
	}
	b.WriteString(
		"\n## What fills the trees of those that are left\n\nPairs of operations that the search has to reverse, counted in some of " +
			"the executions of each\ntest; see `rehearse test -v`.\n\n| reversals | tests | pair | why their order matters |\n|--:|--:|---|---|\n")
	for _, p := range fillers(rows) {
		fmt.Fprintf(&b, "| %d | %d | %s | %s |\n", p.count, len(p.tests), p.pair, p.rule)
	}
	return b.String()
}

// load is the load average of the last quarter of an hour, where the system tells it.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(text)); len(words) > 2 {
		return words[2]
	}
	return "unknown"
}

// tests lists the tests that are incomplete, or were.
func (c *comparison) tests(b *strings.Builder) {
	before := map[string]*result{}
	for i := range c.before.results {
		before[c.before.results[i].Test] = &c.before.results[i]
	}
	for i := range c.after.results {
		one := &c.after.results[i]
		old := cmp.Or(before[one.Test], &result{Verdict: "unbegun"})
		if isIncomplete(one) || isIncomplete(old) {
			fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %d | %s |\n", c.name(), one.Test, state(old),
				old.Executions, state(one), one.Executions,
				strings.ReplaceAll(one.Reason, "|", `\|`))
		}
	}
}

func state(one *result) string {
	word := "incomplete"
	switch {
	case one.Verdict == "error" || one.Verdict == "unbegun":
		return one.Verdict
	case one.Complete:
		word = "complete"
	}
	if one.Verdict == "fail" {
		word += ", with a finding"
	}
	return word
}

// filler is a pair of operations in the trees of several tests.
type filler struct {
	pair, rule string
	count      int
	tests      map[string]bool
}

// fillers lists the pairs that fill the trees of the tests that are incomplete after all, the most
// frequent ones first.
func fillers(rows []*comparison) (list []*filler) {
	for _, c := range rows {
		for i := range c.after.results {
			one := &c.after.results[i]
			if !isIncomplete(one) || one.Filling == nil {
				continue
			}
			for _, p := range one.Filling.Pairs {
				list = enter(list, operation(p.First)+" against "+operation(p.Second), p.Rule,
					p.Count,
					c.name()+" "+one.Test)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *filler) int { return b.count - a.count })
	return list
}

func enter(list []*filler, pair, rule string, n int, test string) []*filler {
	i := slices.IndexFunc(list, func(f *filler) bool { return f.pair == pair && f.rule == rule })
	if i < 0 {
		i = len(list)
		list = append(list, &filler{pair: pair, rule: rule, tests: map[string]bool{}})
	}
	list[i].count += n
	list[i].tests[test] = true
	return list
}

// operation is what comes before the place in the description of an operation.
func operation(text string) string {
	var words []string
	for _, w := range strings.Fields(text) {
		if !strings.Contains(w, ".go:") && w != "to" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// TestFillers: pairs of operations are counted without their places.
func TestFillers(t *testing.T) {
	pairs := []pair{{"lock mu a.go:1", "lock mu b.go:2", "one mutex", 2},
		{"send ch a.go:1 to a.go:2", "recv ch", "x", 9}}
	filled := result{Test: "TestA", Verdict: "pass", Filling: &filling{Pairs: pairs}}
	other := filled
	other.Test = "TestB"
	done := filled
	done.Complete = true
	list := fillers([]*comparison{{subject: subject{pkg: "./p"},
		after: &row{results: []result{filled, other, done}}}})
	if len(list) != 2 || list[0].pair != "send ch against recv ch" || list[0].count != 18 ||
		list[1].pair != "lock mu against lock mu" || len(list[1].tests) != 2 {
		t.Errorf("%+v", list)
	}
}
