package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/baseline"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// summary is the total of the binaries of a run.
type summary struct {
	packages int // with tests
	broken   int // that do not compile
	silent   int // whose binaries have failed and left no totals
	refused  int // that were not begun, for an error
	total    report.Package
}

// add adds a package, whose binary has left its totals in a file. A binary that has crashed leaves
// no totals; nor does one whose TestMain runs no test.
func (s *summary) add(p exec.Package, file string, code int) {
	if p.Broken {
		s.broken++
	}
	if p.Binary == "" {
		return
	}
	s.packages++
	one, ok := readTotals(file)
	if !ok {
		if code == process.Failure {
			s.silent++
		}
		return
	}
	if one.Refused {
		s.refused++
	}
	s.total.Tests += one.Tests
	s.total.Failed += one.Failed
	s.total.Unsupported += one.Unsupported
	s.total.Incomplete += one.Incomplete
	s.total.Unbegun += one.Unbegun
	s.total.Short += one.Short
	s.total.Bordered += one.Bordered
	s.total.UpTo = append(s.total.UpTo, one.UpTo...)
	s.total.Known = append(s.total.Known, one.Known...)
	s.total.Gone = append(s.total.Gone, one.Gone...)
}

// readTotals reads what a binary has left; ok is false if it has left nothing.
func readTotals(file string) (one report.Package, ok bool) {
	text, err := os.ReadFile(file)
	return one, err == nil && json.Unmarshal(text, &one) == nil
}

// print prints the totals of the run in one line. JSON has them in its objects of packages.
func (s *summary) print(o *options.Options, code int, stdout io.Writer) {
	if o.JSON || o.List != "" || o.Shard != "" || s.packages+s.broken == 0 {
		return
	}
	fmt.Fprintf(stdout, "%s  %s: %s; exit code %d\n", s.word(code),
		words.Plural(s.total.Tests, "test"), s.parts(), code)
}

// baseline writes the baseline, or says which of its findings are gone.
func (s *summary) baseline(o *options.Options, stderr io.Writer) int {
	if !o.WriteBaseline {
		for _, k := range s.total.Gone {
			fmt.Fprintf(stderr, "no longer found: %s\n", k)
		}
		return process.Clean
	}
	if err := baseline.Write(o.Baseline, s.total.Known); err != nil {
		return complain(stderr, err)
	}
	fmt.Fprintf(stderr, "%s written to %s\n", words.Plural(len(s.total.Known), "finding"),
		o.Baseline)
	return process.Clean
}

func (s *summary) word(code int) string {
	switch code {
	case process.Clean:
		return "passed"
	case process.Finding:
		return "failed"
	case process.Budget:
		return "passed so far"
	}
	return "not done"
}

// parts is "1 with findings, 2 complete, 1 incomplete, 1 not explored", without the parts that are
// 0.
func (s *summary) parts() string {
	t := &s.total
	complete := "complete"
	if t.Bordered > 0 {
		slices.Sort(t.UpTo)
		complete += fmt.Sprintf(" (%d%s)", t.Bordered, report.UpTo(slices.Compact(t.UpTo)))
	}
	var list []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{t.Failed, "with findings"},
		{t.Tests - t.Failed - t.Unsupported - t.Short, complete},
		{t.Short - t.Unbegun, "incomplete"},
		{t.Unbegun, "not begun"},
		{t.Unsupported, "not explored"},
	} {
		if part.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	if n := len(t.Known); n > 0 {
		list = append(list, words.Plural(n, "known finding")+" set aside")
	}
	if s.broken > 0 {
		list = append(list, words.Plural(s.broken, "package")+" not built")
	}
	if s.refused > 0 {
		list = append(list, words.Plural(s.refused, "package")+" not begun")
	}
	if s.silent > 0 {
		list = append(list, words.Plural(s.silent, "package")+" without a report")
	}
	if len(list) == 0 {
		return "nothing to explore"
	}
	return strings.Join(list, ", ")
}
