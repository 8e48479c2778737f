package corpus

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var unseenBudget = flag.Duration("unseen", 0,
	"explore each package of the unseen modules for that `long` (with -fetch)")

// unseen are modules that rehearse had not seen when the list was made, and what was found in some
// of them: see fresh.
var unseen = []read{
	{subject: subject{"github.com/gorilla/mux", "v1.8.1", "./...", ""}},
	{subject: subject{"github.com/go-chi/chi/v5", "v5.2.2", "./...", ""}},
	{subject: subject{"github.com/pierrec/lz4/v4", "v4.1.22", "./...", ""}},
	{subject: subject{"github.com/spf13/pflag", "v1.0.10", "./...", ""}},
	{subject: subject{"github.com/spf13/cobra", "v1.9.1", "./...", ""}},
	{subject: subject{"github.com/tidwall/btree", "v1.8.1", "./...", ""}},
	{subject: subject{"go.uber.org/dig", "v1.19.0", "./...", ""}},
	{subject: subject{"github.com/mitchellh/mapstructure", "v1.5.0", "./...", ""}},
	{subject: subject{"github.com/BurntSushi/toml", "v1.5.0", ".", ""}},
	{subject: subject{"github.com/segmentio/encoding", "v0.4.1", "./json", ""}},
	{subject: subject{"github.com/zhangyunhao116/skipmap", "v0.10.1", "./...", ""}},
	{subject: subject{"github.com/valyala/gozstd", "v1.21.2", ".", ""}},
	{subject: subject{"code.cloudfoundry.org/lager/v3", "v3.33.0", ".", ""}},
	{subject: subject{"code.cloudfoundry.org/clock", "v1.33.0", "./...", ""}},
	{subject: subject{"github.com/felixge/fgprof", "v0.9.5", "./...", ""}},
	{subject: subject{"github.com/prometheus/client_golang", "v1.20.5", "./prometheus/testutil/...", ""}},
	{subject{"github.com/stretchr/testify", "v1.10.0", "./...", ""}, map[string]judgement{
		"TestEventuallyTimeout": {isTrue,
			"hangs natively with a sleep of 3ms before assertions.go:1944: the timer of 1ms has fired, " +
				"so no condition runs that closes what assertions_test.go:3107 waits for"},
	}},
	{subject: subject{"github.com/bits-and-blooms/bitset", "v1.22.0", "./...", ""}},
	{subject: subject{"github.com/hashicorp/go-metrics", "v0.5.4", ".", ""}},
	{subject: subject{"github.com/hashicorp/go-hclog", "v1.6.3", "./...", ""}},
	{subject{"gopkg.in/natefinch/lumberjack.v2", "v2.2.1", "./...", ""}, map[string]judgement{
		"leak lumberjack.go": {isTrue,
			"lumberjack.go:390 starts millRun, which ranges (379) over a channel that nobody closes"},
		"TestCompressMaintainOwner": {isTrue,
			"fails natively with -race: millRun compresses a file (lumberjack.go:480), whose chown " +
				"writes the map at linux_test.go:192, while Rotate (lumberjack.go:227) writes it"},
	}},
	{subject{"github.com/sasha-s/go-deadlock", "v0.3.5", "./...", ""}, map[string]judgement{
		"TestNoDeadlocks":         {isTrue, deadlockLeft},
		"TestHardDeadlock":        {isTrue, deadlockLeft},
		"TestRWMutex":             {isTrue, deadlockLeft},
		"TestLockDuplicate":       {isTrue, deadlockLeft},
		"TestTryLockNoDeadlocks":  {isTrue, deadlockLeft},
		"TestHardDeadlockTryLock": {isTrue, deadlockLeft},
		"TestRWMutexTryLock":      {isTrue, deadlockLeft},
		"TestTryLockDuplicate":    {isTrue, deadlockLeft},
	}},
	{subject{"github.com/ReneKroon/ttlcache/v2", "v2.11.0", "./...", ""}, map[string]judgement{
		"TestCache_ModifyAfterClose": {isTrue, lateLog},
		"TestCacheMixedExpirations":  {isTrue, lateLog},
		"TestCache_SetCheckExpirationCallback": {isTrue,
			"hangs natively with a sleep of 20ms before cache.go:392, or of 3ms before 147 and 1ms " +
				"before 400: cleanjob holds the mutex (159) while it sends at cache_test.go:618"},
	}},
	{subject: subject{"github.com/enriquebris/goconcurrentqueue", "v0.7.0", "./...", ""}},
	{subject: subject{"github.com/moby/pubsub", "v1.0.0", "./...", ""}},
}

// lateLog is a remark on several tests.
const lateLog = "panics natively, alone and with a sleep of 50µs before the callback that " +
	"cache.go:177 starts: Close (151) waits for no callback, and this one logs"

