// Package ci writes what build servers and editors read, from the record of a run: SARIF, JUnit
// XML, and the annotations and summary of GitHub Actions.
//
// Guarantees: an incomplete result is never shown as passed: it is a notification, a skipped test
// or a notice. Output stays within the limits of its readers, and says how much was left out.
package ci

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/record"
)

// refused are the kinds of findings that say that a test could not be explored.
var refused = []string{"unsupported", "uncontrolled"}

// counts reports whether a finding is about the program.
func counts(f *record.Finding) bool { return !slices.Contains(refused, f.Kind) }

// source is a line of a file.
type source struct {
	file string // absolute
	line int
}

// where finds the file of a place: those of traces are known; others are relative to the package's
// directory, or the user's.
func where(p *record.Package, f *record.Finding, place string) (source, bool) {
	if f.Failing != nil {
		for _, s := range f.Failing.Sites {
			if s.Place == withoutColumn(place) {
				return source{s.File, s.Line}, true
			}
		}
	}
	name, rest, _ := strings.Cut(place, ":")
	number, _, _ := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	if err != nil || line < 1 {
		return source{}, false
	}
	if filepath.IsAbs(name) {
		return source{name, line}, true
	}
	for _, dir := range []string{p.Dir, p.Cwd, p.Root} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(file); dir != "" && err == nil && !info.IsDir() {
			return source{file, line}, true
		}
	}
	return source{}, false
}

func withoutColumn(place string) string {
	parts := strings.SplitN(place, ":", 3)
	return strings.Join(parts[:min(2, len(parts))], ":")
}

// says is a finding in one text: the sentence, and the message if that is not in it.
func says(f *record.Finding) string {
	message := strings.TrimSpace(f.Message)
	switch {
	case f.Sentence == "":
		return f.Kind + ": " + message
	case message == "" || strings.Contains(f.Sentence, message):
		return f.Sentence
	}
	return f.Sentence + "\n" + f.Kind + ": " + message
}

// replay is the command that runs a finding's order again.
func replay(p *record.Package, f *record.Finding) string {
	if f.Schedule == "" {
		return ""
	}
	file := filepath.Join(p.Dir, filepath.FromSlash(f.Schedule))
	if rel, err := filepath.Rel(p.Cwd, file); err == nil && p.Cwd != "" && filepath.IsLocal(rel) {
		file = rel
	}
	return "rehearse replay " + file
}

// why says why a test without findings is no success; empty: it is one.
func why(t *record.Test) string {
	for _, f := range t.Found {
		if !counts(f) {
			return f.Kind + ": " + f.Message
		}
	}
	switch {
	case t.Verdict == "error":
		return "error: " + t.Summary
	case !t.Complete && t.Reason != "":
		return "incomplete: " + t.Reason
	case !t.Complete:
		return "incomplete"
	}
	return ""
}

// failed are the findings of a test that are about the program.
func failed(t *record.Test) []*record.Finding {
	return slices.DeleteFunc(slices.Clone(t.Found),
		func(f *record.Finding) bool { return !counts(f) })
}

// shown picks at most n of the steps of a trace: those around the steps that decide, the first, and
// then the last ones, in order.
func shown(x *record.Trace, n int) []int {
	all := len(x.Events.Kind)
	keep := map[int]bool{}
	take := func(i int) {
		if i >= 0 && i < all && len(keep) < n {
			keep[i] = true
		}
	}
	for _, k := range essential(x) {
		for d := -4; d <= 4; d++ {
			take(k + d)
		}
	}
	for i := range min(12, all) {
		take(i)
	}
	for i := all - 1; i >= 0 && len(keep) < n; i-- {
		take(i)
	}
	list := make([]int, 0, len(keep))
	for i := range all {
		if keep[i] {
			list = append(list, i)
		}
	}
	return list
}

// essential are the steps that decide.
func essential(x *record.Trace) (list []int) {
	if d := x.Decision; d != nil {
		list = append(list, int(d.First))
		if d.Second >= 0 {
			list = append(list, int(d.Second))
		}
	} else if x.Parting >= 0 {
		list = append(list, x.Parting)
	}
	return list
}

// step says who did what in step i of a trace.
func step(x *record.Trace, i int) string {
	text := x.Procs[x.Events.Proc[i]].Name + ": " + x.Texts[x.Events.Text[i]]
	if v := x.Events.Value[i]; v >= 0 {
		text += " = " + x.Values[v]
	}
	return text
}
