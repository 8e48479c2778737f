package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var usersBudget = flag.Duration("users", 0,
	"explore small programs that use the network, each for that `long` (with -fetch)")

// TestUsers explores the programs below testdata/users as a user would, with default flags. A test
// whose name ends in Bad has a mistake; each must be found, and the others must have no finding.
//
//	go test ./internal/lab/corpus -run Users -fetch -users 2m -v -timeout 0
func TestUsers(t *testing.T) {
	if !*fetch || *usersBudget == 0 {
		t.Skip("it fetches modules, and explores many programs; -fetch -users 2m asks for it")
	}
	rehearse := buildRehearse(t)
	all, err := filepath.Glob("testdata/users/*")
	must(t, err)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, at most %v a program\n\n", runtime.Version(), *usersBudget)
	b.WriteString("| program | mistakes found | others silent | complete | executions | seconds " +
		"|\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|\n")
	for _, dir := range all {
		t.Run(filepath.Base(dir), func(t *testing.T) { b.WriteString(user(t, rehearse, dir)) })
	}
	t.Log("\n" + b.String())
}

// beyond are the programs that are known to go beyond what can be explored.
var beyond = map[string]string{
	"grpc": "it is no border package, so each of its steps has orders",
}

// complaints are what is wrong with a program.
type complaints struct {
	t     *testing.T
	known string // why that is expected; empty: it is not
	any   bool
}

func (c *complaints) add(format string, args ...any) {
	c.t.Helper()
	c.any = true
	if c.known != "" {
		c.t.Logf(format+" (known: "+c.known+")", args...)
		return
	}
	c.t.Errorf(format, args...)
}

// user explores the program in a directory, and returns its line of the table.
func user(t *testing.T, rehearse, from string) string {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(from)))
	cmd := exec.Command(rehearse, "test", "-json", "-timeout", usersBudget.String(), ".")
	cmd.Dir, cmd.Env = dir, modules.Environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	wrong := complaints{t: t, known: beyond[filepath.Base(from)]}
	var bad, found, silent, complete, tests, executions int
	var seconds time.Duration
	for line := range bytes.Lines(out) {
		var one struct {
			result
			Seconds float64
		}
		if json.Unmarshal(line, &one) != nil || one.Action != "result" {
			continue
		}
		tests, executions = tests+1, executions+one.Executions
		seconds += time.Duration(one.Seconds * float64(time.Second))
		if one.Complete {
			complete++
		}
		switch is := one.became(); {
		case strings.HasSuffix(one.Test, "Bad") && is == "failing":
			bad, found = bad+1, found+1
		case strings.HasSuffix(one.Test, "Bad"):
			bad++
			wrong.add("%s: %s after %d executions, but it has a mistake", one.Test, is,
				one.Executions)
		case is == "complete" || is == "incomplete":
			silent++
		default:
			wrong.add("%s: %s: %v", one.Test, is, one.Findings)
		}
	}
	if wrong.known != "" && !wrong.any {
		t.Error("it is explored as it should be: it is beyond nothing any more")
	}
	if tests == 0 {
		t.Errorf("no test ran\n%s%s", out, stderr.Bytes())
	}
	return fmt.Sprintf("| %s | %d of %d | %d of %d | %d of %d | %d | %.0f |\n", filepath.Base(from),
		found, bad, silent, tests-bad, complete, tests, executions, seconds.Seconds())
}