// deadlockLeft is a remark on several tests.
const deadlockLeft = "the goroutine of deadlock.go:181 is left behind: it waits (207) for a lock that " +
	"nobody gives back, or reads Opts (202, 213), which deadlock_test.go:160 writes. Its goid reads " +
	"another word of a goroutine than the id in Go 1.26, and that word differs between executions"

// TestUnseen runs the tests of the unseen modules with default flags, and wants that 85 % of those
// that need nothing outside are explored, and that each is begun.
func TestUnseen(t *testing.T) {
	if !*fetch || *unseenBudget == 0 {
		t.Skip("it fetches modules, and explores many packages; -fetch -unseen 60s asks for it")
	}
	rows := judgeAll(t, unseen, *unseenBudget)
	if *freshRows != "" {
		rows = nil
		kept := readRows(t, unseen) // those that -run does not name, too
		for _, f := range unseen {
			if r := kept[f.module]; r != nil {
				rows = append(rows, &judged{r, f.judgements})
			}
		}
	}
	s := shareOf(rows)
	if 100*s.explored < 85*s.local {
		t.Errorf("%d of %d tests that need nothing outside are explored", s.explored, s.local)
	}
	if s.unbegun > 0 {
		t.Errorf("%d tests are not begun", s.unbegun)
	}
	if *update {
		must(t, os.WriteFile("../../../docs/UNSEEN.md",
			modulesDocument(unseenHead, rows, *unseenBudget), 0o666))
	}
}

const unseenHead = `# Modules that rehearse had not seen

For a user who asks what to expect of the first run on a module: how many of its tests are explored
within a minute a package, and is each begun?

Made by ` + "`go test ./internal/lab/corpus -run Unseen -fetch -unseen %v -rows FILE -update`" + `
with %s and that budget for each package, without another flag, on two cores that some
twenty other processes shared; do not edit. A quiet machine begins more tests. FILE keeps what a
module came to, so that it is not run again: its rows are of several builds of one day. The table
has the modules of FILE, and the list in unseen_test.go may have more. None of them is in another
list of this repository. Seconds are those of the whole command, building included.

%s

A test is **explored** if it is complete, has a finding, was run %d times or for all of its time.
**Bounded** ones ended earlier, by a bound that their result names. A test that talks to another
host, or runs another program, is **outside**. What **true** and **false** mean is in
[FINDINGS.md](FINDINGS.md).

`

// trait is what is known of a module beside its tests.
type trait struct {
	Lines string // of Go, with tests
	Graph string // what its graph has that is hard to control
}

// traitOf counts the lines of a module, and looks what the packages below pattern import that is
// hard to control.
func traitOf(t *testing.T, dir, pattern string) trait {
	t.Helper()
	lines := 0
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		lines += bytes.Count(text, []byte("\n"))
		return err
	}))
	return trait{fmt.Sprint(lines), strings.Join(hard(t, dir, pattern), ", ")}
}

// hard names what the tests of packages have in their graph, outside of the standard library, that
// is hard to control.
func hard(t *testing.T, dir, pattern string) (list []string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-test", "-f", "{{if not .Standard}}"+
		`{{range .Imports}}{{printf "import %s\n" .}}{{end}}`+
		`{{range .CgoFiles}}{{printf "cgo\n"}}{{end}}`+
		`{{$dir := .Dir}}{{range .GoFiles}}{{printf "file %s/%s\n" $dir .}}{{end}}{{end}}`, pattern)
	cmd.Dir, cmd.Env = dir, modules.Environment()
	out, err := cmd.Output()
	must(t, err)
	has := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		switch kind, arg, _ := strings.Cut(lines.Text(), " "); {
		case kind == "cgo":
			has["cgo"] = true
		case strings.HasPrefix(arg, "github.com/onsi/ginkgo"):
			has["ginkgo"] = true
		case arg == "runtime/pprof" || arg == "net/http/pprof":
			has["pprof"] = true
		case kind == "file":
			text, err := os.ReadFile(arg)
			has["linkname"] = has["linkname"] ||
				err == nil && bytes.Contains(text, []byte("\n//go:linkname "))
		}
	}
	for name, is := range has {
		if is {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// TestUnseenIsUnseen: no module of the list is in another one.
func TestUnseenIsUnseen(t *testing.T) {
	known := slices.Concat(subjects, twelve)
	for _, list := range [][]read{fresh, chosen, loopback} {
		for _, s := range list {
			known = append(known, s.subject)
		}
	}
	for _, s := range wide {
		known = append(known, s.subject)
	}
	for _, s := range unseen {
		same := func(k subject) bool { return k.module == s.module }
		if slices.ContainsFunc(known, same) {
			t.Errorf("%s is in another list, or twice", s.module)
		}
		known = append(known, s.subject)
	}
}
